import { Decimal } from '@exchange/core/decimal.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Convert } from './service.ts';

/** What the demo's house holds of every coin, in USDT at the index. */
const INVENTORY_USDT = Decimal.parse('2000000');
/** What the demo's trader has exchanged: [paid, received, amount]. */
const OWN: readonly (readonly [from: string, to: string, amount: string])[] = [
  ['USDT', 'BTC', '500'],
  ['USDT', 'ETH', '300'],
  ['BTC', 'USDT', '0.002'],
];
const PRICES_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Fills the inventory, and exchanges as the demo's trader, each once, however often the demo starts. */
export async function seedConvert(convert: Convert, demo: Demo): Promise<void> {
  for (
    let waited = 0;
    convert.side('BTC') === undefined && waited < PRICES_WITHIN_MS;
    waited += LOOK_EVERY_MS
  )
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  for (const { currency } of convert.coins()) {
    const side = convert.side(currency);
    if (side === undefined) continue;
    await convert.fund(currency, INVENTORY_USDT.over(side.index, 'up', side.digits), 'demo');
  }
  for (const [from, to, amount] of OWN) {
    const [paid, received] = [convert.side(from), convert.side(to)];
    if (paid === undefined || received === undefined) continue;
    const origin = `demo:trader:${from}:${to}`;
    await convert.exchangeForHouse(demo.trader, paid, received, Decimal.parse(amount), origin);
  }
}
