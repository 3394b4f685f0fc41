import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { AssetCode, Pair } from '@exchange/core/pair.ts';
import { type Address, type Posting, houseAddress, userAddress } from '../ledger/index.ts';
import type { SpotOrder } from './domain/order.ts';

const FEES = houseAddress('fees');

/** The postings and fees of one trade. */
export interface Settlement {
  readonly postings: readonly Posting[];
  readonly buyerFee: Decimal;
  readonly sellerFee: Decimal;
}

/**
 * The postings and fees of a trade: the buyer's frozen quote asset goes to the seller, and the seller's
 * frozen base asset goes to the buyer. Each side's fee is deducted from the received amount: rate × received,
 * rounded up to 8 digits. `total` must be exactly price × amount.
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
  const postings: Posting[] = [];
  const buyerFrozen = userAddress(buyer.order.owner, 'spot', 'frozen');
  const sellerAvailable = userAddress(seller.order.owner, 'spot', 'available');
  addPosting(postings, buyerFrozen, sellerAvailable, quote, total.minus(sellerFee));
  addPosting(postings, buyerFrozen, FEES, quote, sellerFee);
  const sellerFrozen = userAddress(seller.order.owner, 'spot', 'frozen');
  const buyerAvailable = userAddress(buyer.order.owner, 'spot', 'available');
  addPosting(postings, sellerFrozen, buyerAvailable, base, amount.minus(buyerFee));
  addPosting(postings, sellerFrozen, FEES, base, buyerFee);
  return { postings, buyerFee, sellerFee };
}

/** Adds a posting unless its amount is zero. A fee can be zero or as high as the received amount. */
function addPosting(
  postings: Posting[],
  source: Address,
  destination: Address,
  asset: AssetCode,
  amount: Decimal,
): void {
  if (amount.isPositive()) postings.push({ source, destination, asset, amount });
}

/** The posting that reserves funds for an order. */
export function hold(order: SpotOrder, amount: Decimal): Posting {
  return {
    source: userAddress(order.owner, 'spot', 'available'),
    destination: userAddress(order.owner, 'spot', 'frozen'),
    asset: order.heldAsset,
    amount,
  };
}

/** The posting that releases a part of an order's reserved funds. */
export function release(order: SpotOrder, amount: Decimal): Posting {
  return {
    source: userAddress(order.owner, 'spot', 'frozen'),
    destination: userAddress(order.owner, 'spot', 'available'),
    asset: order.heldAsset,
    amount,
  };
}

/**
 * Converts a price to ticks. A tick is the order book's unit of prices, a lot its unit of amounts, and a
 * product of ticks and lots its unit of totals; the book computes with whole numbers of these units.
 */
export function ticksOf(pair: Pair, price: Decimal): bigint {
  return price.toScaled(pair.priceDigits);
}

export function lotsOf(pair: Pair, amount: Decimal): bigint {
  return amount.toScaled(pair.amountDigits);
}

export function totalUnitsOf(pair: Pair, total: Decimal): bigint {
  return total.toScaled(pair.priceDigits + pair.amountDigits);
}

export function totalOf(pair: Pair, units: bigint): Decimal {
  return Decimal.ofScaled(units, pair.priceDigits + pair.amountDigits);
}

export function priceOf(pair: Pair, ticks: bigint): Decimal {
  return Decimal.ofScaled(ticks, pair.priceDigits);
}

export function amountOf(pair: Pair, lots: bigint): Decimal {
  return Decimal.ofScaled(lots, pair.amountDigits);
}
