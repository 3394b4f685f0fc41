import { Decimal } from '@exchange/core/decimal.ts';
import { written } from './reading.ts';

/** Decimals of the BTC price in USDT. */
const PRICE_DIGITS = 2;
/** Distance from the market as a fraction of the price: not reached by chance within a step, but soon on purpose. */
const NEAR = Decimal.parse('0.0005');
/** A distance that is never reached. */
export const FAR = Decimal.parse('0.05');

export const above = (price: Decimal, by: Decimal = NEAR): Decimal =>
  price.times(Decimal.one.plus(by), 'up', PRICE_DIGITS);
export const below = (price: Decimal, by: Decimal = NEAR): Decimal =>
  price.times(Decimal.one.minus(by), 'down', PRICE_DIGITS);

/** Formats a price like the English site: `97,000.50`. */
export function priceText(price: Decimal): string {
  const [whole = '', decimals = ''] = written(price).split('.');
  return `${whole}.${decimals.padEnd(PRICE_DIGITS, '0')}`;
}
