import { Decimal } from '@exchange/core/decimal.ts';
import type { RunningExchange } from './exchange.ts';
import { userOf } from './stage.ts';
import { SYMBOL } from './workload.ts';

const PAUSE_MS = 5;

/** Places and cancels an order again and again until something has ended; what each placing waited, in milliseconds. */
export async function placedUntil({ spot }: RunningExchange, until: Promise<unknown>): Promise<number[]> {
  const over = new AbortController();
  void until.finally(() => over.abort());
  const waited: number[] = [];
  const terms = { price: Decimal.parse('50000'), amount: Decimal.parse('0.001'), total: undefined };
  while (!over.signal.aborted) {
    const beganMs = performance.now();
    const { id } = await spot.place(userOf(0), { symbol: SYMBOL, type: 'limit', side: 'buy', ...terms });
    waited.push(performance.now() - beganMs);
    await spot.cancel(userOf(0), id as Parameters<typeof spot.cancel>[1]);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await until;
  return waited;
}
