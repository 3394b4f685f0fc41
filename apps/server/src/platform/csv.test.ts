import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.ts';

/** Parses a CSV row strictly by RFC 4180. Throws for invalid input. */
function cellsOf(row: string): string[] {
  if (!row.endsWith('\r\n')) throw new Error('no line end');
  const cells: string[] = [];
  let rest = `,${row.slice(0, -2)}`;
  while (rest !== '') {
    const cell = /^,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest);
    if (cell === null) throw new Error(`no row: ${JSON.stringify(row)}`);
    cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
    rest = rest.slice(cell[0].length);
  }
  return cells;
}

const STARTS_FORMULA = /^[=+\-@\t\r\n]/;
const hostile = fc.stringMatching(/^[=+\-@\t\r\n'"]?[ -~\r\n\t]{0,20}$/);

describe('a row of a CSV file', () => {
  it('SPOT-230 a row is parsed back cell by cell per RFC 4180 for any content', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), hostile), { minLength: 1 }), (cells) => {
        const read = cellsOf(csvRow(cells));
        expect(read.map((cell, n) => (cell === `'${cells[n]}` ? cells[n] : cell))).toEqual(cells);
      }),
    );
    expect(csvRow(['a', 'b,c', 'say "x"', 'two\r\nlines', ''])).toBe(
      'a,"b,c","say ""x""","two\r\nlines",\r\n',
    );
  });

  it('SPOT-231 no cell can run as a formula in a spreadsheet; negative numbers stay numbers', () => {
    expect(csvRow(['=1+1', '+1', '@SUM(A1)', '-2+3', '\tx', '-'])).toBe(
      "'=1+1,'+1,'@SUM(A1),'-2+3,'\tx,'-\r\n",
    );
    expect(csvRow(['-0.00000001', '-12', '0', '-1e5', '-.5', '-5.'])).toBe(
      "-0.00000001,-12,0,'-1e5,'-.5,'-5.\r\n",
    );
    expect(csvRow(['=HYPERLINK("http://x","y")', '\r=1'])).toBe(
      `"'=HYPERLINK(""http://x"",""y"")","'\r=1"\r\n`,
    );
    fc.assert(
      fc.property(hostile, (cell) => {
        const [shown] = cellsOf(csvRow([cell]));
        expect(STARTS_FORMULA.test(shown!) && !/^-\d+(\.\d+)?$/.test(shown!)).toBe(false);
      }),
    );
  });
});
