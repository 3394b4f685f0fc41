import { setTimeout as sleep } from 'node:timers/promises';
import { marketDepth } from '@exchange/wire/market.ts';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';
import { callOver } from '../../apps/server/testing/calling.ts';
import { openAccounts, type Account } from '../../apps/server/testing/reliability/account.ts';

/** The pair whose book is kept moving. */
export const PAIR = { symbol: 'btcusdt', baseCoin: 'BTC', quoteCoin: 'USDT' } as const;

const TRADERS = 6;
const SEED = 7;
/** Of each trader: all of them together change the book well more often than it is told. */
const ACTS_EVERY_MS = 130;
const READS_EVERY_MS = 400;
/** Rows of the book near which orders are placed: those that a trading screen shows. */
const ROWS = 16;
const OPEN_MOST = 8;
/** One act in so many takes from the book, so that there are deals, candles and tickers too. */
const TAKES_ONE_IN = 8;
const TAKEN_TOTAL = '25';
const TAKEN_AMOUNT = '0.0003';

interface Touch {
  readonly bids: readonly [number, number][];
  readonly asks: readonly [number, number][];
}

export interface Flow {
  stop(): Promise<void>;
}

/** Opens traders with play money who place, cancel and take by the calls that the apps make, until stopped. */
export async function startFlow(url: string): Promise<Flow> {
  const accounts = await openAccounts([url], TRADERS, SEED);
  let touch = await readTouch(url);
  const over = new AbortController();
  const reading = (async () => {
    while (!over.signal.aborted) {
      await sleep(READS_EVERY_MS);
      touch = await readTouch(url);
    }
  })();
  const trading = accounts.map(async (account, index) => {
    const open: string[] = [];
    await sleep((index * ACTS_EVERY_MS) / TRADERS);
    while (!over.signal.aborted) {
      await act(account, open, touch);
      await sleep(ACTS_EVERY_MS);
    }
  });
  return {
    stop: async () => {
      over.abort();
      await Promise.all([reading, ...trading]);
    },
  };
}

/** Does one thing for a trader. Some of it is refused, because prices move on; the next one need not be. */
async function act(account: Account, open: string[], { bids, asks }: Touch): Promise<void> {
  const { random } = account;
  const isBuy = random.chance(0.5);
  const order = { baseCoin: PAIR.baseCoin, quoteCoin: PAIR.quoteCoin, tradeType: isBuy ? '1' : '2' } as const;
  if (random.whole(1, TAKES_ONE_IN) === 1) {
    const size = isBuy ? { total: TAKEN_TOTAL } : { amount: TAKEN_AMOUNT };
    await account.insist(createOrder, { ...order, orderType: 'market', ...size, ...clientId() });
    return;
  }
  if (open.length >= OPEN_MOST) {
    await account.insist(cancelOrder, { id: open.shift() ?? '', ...clientId() });
    return;
  }
  const side = isBuy ? bids : asks;
  const row = side[random.whole(0, Math.min(ROWS, side.length) - 1)];
  if (row === undefined) return;
  const away = random.whole(0, 20) / 100;
  const price = (row[0] + (isBuy ? -away : away)).toFixed(2);
  const amount = (random.whole(20, 90) / 1e5).toFixed(5);
  const placed = await account.insist(createOrder, { ...order, price, amount, postOnly: '1', ...clientId() });
  if (placed.code === 1) open.push(placed.data.id);
}

const clientId = () => ({ clientId: crypto.randomUUID() });

/** The best rows, once the house's market makers have put some into the book. */
async function readTouch(url: string): Promise<Touch> {
  for (;;) {
    const { data } = await callOver(url, marketDepth, { symbol: PAIR.symbol, size: String(ROWS) });
    if (data.bids.length > 0 && data.asks.length > 0) return data;
    await sleep(READS_EVERY_MS);
  }
}
