import { setTimeout as pause } from 'node:timers/promises';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';

/** What the demo trader has that screens show. */
export interface Traded {
  readonly messageId: string;
}

/** Waits until the house's market makers, who begin when the exchange is open, have put offers into the book. */
async function offered(origin: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const response = await fetch(`${origin}/bb/app/huobi/getHuobiContractDepthV2`, {
      method: 'POST',
      body: new URLSearchParams({ symbol: 'btcusdt' }),
    });
    const { tick } = (await response.json()) as { tick?: { asks: readonly unknown[] } };
    if (tick !== undefined && tick.asks.length > 0) return;
    if (Date.now() > deadline) throw new Error('Nobody offers anything.');
    await pause(100);
  }
}

/** Gives the demo trader an open order, a cancelled one and a fill, by the same calls the sites make. */
export async function trade(origin: string): Promise<Traded> {
  const call = async (path: string, fields: Record<string, string>, token = ''): Promise<unknown> => {
    const response = await fetch(`${origin}/bb/app${path}`, {
      method: 'POST',
      headers: { 'X-Access-Token': token },
      body: new URLSearchParams(fields),
    });
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: unknown };
    if (code !== 1) throw new Error(`${path} was refused: ${msg}`);
    return data;
  };
  await offered(origin);
  const { token } = (await call('/user/demoLogin', {})) as { token: string };
  const order = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1' };
  const place = (fields: Record<string, string>) =>
    call(createOrder.path, { ...order, ...fields, clientId: crypto.randomUUID() }, token);
  await place({ orderType: 'limit', price: '90000', amount: '0.02' });
  const { id } = (await place({ orderType: 'limit', price: '91000', amount: '0.01' })) as { id: string };
  await call(cancelOrder.path, { id, clientId: crypto.randomUUID() }, token);
  await place({ orderType: 'market', total: '1500' });
  const { list } = (await call('/index/getNoticePage', { pageNo: '1', pageSize: '1' }, token)) as {
    list: readonly { id: string }[];
  };
  return { messageId: list[0]?.id ?? '' };
}
