import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Market } from '../market/index.ts';
import type { Spot } from './service.ts';

type Order = readonly [symbol: string, side: Side, amount: string];

/**
 * Orders of the demo trader at the reference price, each of which trades at once with an opposite order of the
 * exchange's own counterpart.
 */
const TRADED: readonly Order[] = [
  ['btcusdt', 'buy', '0.05'],
  ['ethusdt', 'buy', '1.2'],
  ['xrpusdt', 'sell', '800'],
  ['dogeusdt', 'buy', '6000'],
  ['ethusdt', 'sell', '0.4'],
];
/**
 * Demo orders that do not trade at once: the first stays open, the second is cancelled. The price is `part` times the
 * reference price.
 */
const RESTING = { order: ['ethusdt', 'sell', '0.6'], part: '1.07' } as const;
const CANCELED = { order: ['btcusdt', 'buy', '0.02'], part: '0.95' } as const;
/** The demo's stop order, which sells when the price falls to `part` times the reference price. */
const STOP = { order: ['btcusdt', 'sell', '0.03'], part: '0.93' } as const;
/**
 * Name of the exchange's own account that trades with the demo trader; the account also trades at random in
 * demo mode.
 */
const COUNTERPART = 'takers-1';

interface Parts {
  readonly spot: Spot;
  readonly market: Pick<Market, 'reference'>;
}

/**
 * Creates open, waiting, filled and cancelled orders of the demo trader through the same use cases as any user, each of
 * them once, however often this is called. Refuses while a pair has no reference price.
 */
export async function seedSpot({ spot, market }: Parts, { once, trader, systemUser }: Demo): Promise<void> {
  const counterpart = await systemUser(COUNTERPART);
  const at = (symbol: string, part: string, side: Side): Decimal => {
    const digits = spot.pairOf(symbol).priceDigits;
    const reference = market.reference(symbol);
    if (reference === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return reference.times(Decimal.parse(part), side === 'buy' ? 'up' : 'down', digits);
  };
  const cancel = async (owner: UserId, id: string): Promise<void> => {
    const order = spot.openOrders(owner).find((candidate) => candidate.id === id);
    if (order !== undefined) await spot.cancel(owner, order.id);
  };
  for (const [symbol, side, text] of TRADED)
    await once(`spot trade ${symbol} ${side}`, async () => {
      const amount = Decimal.parse(text);
      const price = at(symbol, '1', side);
      // Orders of other users at better prices trade before the counterpart's order, whose rest is then cancelled.
      const counterSide = side === 'buy' ? 'sell' : 'buy';
      const { id } = await spot.place(counterpart, {
        symbol,
        side: counterSide,
        type: 'limit',
        price,
        amount,
      });
      await spot.place(trader, { symbol, side, type: 'limit', price, amount, timeInForce: 'IOC' });
      await cancel(counterpart, id);
    });
  for (const { order, part } of [RESTING, CANCELED])
    await once(`spot order at ${part}`, async () => {
      const [symbol, side, amount] = order;
      const { id } = await spot.place(trader, {
        symbol,
        side,
        type: 'limit',
        price: at(symbol, part, side),
        amount: Decimal.parse(amount),
      });
      if (part === CANCELED.part) await cancel(trader, id);
    });
  const [symbol, side, amount] = STOP.order;
  await once('spot stop', () =>
    spot.place(trader, {
      symbol,
      side,
      type: 'stopMarket',
      stopPrice: at(symbol, STOP.part, side),
      amount: Decimal.parse(amount),
    }),
  );
}
