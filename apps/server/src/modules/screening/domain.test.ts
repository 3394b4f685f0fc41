import { expect, it } from 'vitest';
import { importProblem, nameWords, readerOf, readPlain, readSdnCsv, readSdnXml } from './domain.ts';

const ETH = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';

it('TRE-050 plain lists have one address or name a line', () => {
  const text = `# comment\n\n${ETH}\r\nIvan Testov\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\n`;
  expect(readPlain(text)).toEqual([
    { kind: 'address', entry: ETH, reference: '3' },
    { kind: 'name', entry: 'Ivan Testov', reference: '4' },
    { kind: 'address', entry: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', reference: '5' },
  ]);
  // A long name of one word has no digit, so it is not an address.
  expect(readPlain('Aktiengesellschaftsgesetzesammlung')[0]!.kind).toBe('name');
});

it('TRE-050 OFAC’s CSV files give names, other names and addresses', () => {
  const remarks = `DOB 1 Jan 1980; Digital Currency Address - ETH ${ETH}; alt. Digital Currency Address - XBT 1LgQNeCCLXF8Fj3tw9NHk5cwgaC4uJvUCc;`;
  const row = (rest: string) =>
    `36,"TESTOV, Ivan ""The Test""","individual","CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,${rest}`;
  expect(
    readSdnCsv(
      `${row(`"${remarks}"`)}\n173,"ACME, LTD",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n\x1a`,
    ),
  ).toEqual([
    { kind: 'name', entry: 'TESTOV, Ivan "The Test"', reference: '36' },
    { kind: 'address', entry: ETH, reference: '36' },
    { kind: 'address', entry: '1LgQNeCCLXF8Fj3tw9NHk5cwgaC4uJvUCc', reference: '36' },
    { kind: 'name', entry: 'ACME, LTD', reference: '173' },
  ]);
  expect(readSdnCsv('36,12,"aka","IVANOV, I.",-0- ')).toEqual([
    { kind: 'name', entry: 'IVANOV, I.', reference: '36' },
  ]);
  expect(() => readSdnCsv('<html>502</html>')).toThrow('line 1 is not');
  expect(() => readSdnCsv('\n1,"A","B","C","D"\n\n<html>')).toThrow('line 4 is not');
});

it('TRE-050 OFAC’s XML gives names, other names and addresses', () => {
  const xml = `<sdnList><sdnEntry><uid>36</uid><firstName>Ivan</firstName><lastName>TESTOV &amp; SON</lastName>
    <idList><id><uid>9</uid><idType>Passport</idType><idNumber>A1</idNumber></id>
    <id><uid>10</uid><idType>Digital Currency Address - ETH</idType><idNumber>${ETH}</idNumber></id></idList>
    <akaList><aka><uid>12</uid><type>a.k.a.</type><lastName>IVANOV</lastName></aka></akaList></sdnEntry></sdnList>`;
  expect(readSdnXml(xml)).toEqual([
    { kind: 'name', entry: 'Ivan TESTOV & SON', reference: '36' },
    { kind: 'name', entry: 'IVANOV', reference: '36' },
    { kind: 'address', entry: ETH, reference: '36' },
  ]);
  expect(() => readSdnXml('<html/>')).toThrow('no sdnEntry');
  expect(readerOf('SDN.XML')).toBe(readSdnXml);
  expect(readerOf('notes.md')).toBeUndefined();
});

it('TRE-051 names are compared without accents, order, case and punctuation', () => {
  expect(nameWords('TESTÓV, Iván')).toEqual(nameWords('ivan  testov'));
  expect(nameWords("O'Neil Jr.")).toEqual(['jr', 'oneil']);
  expect(nameWords('张三')).toEqual(['张三']);
  expect(nameWords('—')).toEqual([]);
});

it('TRE-050 a broken file does not replace a list', () => {
  expect(importProblem(undefined, 0)).toBe('it has no entries');
  expect(importProblem(100, 49)).toContain('fewer than half');
  expect(importProblem(100, 50)).toBeUndefined();
  expect(importProblem(undefined, 1)).toBeUndefined();
});
