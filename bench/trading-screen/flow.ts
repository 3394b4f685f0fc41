import { setTimeout as sleep } from 'node:timers/promises';
import { marketDepth } from '@exchange/wire/market.ts';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';
import { callOver } from '../../apps/server/testing/calling.ts';
import { openAccounts, type Account } from '../../apps/server/testing/reliability/account.ts';

/** The pair whose order book changes. */
export const PAIR = { symbol: 'btcusdt', baseCoin: 'BTC', quoteCoin: 'USDT' } as const;

const TRADERS = 6;
const SEED = 7;
/**
 * Milliseconds between two actions of one trader. All traders together change the book more often than the feed
 * publishes it.
 */
const ACTIONS_EVERY_MS = 130;
const READS_EVERY_MS = 400;
/** Number of best rows of each side among which orders are placed, so that a trading screen shows the orders. */
const ROWS = 16;
const OPEN_MOST = 8;
/**
 * On average one of this many actions is an order that trades immediately, so that trades, candles and tickers change
 * too.
 */
const TAKES_ONE_IN = Number(process.env['TAKES_ONE_IN'] ?? 8);
const TAKEN_TOTAL = '25';
const TAKEN_AMOUNT = '0.0003';

interface BestRows {
  readonly bids: readonly [number, number][];
  readonly asks: readonly [number, number][];
}

export interface Flow {
  stop(): Promise<void>;
}

/**
 * Opens accounts of traders with demo funds. Until `stop` of the returned object is called, the traders place
 * orders that rest in the book, cancel them, and place orders that trade immediately, all with the API calls
 * of the apps.
 */
export async function startFlow(url: string): Promise<Flow> {
  const accounts = await openAccounts([url], TRADERS, SEED);
  let bestRows = await readBestRows(url);
  const ended = new AbortController();
  const reading = (async () => {
    while (!ended.signal.aborted) {
      await sleep(READS_EVERY_MS);
      bestRows = await readBestRows(url);
    }
  })();
  const trading = accounts.map(async (account, index) => {
    const open: string[] = [];
    await sleep((index * ACTIONS_EVERY_MS) / TRADERS);
    while (!ended.signal.aborted) {
      await performAction(account, open, bestRows);
      await sleep(ACTIONS_EVERY_MS);
    }
  });
  return {
    stop: async () => {
      ended.abort();
      await Promise.all([reading, ...trading]);
    },
  };
}

/**
 * Performs one random action of a trader: places a market order, cancels the oldest order in `open` if it has
 * `OPEN_MOST` orders, or places a post-only limit order and adds its id to `open`. Some actions are refused
 * because prices have changed.
 */
async function performAction(account: Account, open: string[], { bids, asks }: BestRows): Promise<void> {
  const { random } = account;
  const isBuy = random.chance(0.5);
  const order = { baseCoin: PAIR.baseCoin, quoteCoin: PAIR.quoteCoin, tradeType: isBuy ? '1' : '2' } as const;
  if (random.whole(1, TAKES_ONE_IN) === 1) {
    const size = isBuy ? { total: TAKEN_TOTAL } : { amount: TAKEN_AMOUNT };
    await account.requestWithRetries(createOrder, { ...order, orderType: 'market', ...size, ...clientId() });
    return;
  }
  if (open.length >= OPEN_MOST) {
    await account.requestWithRetries(cancelOrder, { id: open.shift() ?? '', ...clientId() });
    return;
  }
  const side = isBuy ? bids : asks;
  const row = side[random.whole(0, Math.min(ROWS, side.length) - 1)];
  if (row === undefined) return;
  const away = random.whole(0, 20) / 100;
  const price = (row[0] + (isBuy ? -away : away)).toFixed(2);
  const amount = (random.whole(20, 90) / 1e5).toFixed(5);
  const placed = await account.requestWithRetries(createOrder, {
    ...order,
    price,
    amount,
    postOnly: '1',
    ...clientId(),
  });
  if (placed.code === 1) open.push(placed.data.id);
}

const clientId = () => ({ clientId: crypto.randomUUID() });

/**
 * Returns the best rows of the book as soon as both sides have orders, which the demo's market makers place.
 */
async function readBestRows(url: string): Promise<BestRows> {
  for (;;) {
    const { data } = await callOver(url, marketDepth, { symbol: PAIR.symbol, size: String(ROWS) });
    if (data.bids.length > 0 && data.asks.length > 0) return data;
    await sleep(READS_EVERY_MS);
  }
}
