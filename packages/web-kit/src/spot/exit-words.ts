import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { Side } from '@exchange/core/pair.ts';
import { boughtBack as coreBoughtBack, dearestExit } from '@exchange/core/spot-exits.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Order } from './shapes.ts';
import { positive } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket, TicketPair } from './ticket.ts';

/**
 * What the exits of an order would gain or lose against what it paid or brought, in the quote coin after both fees: a buy
 * sells what it bought, a sale buys back.
 */
export interface ExitResults {
  readonly takeProfit: Decimal | undefined;
  readonly stopLoss: Decimal | undefined;
  /** How much a sale would buy back, in the base coin; undefined for a buy. */
  readonly boughtBack: Decimal | undefined;
}

/** The prices that were typed; undefined where there are no exits. */
type TypedExits = Pick<Ticket, 'takeProfit' | 'stopLoss' | 'stopLossLimit'> | undefined;
/** What the entry trades: `amount` in the base coin, `total` in the quote coin, `received` after the fee. */
export interface ExitEntry extends Pick<TicketSummary, 'received' | 'total' | 'amount'> {
  readonly side: Side;
}

/** The results of exits; undefined where prices or amounts are missing. */
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
  const dearest = dearestExit(pair, pair.filters, prices);
  // Below one tick it is rounded to none.
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
 * What each exit would bring, as `Take profit ≈ +95.20 USDT` and `Stop loss ≈ −104.80 USDT`, and of a sale how much it
 * buys back; none without figures.
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

/** How the exits of an order are called: both prices, and what became of them where that is settled. */
export function useExitWords() {
  const t = useWords('trade');
  const locale = useLocale();
  const price = (text: string, digits: number) => formatPrice(text, locale, digits);
  return {
    /** The prices of a ticket, as `TP 52,000.00 / SL 48,000.00`; empty while neither is known. */
    typed: ({ takeProfit, stopLoss }: Pick<Ticket, 'takeProfit' | 'stopLoss'>, digits: number): string =>
      [
        ...(takeProfit === '' ? [] : [`${t('takeProfitShort')} ${price(takeProfit, digits)}`]),
        ...(stopLoss === '' ? [] : [`${t('stopLossShort')} ${price(stopLoss, digits)}`]),
      ].join(' / '),
    /** `TP 52,000.00 / SL 48,000.00`; empty for an order without. */
    prices: ({ takeProfitPrice, stopLossPrice, stopLossLimitPrice }: WithExits, digits: number): string => {
      const limit = stopLossLimitPrice === '' ? '' : ` → ${price(stopLossLimitPrice, digits)}`;
      return [
        ...(takeProfitPrice === '' ? [] : [`${t('takeProfitShort')} ${price(takeProfitPrice, digits)}`]),
        ...(stopLossPrice === '' ? [] : [`${t('stopLossShort')} ${price(stopLossPrice, digits)}${limit}`]),
      ].join(' / ');
    },
    /** `Placed`, `Not placed: …`; empty for an order without. */
    status: ({ exitStatus }: WithExits): string => (exitStatus === '' ? '' : t(`exits.${exitStatus}`)),
  };
}
