import { Decimal } from '@exchange/core/decimal.ts';
import type { RunningExchange } from './exchange.ts';
import { userOf } from './fixtures.ts';
import { SYMBOL } from './workload.ts';

const PAUSE_MS = 5;

/**
 * Repeatedly places and cancels an order until `until` settles. Returns the duration of each placement in milliseconds.
 */
export async function placeUntil({ spot }: RunningExchange, until: Promise<unknown>): Promise<number[]> {
  const ended = new AbortController();
  void until.finally(() => ended.abort());
  const latenciesMs: number[] = [];
  const terms = { price: Decimal.parse('50000'), amount: Decimal.parse('0.001'), total: undefined };
  while (!ended.signal.aborted) {
    const startMs = performance.now();
    const { id } = await spot.place(userOf(0), { symbol: SYMBOL, type: 'limit', side: 'buy', ...terms });
    latenciesMs.push(performance.now() - startMs);
    await spot.cancel(userOf(0), id as Parameters<typeof spot.cancel>[1]);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await until;
  return latenciesMs;
}
