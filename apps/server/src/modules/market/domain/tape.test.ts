import { createHash } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { composeIndex } from '@exchange/core/index-price.ts';
import { instant, later } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { EMPTY_TAPE, tapeFault, tapeLine, type TapeHead } from './tape.ts';

const T = instant(1_800_000_000_000);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function aTape(seconds: number): string[] {
  let head: TapeHead = EMPTY_TAPE;
  return Array.from({ length: seconds }, (_, second) => {
    const t = later(T, second * 1_000);
    const quotes = ['a', 'b', 'c'].map((id, at) => ({
      id,
      price: Decimal.ofScaled(BigInt(10_000 + second + at), 2),
      at: t,
    }));
    const line = tapeLine('btcusdt', composeIndex(t, quotes, 4), head, hashOf);
    head = line;
    return line.text;
  });
}

const fault = (lines: readonly string[]) => tapeFault(lines, EMPTY_TAPE, 4, hashOf);

describe('the tape', () => {
  it('MKT-004 has the sources, the point, the previous hash and its own hash in each line', () => {
    const [first = '', second = ''] = aTape(2);
    const [firstLine, secondLine] = [JSON.parse(first), JSON.parse(second)] as Record<string, unknown>[];
    expect(Object.keys(firstLine ?? {})).toEqual([
      'flags',
      'hash',
      'index',
      'prev',
      'seq',
      'sources',
      'symbol',
      't',
      'v',
    ]);
    expect(firstLine).toMatchObject({
      v: 1,
      seq: 1,
      t: T,
      symbol: 'btcusdt',
      index: '100.01',
      flags: [],
      prev: '0'.repeat(64),
    });
    expect(secondLine?.['prev']).toBe(firstLine?.['hash']);
    const { hash, ...content } = firstLine ?? {};
    expect(hash).toBe(hashOf(canonicalText(content)));
  });

  it('MKT-005 finds no fault in written lines', () => {
    expect(fault(aTape(60))).toBeUndefined();
    expect(fault([])).toBeUndefined();
  });

  it.each([
    [
      'a changed price',
      (lines: string[]) => lines.with(3, lines[3]?.replace('"index":"100.04"', '"index":"100.05"') ?? ''),
      '4: was changed',
    ],
    [
      'a changed source',
      (lines: string[]) => lines.with(3, lines[3]?.replace('"price":"100.03"', '"price":"100.02"') ?? ''),
      '4: was changed',
    ],
    ['a removed line', (lines: string[]) => lines.toSpliced(3, 1), '3 is followed by 5'],
    ['a repeated line', (lines: string[]) => lines.toSpliced(3, 0, lines[2] ?? ''), '3 is followed by 3'],
    [
      'two lines exchanged',
      (lines: string[]) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''),
      '3 is followed by 5',
    ],
    [
      'a line that is not canonical',
      (lines: string[]) => lines.with(3, lines[3]?.replace(':', ': ') ?? ''),
      'after 3: not a canonical line',
    ],
    ['broken text', (lines: string[]) => lines.with(3, '{'), 'after 3: not a canonical line'],
  ])('MKT-005 finds %s', (_case, tamper, expected) => {
    expect(fault(tamper(aTape(10)))).toBe(expected);
  });

  it('MKT-005 finds a forged line with a recomputed hash by the next line or by the arithmetic', () => {
    const lines = aTape(10);
    const forge = (at: number, change: (line: Record<string, unknown>) => Record<string, unknown>) => {
      const { hash: _, ...content } = JSON.parse(lines[at] ?? '') as Record<string, unknown>;
      const changed = change(content);
      return lines.with(at, canonicalText({ ...changed, hash: hashOf(canonicalText(changed)) }));
    };
    expect(fault(forge(9, (line) => ({ ...line, index: '999' })))).toBe('10: its sources give another point');
    expect(fault(forge(3, (line) => ({ ...line, v: 1, flags: ['degraded'] })))).toBe(
      '4: its sources give another point',
    );
    expect(fault(forge(9, (line) => ({ ...line, symbol: 'ethusdt' })))).toBe('10: belongs to another pair');
    expect(fault(forge(9, (line) => ({ ...line, t: T })))).toBe('10: its second is out of order');
  });
});
