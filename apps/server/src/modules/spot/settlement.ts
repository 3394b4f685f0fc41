import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { houseAddress, userAddress, type Posting } from '../ledger/index.ts';
import type { SpotOrder } from './order-domain.ts';

/** What one trade moves. `total` is price × amount, exact. */
export interface Settlement {
  readonly postings: readonly Posting[];
  readonly buyerFee: Decimal;
  readonly sellerFee: Decimal;
}

/**
 * The postings of a trade: the buyer's frozen quote pays the seller, the seller's frozen base goes to the
 * buyer, and each side's fee is kept from what it receives: rate × received, rounded up to 8 digits.
 */
export function settle(
  buyer: { order: SpotOrder; rate: Decimal },
  seller: { order: SpotOrder; rate: Decimal },
  amount: Decimal,
  total: Decimal,
): Settlement {
  const { base, quote } = buyer.order.pair;
  const buyerFee = feeOn(amount, buyer.rate);
  const sellerFee = feeOn(total, seller.rate);
  const paying = userAddress(buyer.order.owner, 'spot', 'frozen');
  const delivering = userAddress(seller.order.owner, 'spot', 'frozen');
  const fees = houseAddress('fees');
  const moves: Posting[] = [
    {
      source: paying,
      destination: userAddress(seller.order.owner, 'spot', 'available'),
      asset: quote,
      amount: total.minus(sellerFee),
    },
    { source: paying, destination: fees, asset: quote, amount: sellerFee },
    {
      source: delivering,
      destination: userAddress(buyer.order.owner, 'spot', 'available'),
      asset: base,
      amount: amount.minus(buyerFee),
    },
    { source: delivering, destination: fees, asset: base, amount: buyerFee },
  ];
  return { postings: moves.filter((move) => move.amount.isPositive()), buyerFee, sellerFee };
}

/** Sets funds aside for an order. */
export function hold(order: SpotOrder, amount: Decimal): Posting {
  return {
    source: userAddress(order.owner, 'spot', 'available'),
    destination: userAddress(order.owner, 'spot', 'frozen'),
    asset: order.heldAsset,
    amount,
  };
}

/** Gives back what an order no longer needs. */
export function release(order: SpotOrder, amount: Decimal): Posting {
  const { source, destination, asset } = hold(order, amount);
  return { source: destination, destination: source, asset, amount };
}
