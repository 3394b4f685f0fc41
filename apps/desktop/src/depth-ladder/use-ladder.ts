import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { steadyNow } from '@exchange/web-kit/clock.ts';
import { useBestPrices, useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { countCancellable, entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { ownRows } from '@exchange/web-kit/spot/own-amounts.ts';
import { useOpenOrders, type Order } from '@exchange/web-kit/spot/queries.ts';
import { isWaiting } from '@exchange/web-kit/spot/shapes.ts';
import { useOrderEdits } from '@exchange/web-kit/spot/use-order-edits.tsx';
import { type ClickOrder, usePricePlacing } from '@exchange/web-kit/spot/use-price-placing.ts';
import { useTicketMarket } from '@exchange/web-kit/spot/use-ticket.ts';
import { isRecord, parseJson, readStored, store } from '@exchange/web-kit/storage.ts';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useShortcutsOn } from '../keyboard/use-shortcuts.ts';
import {
  GROUPINGS,
  ownMarks,
  priceOfRow,
  stepOf,
  usualGrouping,
  type Grouping,
  type OwnMark,
} from './ladder-rows.ts';
import { useArmed } from './use-armed.ts';
import { rowHeight, useLadderWindow, type LadderView } from './use-ladder-window.ts';

/**
 * Functions that the rows of the ladder call when the user clicks a row, or cancels or drags orders in it.
 */
export interface RowActions {
  /**
   * Called when the user clicks the bids or the asks of a row (`side`), or its price (`side` is undefined). While
   * click-to-place is on, a click on a side places an order and a click on the price places none; while it is off, any
   * click passes the row's price to the order ticket.
   */
  readonly pick: (row: bigint, side: Side | undefined) => void;
  readonly cancel: (ids: readonly string[]) => void;
  /** Called when the user has dragged the orders of one row to the row `row`, whose price they get. */
  readonly move: (ids: readonly string[], row: bigint) => void;
}

/** The state of a depth ladder and the functions that change it, as `useLadder` returns them. */
export type Ladder = ReturnType<typeof useLadder>;

const NO_CHOICE: ClickOrder = { size: { by: 'amount', amount: '' }, postOnly: false };

/**
 * Hook with the state of the depth ladder of a pair and the functions that change it; `box` is the element
 * that contains its rows.
 */
export function useLadder(
  pair: MarketPair,
  box: RefObject<HTMLElement | null>,
  onPickPrice: ((price: string) => void) | undefined,
) {
  const gridId = useId();
  const price = useMiddlePrice(pair.symbol);
  const { ticks, setTicks, step } = useGrouping(pair, price);
  const [rowPx] = useState(rowHeight);
  const [isPointed, setPointed] = useState(false);
  const [cursor, setCursor] = useState<bigint>();
  const [chosen, setChosen] = useState(NO_CHOICE);
  const [isCancellingAll, setCancellingAll] = useState(false);
  const view = useLadderWindow(box, { step, rowPx, price, isHeld: isPointed });
  const armed = useArmed(pair.status === 'open');
  const market = useTicketMarket(pair);
  const { placeAt, far, isPlacing } = usePricePlacing(market, pair, chosen);
  const edits = useOrderEdits(pair);
  const cancellable = useCancellable(pair);
  const own = useOwnMarks(edits.orders, ticks === 1 ? undefined : step);
  const isFirst = useOncePerMoment();

  const priceAt = (row: bigint): string | undefined => priceOfRow(row, step)?.toString();
  const place = (side: Side, row: bigint): void => {
    const rowPrice = priceAt(row);
    if (rowPrice !== undefined && isFirst()) placeAt(side, rowPrice);
  };
  const actions: RowActions = {
    pick: (row, side) => {
      setCursor(row);
      if (armed.use()) {
        if (side !== undefined) place(side, row);
      } else if (!armed.isArmed) onPickPrice?.(priceAt(row) ?? '');
    },
    cancel: (ids) => {
      armed.use();
      for (const id of ids) edits.cancel(id);
    },
    move: (ids, row) => {
      armed.use();
      const rowPrice = priceAt(row);
      if (rowPrice === undefined) return;
      for (const id of ids) if (edits.canMove(id, 'price')) edits.move(id, 'price', rowPrice);
    },
  };
  const handleKeyDown = useLadderKeys({
    cursor,
    setCursor,
    view,
    isArmed: armed.isArmed,
    place: (side, row) => {
      if (armed.use()) place(side, row);
    },
    cancelAt: (row) => {
      const ids = [own.buys, own.sells].flatMap((marks) => marks.get(priceAt(row) ?? '')?.ids ?? []);
      if (ids.length > 0) actions.cancel(ids);
    },
    cancelAll: () => setCancellingAll(cancellable > 0),
  });
  return {
    gridId,
    price,
    ticks,
    setTicks,
    step,
    rowPx,
    view,
    cursor,
    setPointed,
    armed,
    chosen,
    choose: (next: ClickOrder) => {
      armed.use();
      setChosen(next);
    },
    market,
    far,
    isPlacing,
    own,
    notice: edits.notice,
    actions: useStable(actions),
    handleKeyDown,
    cancellable,
    isCancellingAll,
    setCancellingAll,
  };
}

/**
 * Hook that returns row actions whose function identities never change. Each calls the function of the last
 * render, so that new functions do not render the rows again.
 */
function useStable(actions: RowActions): RowActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      pick: (row, side) => latest.current.pick(row, side),
      cancel: (ids) => latest.current.cancel(ids),
      move: (ids, row) => latest.current.move(ids, row),
    }),
    [],
  );
}

