import type { Decimal } from '@exchange/core/decimal.ts';
import type * as cancellation from '../../cancellation.ts';
import type * as order from '../../domain/order.ts';
import type * as settlement from '../../settlement.ts';
import { planted, type PlantedBug } from './plant.ts';

type Side = Parameters<typeof settlement.settle>[0];

/** Changes the fees of a settlement and adjusts its postings to the changed fees. */
function withFees(
  { postings, ...fees }: settlement.Settlement,
  { buyerFee, sellerFee }: { buyerFee: Decimal; sellerFee: Decimal },
): settlement.Settlement {
  const changed = postings.map((posting, index) => {
    const isBase = index >= postings.length / 2;
    const change = isBase ? buyerFee.minus(fees.buyerFee) : sellerFee.minus(fees.sellerFee);
    const isFee = index % 2 === 1;
    return { ...posting, amount: isFee ? posting.amount.plus(change) : posting.amount.minus(change) };
  });
  return { postings: changed.filter(({ amount }) => amount.isPositive()), buyerFee, sellerFee };
}

const otherRate = ({ order, rate }: Side): Side => ({
  order,
  rate: rate.equals(order.takerRate) ? order.makerRate : order.takerRate,
});

/** Planted bugs in fees, holds and releases. */
export const MONEY_BUGS: readonly PlantedBug[] = [
  planted<typeof settlement>('a fee is rounded down', 'settlement.ts', ({ settle }) => ({
    settle: (buyer: Side, seller: Side, amount: Decimal, total: Decimal) =>
      withFees(settle(buyer, seller, amount, total), {
        buyerFee: amount.times(buyer.rate, 'down', 8),
        sellerFee: total.times(seller.rate, 'down', 8),
      }),
  })),
  planted<typeof settlement>(
    'makers pay the rate of takers and takers that of makers',
    'settlement.ts',
    ({ settle }) => ({
      settle: (buyer: Side, seller: Side, amount: Decimal, total: Decimal) =>
        settle(otherRate(buyer), otherRate(seller), amount, total),
    }),
  ),
  planted<typeof settlement>('each side pays the rate of the other', 'settlement.ts', ({ settle }) => ({
    settle: (buyer: Side, seller: Side, amount: Decimal, total: Decimal) =>
      settle({ ...buyer, rate: seller.rate }, { ...seller, rate: buyer.rate }, amount, total),
  })),
  planted<typeof settlement>('the fee of a seller is taken twice', 'settlement.ts', ({ settle }) => ({
    settle: (buyer: Side, seller: Side, amount: Decimal, total: Decimal) => {
      const settled = settle(buyer, seller, amount, total);
      const [first, ...rest] = settled.postings;
      return {
        ...settled,
        postings: [{ ...first!, amount: first!.amount.minus(settled.sellerFee) }, ...rest],
      };
    },
  })),
  planted<typeof cancellation>('what a better price saves is not given back', 'cancellation.ts', () => ({
    releaseExcess: () => undefined,
  })),
  planted<typeof order>('an ended order goes on holding', 'domain/order.ts', ({ neededHold }) => ({
    neededHold: (spotOrder: order.SpotOrder) =>
      spotOrder.reason === 'expired' ? spotOrder.held : neededHold(spotOrder),
  })),
  planted<typeof order>(
    'after a part fill the hold is left as it is',
    'domain/order.ts',
    ({ neededHold }) => ({
      neededHold: (resting: order.SpotOrder) =>
        resting.state === 'open' && resting.filledAmount.isPositive() ? resting.held : neededHold(resting),
    }),
  ),
  planted<typeof cancellation>(
    'a stop that buys at market holds without its guard',
    'cancellation.ts',
    ({ entryHold }) => ({
      entryHold: (market: Parameters<typeof entryHold>[0], waiting: order.SpotOrder) =>
        waiting.side === 'buy' && waiting.price === undefined && waiting.amount !== undefined
          ? waiting.stop!.price.timesExact(waiting.amount)
          : entryHold(market, waiting),
    }),
  ),
];
