import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { Side } from '@exchange/core/pair.ts';
import { buyBackAmount as coreBoughtBack, highestExitPrice } from '@exchange/core/spot-exits.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Order } from './shapes.ts';
import { positive } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket, TicketPair } from './ticket.ts';

/**
 * Estimated profit or loss if an order's take-profit or stop-loss is executed, in the quote coin and after the fees of
 * both trades. The exit of a buy order sells the bought amount; the exit of a sell order buys the base coin back.
 */
export interface ExitResults {
  readonly takeProfit: Decimal | undefined;
  readonly stopLoss: Decimal | undefined;
  /**
   * Amount of the base coin that the take-profit or stop-loss of a sell order would buy back; undefined for a buy
   * order, and while it cannot be estimated.
   */
  readonly boughtBack: Decimal | undefined;
}

/** Take-profit and stop-loss prices as typed; undefined when the order has neither. */
type TypedExits = Pick<Ticket, 'takeProfit' | 'stopLoss' | 'stopLossLimit'> | undefined;
/**
 * The trade whose position a take-profit or stop-loss closes: `amount` in the base coin, `total` in the quote
 * coin, `received` after the fee in the coin that the trade buys (base coin for a buy, quote coin for a
 * sell).
 */
export interface ExitEntry extends Pick<TicketSummary, 'received' | 'total' | 'amount'> {
  readonly side: Side;
}

/**
 * Estimates the profits of take-profit and stop-loss in the quote coin, negative for a loss, and for a sell
 * order the amount bought back. A result is undefined while its price or the amounts of the order are
 * missing.
 */
export function exitResults(exits: TypedExits, entry: ExitEntry, pair: TicketPair): ExitResults {
  return entry.side === 'buy' ? resultsOfBuy(exits, entry, pair) : resultsOfSale(exits, entry, pair);
}

function resultsOfBuy(exits: TypedExits, { received, total }: ExitEntry, pair: TicketPair): ExitResults {
  const resultOf = (text: string, rate: Decimal): Decimal | undefined => {
    const price = positive(text);
    if (price === undefined || received === undefined || total === undefined) return undefined;
    const amount = received.rounded(pair.amountDigits, 'down');
    if (!amount.isPositive()) return undefined;
    const earned = price.timesExact(amount);
    return earned.minus(feeOn(earned, rate)).minus(total);
  };
  return {
    takeProfit: resultOf(exits?.takeProfit ?? '', pair.makerFee),
    stopLoss: resultOf(exits?.stopLoss ?? '', pair.takerFee),
    boughtBack: undefined,
  };
}

const NO_RESULTS: ExitResults = { takeProfit: undefined, stopLoss: undefined, boughtBack: undefined };

function resultsOfSale(exits: TypedExits, entry: ExitEntry, pair: TicketPair): ExitResults {
  const { amount: sold, received: proceeds } = entry;
  const prices = {
    takeProfit: positive(exits?.takeProfit ?? ''),
    stopLoss: positive(exits?.stopLoss ?? ''),
    stopLossLimit: positive(exits?.stopLossLimit ?? ''),
  };
  const isKnown = prices.takeProfit !== undefined || prices.stopLoss !== undefined;
  if (!isKnown || sold === undefined || proceeds === undefined || !sold.isPositive()) return NO_RESULTS;
  const dearest = highestExitPrice(pair, pair.filters, prices);
  // If the exit price is below one tick, the highest exit price is rounded down to 0, and the amount bought back cannot
  // be calculated.
  if (!dearest.isPositive()) return NO_RESULTS;
  const boughtBack = coreBoughtBack(pair, { sold, proceeds }, dearest);
  const resultOf = (price: Decimal | undefined, rate: Decimal): Decimal | undefined => {
    if (price === undefined || !boughtBack.isPositive()) return undefined;
    const cost = price.timesExact(boughtBack);
    return proceeds.times(boughtBack, 'down').over(sold, 'down').minus(cost).minus(feeOn(cost, rate));
  };
  return {
    takeProfit: resultOf(prices.takeProfit, pair.makerFee),
    stopLoss: resultOf(prices.stopLossLimit ?? prices.stopLoss, pair.takerFee),
    boughtBack,
  };
}

/**
 * A line of text for each of take-profit and stop-loss, such as `Take profit ≈ +95.20 USDT`; for a sell order, also a
 * line with the amount bought back. Empty while nothing can be estimated.
 */
export function useExitResults(exits: TypedExits, entry: ExitEntry, pair: TicketPair): readonly string[] {
  const t = useWords('trade');
  const locale = useLocale();
  const results = exitResults(exits, entry, pair);
  const lines = (['takeProfit', 'stopLoss'] as const).flatMap((exit) => {
    const result = results[exit]?.rounded(2, 'down');
    if (result === undefined) return [];
    const sign = result.isNegative() ? '−' : '+';
    const amount = `${sign}${formatDecimal(result.absolute().toString(), locale, { minDigits: 2 })}`;
    return t(`${exit}About`, { amount, coin: pair.quote });
  });
  const { boughtBack } = results;
  if (boughtBack === undefined || lines.length === 0) return lines;
  const amount = formatDecimal(boughtBack.toString(), locale);
  return [...lines, t('boughtBackAbout', { amount, coin: pair.base })];
}

type WithExits = Pick<Order, 'takeProfitPrice' | 'stopLossPrice' | 'stopLossLimitPrice' | 'exitStatus'>;

/** Returns functions that format the prices and the status of an order's take-profit and stop-loss. */
export function useExitWords() {
  const t = useWords('trade');
  const locale = useLocale();
  const price = (text: string, digits: number) => formatPrice(text, locale, digits);
  return {
    /**
     * Returns the typed take-profit and stop-loss prices as text, such as `TP 52,000.00 / SL 48,000.00`;
     * empty if both fields are empty.
     */
    typed: ({ takeProfit, stopLoss }: Pick<Ticket, 'takeProfit' | 'stopLoss'>, digits: number): string =>
      [
        ...(takeProfit === '' ? [] : [`${t('takeProfitShort')} ${price(takeProfit, digits)}`]),
        ...(stopLoss === '' ? [] : [`${t('stopLossShort')} ${price(stopLoss, digits)}`]),
      ].join(' / '),
    /**
     * Returns the take-profit and stop-loss prices of an order as text, such as `TP 52,000.00 / SL
     * 48,000.00`; the limit price of the stop-loss, if it has one, follows after an arrow. Empty for an order
     * without either.
     */
    prices: ({ takeProfitPrice, stopLossPrice, stopLossLimitPrice }: WithExits, digits: number): string => {
      const limit = stopLossLimitPrice === '' ? '' : ` → ${price(stopLossLimitPrice, digits)}`;
      return [
        ...(takeProfitPrice === '' ? [] : [`${t('takeProfitShort')} ${price(takeProfitPrice, digits)}`]),
        ...(stopLossPrice === '' ? [] : [`${t('stopLossShort')} ${price(stopLossPrice, digits)}${limit}`]),
      ].join(' / ');
    },
    /**
     * Returns the text of the status of an order's take-profit and stop-loss, such as `Placed`, or `Not
     * placed: ` with the reason; empty for an order without either.
     */
    status: ({ exitStatus }: WithExits): string => (exitStatus === '' ? '' : t(`exits.${exitStatus}`)),
  };
}
