import { Decimal } from '@exchange/core/decimal.ts';
import { useMemo } from 'react';
import { ASSET_DIGITS, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { triggerSentence } from './order-words.ts';
import { directionOf } from './ticket-figures.ts';
import { initialTicket, type Ticket, type TicketMoment } from './ticket.ts';

/**
 * Texts as long as those of a ticket become while a person types. Their room is kept, so that no line that grows moves
 * the button below it.
 */
export interface LongestTexts {
  /** An amount with its coin. */
  readonly base: string;
  readonly quote: string;
  readonly price: string;
  /** What an order does when it triggers, or what the book lacks for one at market; empty for a limit order. */
  readonly sentence: string;
  /** The results of take-profit and stop-loss, a line each. */
  readonly exits: string;
  /** Both prices of exits that are typed in percent. */
  readonly exitPrices: string;
}

/** Digits before the point: what people trade, and what a market has besides. */
const MOST_DIGITS = 7;
const USUAL_PRICE_DIGITS = 5;
/** A digit as wide as any. */
const WIDE = '8';

/** The longest texts of a kind of ticket on a pair. They follow neither what is typed nor the small moves of a market. */
export function useLongestTexts({ side, type, by }: Ticket, { pair, reference }: TicketMoment): LongestTexts {
  const t = useWords('trade');
  const locale = useLocale();
  const priceWhole = reference === undefined ? USUAL_PRICE_DIGITS : wholeDigits(reference);
  return useMemo(() => {
    const { base, quote, priceDigits, amountDigits, filters } = pair;
    const figure = (whole: number, places: number) => formatPrice(wide(whole, places), locale, places);
    const amountWhole = Math.min(MOST_DIGITS, wholeDigits(filters.maxAmount));
    const price = wide(priceWhole, priceDigits);
    const amount = wide(amountWhole, amountDigits);
    const ticket: Ticket = {
      ...initialTicket(side, type, price),
      by,
      stopPrice: price,
      stopLimitPrice: price,
      activation: price,
      trail: '88.88',
      amount,
      total: wide(MOST_DIGITS, priceDigits),
    };
    const trigger = { price: Decimal.parse(price), direction: directionOf(ticket) };
    const summary = { trigger, amount: Decimal.parse(amount) };
    const shownPrice = figure(priceWhole, priceDigits);
    const thinBook = t('thinBook', {
      what: `${figure(amountWhole, amountDigits)} ${base}`,
      price: shownPrice,
    });
    const waits = type !== 'limit' && type !== 'market';
    const result = { amount: `+${figure(MOST_DIGITS, 2)}`, coin: quote };
    const backAmount = figure(amountWhole, amountDigits);
    return {
      base: `${figure(amountWhole, ASSET_DIGITS)} ${base}`,
      quote: `${figure(MOST_DIGITS, ASSET_DIGITS)} ${quote}`,
      price: shownPrice,
      sentence: waits
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

function wide(whole: number, places: number): string {
  return places === 0 ? WIDE.repeat(whole) : `${WIDE.repeat(whole)}.${WIDE.repeat(places)}`;
}

function wholeDigits(value: Decimal): number {
  return value.toString().split('.')[0]!.length;
}
