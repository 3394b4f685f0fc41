import { fillWords, LOCALES, type Locale } from '@exchange/core/locale.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { AlertOrder, AlertOrderType } from '@exchange/core/price-alert.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { refusalText } from '../../../platform/refusal-text.ts';
import type { Message } from '../../messages/index.ts';
import { alertMessages } from './messages.ts';

/** Text that describes an order in a few words, by language, side and type. */
const ORDER_WORDS: Readonly<
  Record<Locale, Readonly<Record<Side, Readonly<Record<AlertOrderType, string>>>>>
> = {
  'en-US': {
    buy: {
      limit: 'Buy {{amount}} {{coin}} at {{price}} {{unit}} (limit)',
      market: 'Buy {{amount}} {{coin}} at market',
    },
    sell: {
      limit: 'Sell {{amount}} {{coin}} at {{price}} {{unit}} (limit)',
      market: 'Sell {{amount}} {{coin}} at market',
    },
  },
  'zh-CN': {
    buy: {
      limit: '限价 {{price}} {{unit}} 买入 {{amount}} {{coin}}',
      market: '市价买入 {{amount}} {{coin}}',
    },
    sell: {
      limit: '限价 {{price}} {{unit}} 卖出 {{amount}} {{coin}}',
      market: '市价卖出 {{amount}} {{coin}}',
    },
  },
  'ko-KR': {
    buy: {
      limit: '{{amount}} {{coin}} 지정가 {{price}} {{unit}} 매수',
      market: '{{amount}} {{coin}} 시장가 매수',
    },
    sell: {
      limit: '{{amount}} {{coin}} 지정가 {{price}} {{unit}} 매도',
      market: '{{amount}} {{coin}} 시장가 매도',
    },
  },
  'ja-JP': {
    buy: {
      limit: '{{amount}} {{coin}}の買い（指値 {{price}} {{unit}}）',
      market: '{{amount}} {{coin}}の買い（成行）',
    },
    sell: {
      limit: '{{amount}} {{coin}}の売り（指値 {{price}} {{unit}}）',
      market: '{{amount}} {{coin}}の売り（成行）',
    },
  },
};

/**
 * Returns the message about the order of a triggered alert: that it was placed, or why it was not. The
 * description of the order and the reason are stored in every language, because the reader's language is
 * known only when the message is read.
 */
export function orderMessage(
  { side, type, price, amount }: AlertOrder,
  { base, quote, priceDigits }: Pick<Pair, 'base' | 'quote' | 'priceDigits'>,
  outcome: { readonly orderId: string } | { readonly refusal: Refusal },
): Message {
  const { kinds } = alertMessages;
  const figures = {
    amount: amount.toString(),
    coin: base,
    price: price?.toPlaces(priceDigits) ?? '',
    unit: quote,
  };
  const line = byLocale('line', (locale) => fillWords(ORDER_WORDS[locale][side][type], figures, locale));
  const pair = `${base}/${quote}`;
  if ('orderId' in outcome)
    return {
      type: 'system',
      kind: kinds.alertOrderPlaced,
      parameters: { ...line, pair, order: outcome.orderId },
    };
  const reason = byLocale('reason', (locale) => refusalText(locale, outcome.refusal));
  return { type: 'system', kind: kinds.alertOrderRefused, parameters: { ...line, ...reason, pair } };
}

/**
 * Returns the message parameters `name@locale`, one for each language, with the texts that `textIn` returns.
 * The message shows the text in the language of its reader.
 */
function byLocale(name: string, textIn: (locale: Locale) => string): Record<string, string> {
  return Object.fromEntries(LOCALES.map((locale) => [`${name}@${locale}`, textIn(locale)]));
}
