import { setTimeout as pause } from 'node:timers/promises';
import { amendOrder, cancelOrder, createOco, createOrder } from '@exchange/wire/spot.ts';
import { addAlert } from '@exchange/wire/watchlist.ts';
import { TIMEOUT_MS } from './browser.ts';
import { callerOf, demoToken, type Call } from './calls.ts';

/** Data of the demo trader that screens show. */
export interface Traded {
  readonly messageId: string;
  /** An open order that was amended once. */
  readonly restingId: string;
  readonly filledId: string;
}

/** Waits until the demo's market makers have placed orders in the book. */
async function offered(call: Call): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { asks } = (await call('/huobi/getHuobiContractDepthV2', { symbol: 'btcusdt' })) as {
      asks: readonly unknown[];
    };
    if (asks.length > 0) return;
    if (Date.now() > deadline) throw new Error('Nobody offers anything.');
    await pause(100);
  }
}

/**
 * Creates an amended open order, a cancelled order, a filled order, every kind of conditional order and an alert for
 * the demo trader, with the API requests of the sites.
 */
export async function trade(origin: string): Promise<Traded> {
  const call = callerOf(origin);
  await offered(call);
  const token = await demoToken(call);
  const send = async (path: string, fields: Record<string, string>) =>
    (await call(path, { ...fields, clientId: crypto.randomUUID() }, token)) as { id: string };
  const pair = { baseCoin: 'BTC', quoteCoin: 'USDT' };
  const buy = (fields: Record<string, string>) =>
    send(createOrder.path, { ...pair, tradeType: '1', ...fields });
  const sell = (fields: Record<string, string>) =>
    send(createOrder.path, { ...pair, tradeType: '2', ...fields });

  const resting = await buy({ orderType: 'limit', price: '90000', amount: '0.02' });
  await send(amendOrder.path, { id: resting.id, price: '89900', amount: '0.03' });
  const cancelled = await buy({ orderType: 'limit', price: '91000', amount: '0.01' });
  await call(cancelOrder.path, { id: cancelled.id }, token);
  const filled = await buy({ orderType: 'market', total: '1500' });
  await sell({ orderType: 'stopLimit', stopPrice: '88000', price: '87500', amount: '0.01' });
  await sell({ orderType: 'trailing', trailPct: '5', amount: '0.01' });
  await send(createOco.path, {
    ...pair,
    tradeType: '2',
    amount: '0.01',
    limitPrice: '108000',
    stopPrice: '88000',
  });
  await send(addAlert.path, { symbol: 'btcusdt', condition: 'gte', price: '120000', channels: 'inbox' });
  const { list } = (await call('/index/getNoticePage', { pageNo: '1', pageSize: '1' }, token)) as {
    list: readonly { id: string }[];
  };
  return { messageId: list[0]?.id ?? '', restingId: resting.id, filledId: filled.id };
}
