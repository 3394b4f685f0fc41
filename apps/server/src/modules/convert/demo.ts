import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Demo } from '../../platform/demo.ts';
import { OUTSIDE_COINS } from '../assets/index.ts';
import type { Convert } from './service.ts';

/** Value of each coin in the demo's inventory, in USDT at the index price. */
const INVENTORY_USDT = Decimal.parse('2000000');
/** The exchanges that the demo trader makes: coin paid, coin received, amount paid. */
const EXCHANGES: readonly (readonly [from: string, to: string, amount: string])[] = [
  ['USDT', 'BTC', '500'],
  ['USDT', 'ETH', '300'],
  ['BTC', 'USDT', '0.002'],
  // The last two exchanges leave small balances of SHIB and EOS, so that the demo shows the exchange of small balances.
  ['USDT', 'SHIB', '6'],
  ['USDT', 'EOS', '4'],
];

/**
 * Raises the demo's inventory of each coin that has an index price, except tokens of the exchange's own token
 * sales, to an amount worth `INVENTORY_USDT`, and makes the exchanges of the demo trader; each exchange is
 * made only once, also after restarts.
 */
export async function seedConvert(convert: Convert, demo: Demo): Promise<void> {
  for (const { currency } of convert.coins()) {
    const side = convert.side(currency);
    // All existing tokens are allocated by their sale, so the demo's inventory is not filled with tokens; it receives
    // some when users exchange them.
    if (side === undefined || !OUTSIDE_COINS.has(currency)) continue;
    await demo.attempt(`convert inventory ${currency}`, () =>
      convert.fund(currency, INVENTORY_USDT.over(side.index, 'up', side.digits), 'demo'),
    );
  }
  for (const [from, to, amount] of EXCHANGES) {
    const origin = `demo:trader:${from}:${to}`;
    await demo.attempt(`convert ${from} to ${to}`, async () => {
      const [paid, received] = [convert.side(from), convert.side(to)];
      if (paid === undefined || received === undefined) throw new Refused(refusal('closed', 'l.no_index'));
      await convert.exchangeForDemo(demo.trader, paid, received, Decimal.parse(amount), origin);
    });
  }
}
