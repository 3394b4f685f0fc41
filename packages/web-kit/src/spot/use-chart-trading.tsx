import { Decimal } from '@exchange/core/decimal.ts';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useCoinCost } from '../balance/coin-costs.ts';
import { useBalancesVisible } from '../balance/balances-visible.ts';
import { useBalance } from '../balance/balances.ts';
import type { ChartActions } from '../chart/line-handles.ts';
import type { ChartPosition, LineField, ResultOf } from '../chart/price-lines.ts';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale } from '../i18n/words.ts';
import { type DepthView, useThrottledDepth } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import { notify } from '../notify.ts';
import { useCancelOrder } from './actions.ts';
import { amendableExits } from './amend-exits.ts';
import { amendableFields } from './amend-form.ts';
import { OrderMoves, useOrderMoves, withMoves } from './order-moves.tsx';
import { positionOf, resultAt } from './order-results.ts';
import { useCancelledSentences } from './order-words.ts';
import { useOpenOrders } from './queries.ts';
import type { Order } from './shapes.ts';

/** What a chart shows to a signed-in user: the user's orders, the actions on them, and the user's position. */
interface ChartTrading {
  /** The user's open orders of the pair, with the prices of the pending changes made in the chart. */
  readonly orders: readonly Order[];
  readonly actions: ChartActions;
  readonly resultOf: ResultOf;
  readonly position: ChartPosition | undefined;
  readonly notice: ReactNode;
}

const NO_ORDERS: readonly Order[] = [];
const BEST: DepthView = { rows: 1, grouping: undefined };

/**
 * Lets the user amend and cancel orders of a pair in its chart, and begin new ones; `onPlace` enters a price into the
 * order form.
 */
export function useChartTrading(pair: MarketPair, onPlace: (price: string) => void): ChartTrading {
  const sentences = useCancelledSentences();
  const latestSentences = useRef(sentences);
  useEffect(() => {
    latestSentences.current = sentences;
  });
  const openOrders = useOpenOrders({ baseCoin: pair.base, quoteCoin: pair.quote }).data ?? NO_ORDERS;
  const { moves, move, end } = useOrderMoves();
  const { mutateAsync: cancelOrder } = useCancelOrder();
  const { position, resultOf } = useResults(pair, openOrders);

  const actions = useMemo((): ChartActions => {
    const orderOf = (id: string) => openOrders.find((order) => order.id === id);
    const cancel = async (id: string): Promise<void> => {
      try {
        const order = orderOf(id);
        const cancelled = await cancelOrder(id);
        if (order !== undefined) notify.success(latestSentences.current.one(order, cancelled));
      } catch (failure) {
        notify.failure(failure);
      }
    };
    return {
      canMove: ({ id }, field) => {
        const order = orderOf(id);
        return order !== undefined && movableFields(order).includes(field);
      },
      move: ({ id }, field, price) => {
        const order = orderOf(id);
        if (order !== undefined) move(order, field, price);
      },
      cancel: ({ id }) => {
        end(id);
        void cancel(id);
      },
      place: onPlace,
    };
  }, [openOrders, move, end, cancelOrder, onPlace]);

  return {
    orders: useMemo(() => withMoves(openOrders, moves), [openOrders, moves]),
    actions,
    resultOf,
    position,
    notice: <OrderMoves moves={moves} end={end} pair={pair} orders={openOrders} />,
  };
}

/** Prices of an order that the user can change by dragging the price line in the chart. */
function movableFields(order: Order): readonly LineField[] {
  const fields: readonly string[] = [...amendableFields(order), ...amendableExits(order)];
  return (['price', 'stopPrice', 'takeProfitPrice', 'stopLossPrice'] as const).filter((field) =>
    fields.includes(field),
  );
}

/**
 * The user's position, and a function that estimates the results of the orders in the chart. The position is undefined,
 * and the function returns undefined, while the user hides the balances.
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
