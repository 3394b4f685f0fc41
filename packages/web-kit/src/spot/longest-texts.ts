import { Decimal } from '@exchange/core/decimal.ts';
import { useMemo } from 'react';
import { ASSET_DIGITS, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { impactText } from './fill-estimate.ts';
import { triggerSentence } from './order-words.ts';
import { directionOf } from './ticket-figures.ts';
import { initialTicket, type Ticket, type TicketMarket } from './ticket.ts';

/**
 * The longest texts that an order ticket can show for its fields. Layouts reserve their width and height, so that a
 * growing text does not move the button below it.
 */
export interface LongestTexts {
  /**
   * Longest text of an amount in the base coin; `quote` is the longest text of an amount in the quote coin.
   */
  readonly base: string;
  readonly quote: string;
  readonly price: string;
  /** Longest text of the price impact of a market or limit order. */
  readonly impact: string;
  /**
   * Longest sentence about the trigger; for a market order, the longest one that says that the order book is too thin;
   * empty for a limit order.
   */
  readonly sentence: string;
  /** Longest lines with the estimated results of take-profit and stop-loss. */
  readonly exits: string;
  /**
   * Longest text of both exit prices, which the ticket shows when the user types take-profit and stop-loss in percent.
   */
  readonly exitPrices: string;
}

/** Number of integer digits for which width is reserved; enough for usual amounts. */
const MOST_DIGITS = 7;
const USUAL_PRICE_DIGITS = 5;
/** The digit with the greatest printed width. */
const WIDE = '8';

/**
 * The longest texts of an order ticket for its order type and pair. They do not depend on the typed values, nor on
 * small changes of the market price.
 */
export function useLongestTexts({ side, type, by }: Ticket, { pair, reference }: TicketMarket): LongestTexts {
  const t = useWords('trade');
  const locale = useLocale();
  const priceWhole = reference === undefined ? USUAL_PRICE_DIGITS : wholeDigits(reference);
  return useMemo(() => {
    const { base, quote, priceDigits, amountDigits, filters } = pair;
    const figure = (whole: number, places: number) =>
      formatPrice(widestNumber(whole, places), locale, places);
    const amountWhole = Math.min(MOST_DIGITS, wholeDigits(filters.maxAmount));
    const price = widestNumber(priceWhole, priceDigits);
    const amount = widestNumber(amountWhole, amountDigits);
    const ticket: Ticket = {
      ...initialTicket(side, type, price),
      by,
      stopPrice: price,
      stopLimitPrice: price,
      activation: price,
      trail: '88.88',
      amount,
      total: widestNumber(MOST_DIGITS, priceDigits),
    };
    const trigger = { price: Decimal.parse(price), direction: directionOf(ticket) };
    const summary = { trigger, amount: Decimal.parse(amount) };
    const shownPrice = figure(priceWhole, priceDigits);
    const impact = impactText({ t, locale }, { slippageBps: Decimal.parse('888.8'), levels: 88 });
    const refused = t('impactRefused');
    const thinBook = t('thinBook', {
      what: `${figure(amountWhole, amountDigits)} ${base}`,
      price: shownPrice,
    });
    const isConditional = type !== 'limit' && type !== 'market';
    const result = { amount: `+${figure(MOST_DIGITS, 2)}`, coin: quote };
    const backAmount = figure(amountWhole, amountDigits);
    return {
      base: `${figure(amountWhole, ASSET_DIGITS)} ${base}`,
      quote: `${figure(MOST_DIGITS, ASSET_DIGITS)} ${quote}`,
      price: shownPrice,
      impact: impact.length > refused.length ? impact : refused,
      sentence: isConditional
        ? (triggerSentence({ t, locale }, ticket, summary, pair) ?? '')
        : type === 'market'
          ? thinBook
          : '',
      exitPrices: `${t('takeProfitShort')} ${shownPrice} / ${t('stopLossShort')} ${shownPrice}`,
      exits: [
        t('takeProfitAbout', result),
        t('stopLossAbout', result),
        ...(side === 'sell' ? [t('boughtBackAbout', { amount: backAmount, coin: base })] : []),
      ].join('\n'),
    };
  }, [t, locale, pair, priceWhole, side, type, by]);
}

function widestNumber(whole: number, places: number): string {
  return places === 0 ? WIDE.repeat(whole) : `${WIDE.repeat(whole)}.${WIDE.repeat(places)}`;
}

function wholeDigits(value: Decimal): number {
  return value.toString().split('.')[0]!.length;
}
