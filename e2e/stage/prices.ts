import { Decimal } from '@exchange/core/decimal.ts';
import { written } from './reading.ts';

/** Decimals of a price in USDT of BTC. */
const PRICE_DIGITS = 2;
/** So far from the market, as a part of the price, is not reached by chance while a step looks at it, but soon on purpose. */
const NEAR = Decimal.parse('0.0005');
/** Never reached. */
export const FAR = Decimal.parse('0.05');

export const above = (price: Decimal, by: Decimal = NEAR): Decimal =>
  price.times(Decimal.one.plus(by), 'up', PRICE_DIGITS);
export const below = (price: Decimal, by: Decimal = NEAR): Decimal =>
  price.times(Decimal.one.minus(by), 'down', PRICE_DIGITS);

/** A price as the English site writes it: `97,000.50`. */
export function priceText(price: Decimal): string {
  const [whole = '', decimals = ''] = written(price).split('.');
  return `${whole}.${decimals.padEnd(PRICE_DIGITS, '0')}`;
}
