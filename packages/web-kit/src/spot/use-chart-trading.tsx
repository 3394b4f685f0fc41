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
import { type DepthShown, useCalmDepth } from '../market/live.ts';
import type { MarketPair } from '../market/pair.ts';
import { notify } from '../notify.ts';
import { useCancelOrder } from './actions.ts';
import { amendableExits } from './amend-exits.ts';
import { amendable } from './amend-form.ts';
import { OrderMoves, useOrderMoves, withMoves } from './order-moves.tsx';
import { positionOf, resultAt } from './order-results.ts';
import { useCancelledSentences } from './order-words.ts';
import { useOpenOrders } from './queries.ts';
import type { Order } from './shapes.ts';

/** What a chart shows and does for somebody who trades its pair. */
interface ChartTrading {
  /** Open orders, with the changes that wait. */
  readonly orders: readonly Order[];
  readonly actions: ChartActions;
  readonly resultOf: ResultOf;
  readonly position: ChartPosition | undefined;
  readonly notice: ReactNode;
}

const NO_ORDERS: readonly Order[] = [];
const BEST: DepthShown = { rows: 1, grouping: undefined };

/** Orders of a pair that are changed, cancelled and begun in its chart; `onPlace` takes a price into the order form. */
export function useChartTrading(pair: MarketPair, onPlace: (price: string) => void): ChartTrading {
  const sentences = useCancelledSentences();
  const latestSentences = useRef(sentences);
  useEffect(() => {
    latestSentences.current = sentences;
  });
  const open = useOpenOrders({ baseCoin: pair.base, quoteCoin: pair.quote }).data ?? NO_ORDERS;
  const { moves, move, end } = useOrderMoves();
  const { mutateAsync: cancelOrder } = useCancelOrder();
  const { position, resultOf } = useResults(pair, open);

  const actions = useMemo((): ChartActions => {
    const orderOf = (id: string) => open.find((order) => order.id === id);
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
        return order !== undefined && movable(order).includes(field);
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
  }, [open, move, end, cancelOrder, onPlace]);

  return {
    orders: useMemo(() => withMoves(open, moves), [open, moves]),
    actions,
    resultOf,
    position,
    notice: <OrderMoves moves={moves} end={end} pair={pair} orders={open} />,
  };
}

/** The prices of an order that can be changed by the call that amends it. */
function movable(order: Order): readonly LineField[] {
  const fields: readonly string[] = [...amendable(order), ...amendableExits(order)];
  return (['price', 'stopPrice', 'takeProfitPrice', 'stopLossPrice'] as const).filter((field) =>
    fields.includes(field),
  );
}

/** The own position, and what orders would earn; nothing of either where balances are hidden. */
function useResults(pair: MarketPair, orders: readonly Order[]): Pick<ChartTrading, 'position' | 'resultOf'> {
  const locale = useLocale();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const cost = useCoinCost(pair.base);
  const balance = useBalance(pair.base);
  // Once a second: each other price would have the chart draw all of its lines anew.
  const bid = useCalmDepth(pair.symbol, BEST).bids[0]?.price;
  const own = useMemo(() => ({ pair, cost }), [pair, cost]);
  const signedText = useCallback(
    (amount: Decimal): string => {
      const cut = amount.rounded(2, 'down');
      const sign = cut.isZero() ? '' : cut.isNegative() ? '−' : '+';
      return withUnit(sign + formatDecimal(cut.absolute().toString(), locale, { minDigits: 2 }), pair.quote);
    },
    [locale, pair.quote],
  );

  const resultOf = useCallback<ResultOf>(
    ({ id }, field, price) => {
      const order = isVisible ? orders.find((open) => open.id === id) : undefined;
      const result = order && resultAt(order, { field, price }, own);
      return result && signedText(result);
    },
    [isVisible, orders, own, signedText],
  );

  const ownPosition = useMemo(() => {
    if (!isVisible || balance === undefined || bid === undefined) return undefined;
    const held = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
    return positionOf(own, held, Decimal.parse(bid));
  }, [isVisible, balance, bid, own]);
  const amount =
    ownPosition && formatDecimal(ownPosition.amount.toString(), locale, { maxDigits: pair.amountDigits });
  const text = ownPosition && `${withUnit(amount ?? '', pair.base)} · ${signedText(ownPosition.profit)}`;
  const price = ownPosition?.averagePrice.toString();
  const position = useMemo(
    () => (text === undefined || price === undefined ? undefined : { averagePrice: price, text }),
    [text, price],
  );
  return { position, resultOf };
}
