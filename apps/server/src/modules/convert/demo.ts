import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Demo } from '../../platform/demo.ts';
import { OUTSIDE_COINS } from '../assets/index.ts';
import type { Convert } from './service.ts';

/** What the demo's house holds of every coin, in USDT at the index. */
const INVENTORY_USDT = Decimal.parse('2000000');
/** What the demo's trader has exchanged: [paid, received, amount]. */
const OWN: readonly (readonly [from: string, to: string, amount: string])[] = [
  ['USDT', 'BTC', '500'],
  ['USDT', 'ETH', '300'],
  ['BTC', 'USDT', '0.002'],
];

/** Fills the inventory, and exchanges as the demo's trader, each once, however often the demo starts. */
export async function seedConvert(convert: Convert, demo: Demo): Promise<void> {
  for (const { currency } of convert.coins()) {
    const side = convert.side(currency);
    // Nothing of a token exists beside what its sale allocated; the inventory receives what users exchange for others.
    if (side === undefined || !OUTSIDE_COINS.has(currency)) continue;
    await demo.attempt(`convert inventory ${currency}`, () =>
      convert.fund(currency, INVENTORY_USDT.over(side.index, 'up', side.digits), 'demo'),
    );
  }
  for (const [from, to, amount] of OWN) {
    const origin = `demo:trader:${from}:${to}`;
    await demo.attempt(`convert ${from} to ${to}`, async () => {
      const [paid, received] = [convert.side(from), convert.side(to)];
      if (paid === undefined || received === undefined) throw new Refused(refusal('closed', 'l.no_index'));
      await convert.exchangeForHouse(demo.trader, paid, received, Decimal.parse(amount), origin);
    });
  }
}
