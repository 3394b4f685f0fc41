import { Decimal } from '@exchange/core/decimal.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { AlertCondition } from '@exchange/core/price-alert.ts';
import { timeText } from '../../../platform/time-text.ts';
import type { Message } from '../../messages/index.ts';
import type { AlertChange } from '../domain/alert.ts';

const KINDS = { gte: 'priceRose', lte: 'priceFell', pct: 'priceMoved' } as const satisfies Record<
  AlertCondition,
  Message['kind']
>;
const HUNDRED = Decimal.ofWhole(100);
const PERCENT_DIGITS = 2;

/** Ends the letter that tells of an alert. */
export const LETTER_CLOSING: Readonly<Record<Locale, string>> = {
  'en-US':
    'You chose email notifications when you set this price alert. You can remove alerts on the pair’s page. Nothing needs to be done.\n\nAmethyst',
  'zh-CN': '您在设置此价格提醒时选择了邮件通知，可在交易对页面删除提醒。您无需进行任何操作。\n\nAmethyst',
};

/** What the owner of an alert is told: the pair, the price that was reached and what was asked for. */
export function alertMessage({ before, point }: AlertChange, pair: Pair): Message {
  const { condition, price, from } = before;
  const priceText = (value: Decimal) => value.toPlaces(pair.priceDigits);
  return {
    type: 'system',
    kind: KINDS[condition],
    parameters: {
      pair: `${pair.base}/${pair.quote}`,
      unit: pair.quote,
      price: priceText(point.price),
      limit: condition === 'pct' ? price.toString() : priceText(price),
      from: priceText(from),
      percent: percentText(from, point.price),
      time: timeText(point.at),
    },
  };
}

/** The change between two prices in percent, signed and cut to two decimals. */
function percentText(from: Decimal, to: Decimal): string {
  const change = to.minus(from).times(HUNDRED, 'down').over(from, 'down', PERCENT_DIGITS);
  return change.isNegative() ? `−${change.absolute()}` : `+${change}`;
}
