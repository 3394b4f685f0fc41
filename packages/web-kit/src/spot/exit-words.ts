import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Order } from './shapes.ts';
import { positive } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import type { Ticket, TicketPair } from './ticket.ts';

/** What a buy would gain or lose if it were sold again at its take-profit or its stop-loss, in the quote coin after both fees. */
export interface ExitResults {
  readonly takeProfit: Decimal | undefined;
  readonly stopLoss: Decimal | undefined;
}

/** The prices that were typed; undefined where there are no exits. */
type TypedExits = Pick<Ticket, 'takeProfit' | 'stopLoss'> | undefined;
/** What was bought and what was paid for it. */
type Bought = Pick<TicketSummary, 'received' | 'total'>;

/** The results of exits; undefined where prices or amounts are missing. */
export function exitResults(exits: TypedExits, { received, total }: Bought, pair: TicketPair): ExitResults {
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
  };
}

/** What selling at each exit would bring, as `Take profit ≈ +95.20 USDT` and `Stop loss ≈ −104.80 USDT`; none without figures. */
export function useExitResults(exits: TypedExits, bought: Bought, pair: TicketPair): readonly string[] {
  const t = useWords('trade');
  const locale = useLocale();
  const results = exitResults(exits, bought, pair);
  return (['takeProfit', 'stopLoss'] as const).flatMap((exit) => {
    const result = results[exit]?.rounded(2, 'down');
    if (result === undefined) return [];
    const sign = result.isNegative() ? '−' : '+';
    const amount = `${sign}${formatDecimal(result.absolute().toString(), locale, { minDigits: 2 })}`;
    return t(`${exit}About`, { amount, coin: pair.quote });
  });
}

type WithExits = Pick<Order, 'takeProfitPrice' | 'stopLossPrice' | 'stopLossLimitPrice' | 'exitStatus'>;

/** How the exits of an order are called: both prices, and what became of them where that is settled. */
export function useExitWords() {
  const t = useWords('trade');
  const locale = useLocale();
  return {
    /** `TP 52,000.00 / SL 48,000.00`; empty for an order without. */
    prices: ({ takeProfitPrice, stopLossPrice, stopLossLimitPrice }: WithExits, digits: number): string => {
      const price = (text: string) => formatPrice(text, locale, digits);
      const limit = stopLossLimitPrice === '' ? '' : ` → ${price(stopLossLimitPrice)}`;
      return [
        ...(takeProfitPrice === '' ? [] : [`${t('takeProfitShort')} ${price(takeProfitPrice)}`]),
        ...(stopLossPrice === '' ? [] : [`${t('stopLossShort')} ${price(stopLossPrice)}${limit}`]),
      ].join(' / ');
    },
    /** `Placed`, `Not placed: …`; empty for an order without. */
    status: ({ exitStatus }: WithExits): string => (exitStatus === '' ? '' : t(`exits.${exitStatus}`)),
  };
}
