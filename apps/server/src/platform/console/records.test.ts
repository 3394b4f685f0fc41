import { describe, expect, it } from 'vitest';
import { recordQuery } from './records.ts';

const HASH = 'AB'.repeat(32);

describe('the text that an operator searches for', () => {
  it('OPS-1143 is compared in one spelling: full width, case, spaces and invisible characters do not matter', () => {
    expect(recordQuery('  Ａnna　＠example.com ')).toMatchObject({ lower: 'anna @example.com' });
    expect(recordQuery('１２３４５６７８')?.text).toBe('12345678');
    expect(recordQuery('Ma\u200Bria \n\t Lee')?.text).toBe('Maria Lee');
    expect(recordQuery(' \u200B ')).toBeUndefined();
    expect(recordQuery('x'.repeat(1_000))?.text).toHaveLength(254);
  });

  it('OPS-1143 a transaction is found with and without its prefix, and an id in either case', () => {
    const spellings = [HASH.toLowerCase(), `0x${HASH.toLowerCase()}`];
    expect(recordQuery(HASH)?.transactions).toEqual(spellings);
    expect(recordQuery(`0x${HASH}`)?.transactions).toEqual(spellings);
    expect(recordQuery('TXabc')?.transactions).toEqual(['txabc']);
    const id = '01a20bb7-1aa9-7299-bdac-58d95d508edb';
    expect(recordQuery(id.toUpperCase())?.id).toBe(id);
    expect(recordQuery(`${id}0`)?.id).toBeUndefined();
  });
});
