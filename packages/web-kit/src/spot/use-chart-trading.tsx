import { Decimal } from '@exchange/core/decimal.ts';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useCoinCost } from '../balance/coin-costs.ts';
import { useBalancesVisible } from '../balance/balances-visible.ts';
import { useBalance } from '../balance/balances.ts';
import type { ChartActions } from '../chart/line-handles.ts';
import type { ChartPosition, ResultOf } from '../chart/price-lines.ts';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale } from '../i18n/words.ts';
import { type DepthView, useThrottledDepth } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import { positionOf, resultAt } from './order-results.ts';
import type { Order } from './shapes.ts';
import { useOrderEdits } from './use-order-edits.tsx';

/** What a chart shows to a signed-in user: the user's orders, the actions on them, and the user's position. */
interface ChartTrading {
  /** The user's open orders of the pair, with the prices of the pending changes made in the chart. */
  readonly orders: readonly Order[];
  readonly actions: ChartActions;
  readonly resultOf: ResultOf;
  readonly position: ChartPosition | undefined;
  readonly notice: ReactNode;
}

const BEST: DepthView = { rows: 1, grouping: undefined };

/**
 * Lets the user amend and cancel orders of a pair in its chart, and begin new ones; `onPlace` enters a price into the
 * order form.
 */
export function useChartTrading(pair: MarketPair, onPlace: (price: string) => void): ChartTrading {
  const { openOrders, orders, canMove, move, cancel, notice } = useOrderEdits(pair);
  const { position, resultOf } = useResults(pair, openOrders);
  const actions = useMemo(
    (): ChartActions => ({
      canMove: ({ id }, field) => canMove(id, field),
      move: ({ id }, field, price) => move(id, field, price),
      cancel: ({ id }) => cancel(id),
      place: onPlace,
    }),
    [canMove, move, cancel, onPlace],
  );
  return { orders, actions, resultOf, position, notice };
}

/**
 * The user's position, and a function that estimates the result of an order in the chart. The position and the
 * function's result are undefined if they are unknown, and while the user hides the balances.
 */
function useResults(pair: MarketPair, orders: readonly Order[]): Pick<ChartTrading, 'position' | 'resultOf'> {
  const locale = useLocale();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const cost = useCoinCost(pair.base);
  const balance = useBalance(pair.base);
  // The best bid is updated at most once a second, because each new price redraws all lines of the chart.
  const bid = useThrottledDepth(pair.symbol, BEST).bids[0]?.price;
  const holding = useMemo(() => ({ pair, cost }), [pair, cost]);
  const signedText = useCallback(
    (amount: Decimal): string => {
      const rounded = amount.rounded(2, 'down');
      const sign = rounded.isZero() ? '' : rounded.isNegative() ? '−' : '+';
      return withUnit(
        sign + formatDecimal(rounded.absolute().toString(), locale, { minDigits: 2 }),
        pair.quote,
      );
    },
    [locale, pair.quote],
  );

  const resultOf = useCallback<ResultOf>(
    ({ id }, field, price) => {
      const order = isVisible ? orders.find((openOrder) => openOrder.id === id) : undefined;
      const result = order && resultAt(order, { field, price }, holding);
      return result && signedText(result);
    },
    [isVisible, orders, holding, signedText],
  );

  const holdingPosition = useMemo(() => {
    if (!isVisible || balance === undefined || bid === undefined) return undefined;
    const total = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
    return positionOf(holding, total, Decimal.parse(bid));
  }, [isVisible, balance, bid, holding]);
  const amount =
    holdingPosition &&
    formatDecimal(holdingPosition.amount.toString(), locale, { maxDigits: pair.amountDigits });
  const text =
    holdingPosition && `${withUnit(amount ?? '', pair.base)} · ${signedText(holdingPosition.profit)}`;
  const price = holdingPosition?.averagePrice.toString();
  const position = useMemo(
    () => (text === undefined || price === undefined ? undefined : { averagePrice: price, text }),
    [text, price],
  );
  return { position, resultOf };
}