/**
 * Hook that returns the price around which the ladder centres: the last price, without trades the best bid,
 * and without bids the best ask; undefined without any.
 */
function useMiddlePrice(symbol: string): Decimal | undefined {
  const last = useLastPrice(symbol);
  const { bids, asks } = useBestPrices(symbol);
  const text = last ?? bids ?? asks;
  return useMemo(() => (text === undefined ? undefined : Decimal.tryParse(text)), [text]);
}

const STEPS_KEY = 'depth-ladder-ticks';

/**
 * Hook that returns the price step of the pair's rows, also as a number of ticks, and the function that
 * changes it and stores the choice on this device. Until the user has chosen a step, it is the usual one for
 * the price.
 */
function useGrouping({ symbol, tickSize }: MarketPair, price: Decimal | undefined) {
  const [chosenTicks, setChosenTicks] = useState(() => storedTicks().get(symbol));
  // Without a price step that the user has chosen for this pair, the ladder uses the usual step for the first
  // known price; later prices do not change the step while the user looks at the rows.
  const [usualTicks, setUsualTicks] = useState<Grouping>();
  if (usualTicks === undefined && price !== undefined) setUsualTicks(usualGrouping(tickSize, price));
  const ticks = chosenTicks ?? usualTicks ?? 1;
  return {
    ticks,
    step: useMemo(() => stepOf(tickSize, ticks), [tickSize, ticks]),
    setTicks: (nextTicks: Grouping) => {
      setChosenTicks(nextTicks);
      store(STEPS_KEY, JSON.stringify(Object.fromEntries(storedTicks().set(symbol, nextTicks))));
    },
  };
}

function storedTicks(): Map<string, Grouping> {
  const stored = parseJson(readStored(STEPS_KEY));
  const entries = isRecord(stored) ? Object.entries(stored) : [];
  return new Map(
    entries.flatMap(([symbol, value]) => {
      const ticks = GROUPINGS.find((grouping) => grouping === value);
      return ticks === undefined ? [] : [[symbol, ticks] as const];
    }),
  );
}

/**
 * Hook that returns, for buys and for sells, the total unfilled amount and the ids of the user's orders on
 * the book by the price of their row; `grouping` is undefined for rows of one tick.
 */
function useOwnMarks(orders: readonly Order[], grouping: Decimal | undefined) {
  return useMemo(() => {
    const resting = orders.filter((order) => !isWaiting(order));
    const marksOf = (side: 'bids' | 'asks'): ReadonlyMap<string, OwnMark> =>
      ownMarks(ownRows(resting, side, grouping));
    return { buys: marksOf('bids'), sells: marksOf('asks') };
  }, [orders, grouping]);
}

/**
 * Hook that returns the number of the pair's open orders that "cancel all" cancels. The orders of one order
 * list, such as an OCO, count once.
 */
function useCancellable({ base, quote }: MarketPair): number {
  const { resting, waiting } = useOpenOrders({ baseCoin: base, quoteCoin: quote });
  return useMemo(() => countCancellable(entriesOf(resting, waiting), ''), [resting, waiting]);
}

/** Milliseconds after a click or key that places an order, in which further clicks and keys place none. */
export const ONCE_MS = 300;

/** Hook that returns a function that returns true, except within `ONCE_MS` after it last returned true. */
function useOncePerMoment(): () => boolean {
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(() => {
    const now = steadyNow();
    if (now - lastAt.current < ONCE_MS) return false;
    lastAt.current = now;
    return true;
  }, []);
}

interface LadderKeys {
  readonly cursor: bigint | undefined;
  readonly setCursor: (row: bigint) => void;
  readonly view: LadderView;
  readonly isArmed: boolean;
  readonly place: (side: Side, row: bigint) => void;
  readonly cancelAt: (row: bigint) => void;
  readonly cancelAll: () => void;
}

/** Number of rows by which Page Up and Page Down move the cursor. */
const PAGE_ROWS = 10;

/**
 * Hook that returns the handler of key presses while the ladder has the focus. Letters act only while
 * shortcuts are on; those that place an order act only while clicks place orders and the cursor is at a
 * visible price.
 */
function useLadderKeys({ cursor, setCursor, view, isArmed, place, cancelAt, cancelAll }: LadderKeys) {
  const isOn = useShortcutsOn();
  const moveCursor = (rows: number): void => {
    const start = view.lastRow ?? view.numbers[view.numbers.length >> 1];
    const next = cursor === undefined ? start : cursor + BigInt(rows);
    if (next === undefined || next <= 0n) return;
    setCursor(next);
    view.show(next);
  };
  const placeAtCursor = (side: Side): void => {
    if (cursor === undefined) return;
    // The key places an order only while the row of the cursor is visible; otherwise it only scrolls to that
    // row.
    if (view.numbers.includes(cursor)) place(side, cursor);
    else view.show(cursor);
  };
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = new Map<string, () => void>([
      ['ArrowUp', () => moveCursor(1)],
      ['ArrowDown', () => moveCursor(-1)],
      ['PageUp', () => moveCursor(PAGE_ROWS)],
      ['PageDown', () => moveCursor(-PAGE_ROWS)],
    ]);
    if (event.shiftKey) keys.set('Delete', cancelAll);
    else if (cursor !== undefined) keys.set('Delete', () => cancelAt(cursor));
    if (isOn) keys.set('c', view.centre);
    if (isOn && isArmed) {
      // The repeated key events of a key that is held down place no further orders.
      keys.set('b', () => (event.repeat ? undefined : placeAtCursor('buy')));
      keys.set('s', () => (event.repeat ? undefined : placeAtCursor('sell')));
    }
    const act = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
}
