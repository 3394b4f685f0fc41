import { CONVERT_SPREAD, CONVERT_SPREAD_MAX, spreadOf } from '@exchange/core/convert.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { instant, SECOND_MS } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { IndexMoves } from './index-moves.ts';

const d = (text: string) => Decimal.parse(text);

/** Records index prices of BTC, one per second, the first at the second `from`. */
function record(moves: IndexMoves, prices: readonly string[], from = 0): void {
  for (const [second, price] of prices.entries())
    moves.record('BTC', { t: instant((from + second) * SECOND_MS), price: d(price) });
}

const waves = (seconds: number, low: string, high: string) =>
  Array.from({ length: seconds }, (_, second) => (second % 20 < 10 ? low : high));

describe('the moves of the index', () => {
  it('CONV-890 are zero while the index is constant, and the spread is the standard one', () => {
    const moves = new IndexMoves();
    expect(moves.meanMove('BTC').toString()).toBe('0');
    record(moves, waves(400, '100000', '100000'));
    expect(moves.meanMove('BTC').toString()).toBe('0');
    expect(spreadOf(moves.meanMove('BTC'), Decimal.zero)).toEqual(CONVERT_SPREAD);
  });

  it('CONV-890 are the mean of ten-second moves; a volatile half minute suffices', () => {
    const moves = new IndexMoves();
    record(moves, waves(400, '100000', '101000'));
    // The index alternates every ten seconds between 100,000 and 101,000, so over any ten seconds it rises by 1 % or
    // falls by 0.99 %.
    const meanMove = moves.meanMove('BTC');
    expect([meanMove.isMore(d('0.0099')), meanMove.isLess(d('0.0101'))]).toEqual([true, true]);
    const calm = new IndexMoves();
    record(calm, waves(400, '100000', '100000'));
    record(calm, waves(30, '101000', '100000'), 400);
    expect(calm.meanMove('BTC').isMore(d('0.005'))).toBe(true);
    record(calm, waves(400, '100000', '100000'), 430);
    expect(calm.meanMove('BTC').toString()).toBe('0');
  });

  it('CONV-890 the spread is the sum of both coins’ moves, at least the standard one and at most five percent', () => {
    expect(spreadOf(d('0.003'), d('0.004')).toString()).toBe('0.007');
    expect(spreadOf(d('0.0004'), d('0.0005'))).toEqual(CONVERT_SPREAD);
    expect(spreadOf(d('0.5'), d('0.5'))).toEqual(CONVERT_SPREAD_MAX);
  });

  it('CONV-890 a repeated second counts once; a late one and one without a price do not count', () => {
    const moves = new IndexMoves();
    record(moves, waves(60, '100000', '100000'));
    moves.record('BTC', { t: instant(59 * SECOND_MS), price: d('200000') });
    moves.record('BTC', { t: instant(30 * SECOND_MS), price: d('200000') });
    moves.record('BTC', { t: instant(60 * SECOND_MS), price: null });
    expect(moves.meanMove('BTC').toString()).toBe('0');
  });
});
