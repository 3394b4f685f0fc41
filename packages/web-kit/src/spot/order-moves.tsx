import { Decimal } from '@exchange/core/decimal.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { LineField } from '../chart/price-lines.ts';
import { useLineWords } from '../chart/price-lines.ts';
import { serverNow } from '../clock.ts';
import { formatPrice } from '../format/format.ts';
import { useSecondsLeft } from '../format/remaining.tsx';
import { refusalText, useLocale, useWords } from '../i18n/words.ts';
import type { MarketPair } from '../market/pair.ts';
import { notify } from '../notify.ts';
import { signedIn } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import {
  amendFormProblem,
  amendPayloadOf,
  initialAmend,
  summariseAmend,
  type AmendForm,
} from './amend-form.ts';
import css from './order-moves.module.css';
import type { Order } from './shapes.ts';
import { useAmendSubmit } from './use-amend.ts';
import { useTicketMarket } from './use-ticket.ts';

/**
 * Milliseconds after which a price change of an order made in the chart or on the price ladder is sent, unless the user
 * has undone it or sent it before.
 */
export const UNDO_MS = 5_000;
/**
 * A change whose request has been due for more than this many milliseconds is not sent, because the device has slept
 * meanwhile.
 */
const LATE_MS = 10_000;
/**
 * Maximum number of milliseconds, after the server's response, for which a price line stays at its new price while the
 * feed has not delivered the amended order.
 */
const SETTLE_MS = 3_000;

/**
 * A price change of an open order that the user has made in the chart or on the price ladder. It ends when the user
 * undoes it, makes another change of the order or cancels the order, when it fails, or after the server's response,
 * when the feed has delivered the amended order or `SETTLE_MS` have passed.
 */
interface OrderMove {
  readonly id: string;
  readonly field: LineField;
  readonly price: string;
  /** Time at which the user made the change, in milliseconds UTC by the clock of the server. */
  readonly startedAt: number;
}

interface OrderMovesControl {
  readonly moves: readonly OrderMove[];
  /**
   * Makes a change of an order pending and starts its undo delay; an earlier pending change of the same order is
   * replaced. If `price` is the order's current price, only removes the pending change.
   */
  readonly move: (order: Order, field: LineField, price: string) => void;
  /** Removes the pending change of an order, which is then drawn at its current price. */
  readonly end: (id: string) => void;
}

const NO_MOVES: readonly OrderMove[] = [];
/** The changes whose request has been sent, whether the server has answered it or not. */
const sentMoves = new WeakSet<OrderMove>();

/**
 * The changes of orders that the user has made in the chart or on the price ladder and that have not ended. Changes
 * that have not been sent are lost when the component unmounts; the user is then notified, unless signed out.
 */
export function useOrderMoves(): OrderMovesControl {
  const t = useWords('chart');
  const [moves, setMoves] = useState(NO_MOVES);
  const latest = useRef({ moves, text: '' });
  useEffect(() => {
    latest.current = { moves, text: t('moveDropped') };
  });
  useEffect(
    () => () => {
      const { moves: pendingMoves, text } = latest.current;
      if (pendingMoves.some((move) => !sentMoves.has(move)) && signedIn()) notify.warning(text);
    },
    [],
  );
  const end = useCallback((id: string): void => {
    setMoves((previous) => previous.filter((move) => move.id !== id));
  }, []);
  const move = useCallback((order: Order, field: LineField, price: string): void => {
    const isUnchanged = isSamePrice(order[field], price);
    const next = { id: order.id, field, price, startedAt: serverNow() };
    setMoves((previous) => [...previous.filter(({ id }) => id !== order.id), ...(isUnchanged ? [] : [next])]);
  }, []);
  return { moves, move, end };
}

function isSamePrice(left: string, right: string): boolean {
  const [leftPrice, rightPrice] = [Decimal.tryParse(left), Decimal.tryParse(right)];
  return leftPrice !== undefined && rightPrice !== undefined && leftPrice.equals(rightPrice);
}

/**
 * Returns the open orders as the chart and the price ladder draw them, that is with the prices of their
 * pending changes.
 */
export function withMoves(orders: readonly Order[], moves: readonly OrderMove[]): readonly Order[] {
  if (moves.length === 0) return orders;
  const byId = new Map(moves.map((move) => [move.id, move]));
  return orders.map((order) => {
    const move = byId.get(order.id);
    return move === undefined ? order : { ...order, [move.field]: move.price };
  });
}

interface OrderMovesProps extends Pick<OrderMovesControl, 'moves' | 'end'> {
  readonly pair: MarketPair;
  /** Open orders of the pair, with their current prices. */
  readonly orders: readonly Order[];
}

/**
 * List of the pending changes of orders in the chart or on the price ladder. Each shows its effect and the remaining
 * undo delay, with buttons to undo it and to send it immediately.
 */
export function OrderMoves({ moves, end, pair, orders }: OrderMovesProps) {
  const t = useWords('chart');
  return (
    <div className={css.moves} role="group" aria-label={t('moves')} hidden={moves.length === 0}>
      {moves.map((move) => (
        <WaitingMove
          key={move.id}
          move={move}
          pair={pair}
          order={orders.find(({ id }) => id === move.id)}
          onEnd={() => end(move.id)}
        />
      ))}
    </div>
  );
}

interface WaitingMoveProps {
  readonly move: OrderMove;
  readonly pair: MarketPair;
  /** The order that the change concerns; undefined when the order is no longer open. */
  readonly order: Order | undefined;
  readonly onEnd: () => void;
}

function WaitingMove({ move, pair, order, onEnd }: WaitingMoveProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const lineWords = useLineWords();
  const control = useWaitingMove(move, { pair, order, onEnd });
  const seconds = useSecondsLeft(move.startedAt + UNDO_MS);
  if (order === undefined || control.state === 'sent') return null;
  const price = (text: string) => formatPrice(text, locale, pair.priceDigits);
  const { field } = move;
  const isExit = field === 'takeProfitPrice' || field === 'stopLossPrice';
  return (
    <div className={css.move} data-side={order.tradeType === 1 && !isExit ? 'buy' : 'sell'}>
      <p role="status" className={css.what}>
        {t('moved', {
          order: isExit ? lineWords.exit(order, field) : lineWords.order(order),
          before: price(order[field]),
          after: price(move.price),
        })}
        {control.warning !== undefined && <strong> {control.warning}</strong>}
      </p>
      <span className={css.wait} aria-hidden="true">
        {t('moveIn', { seconds })}
      </span>
      <Button size="s" look="secondary" disabled={control.state !== 'waiting'} onClick={onEnd}>
        {t('moveUndo')}
      </Button>
      <Button size="s" busy={control.state === 'sending'} onClick={control.send}>
        {t('moveNow')}
      </Button>
    </div>
  );
}

type MoveSurroundings = Pick<WaitingMoveProps, 'pair' | 'order' | 'onEnd'>;

/**
 * State of one price change of an order, from the moment at which the user drops the order's line at a new price until
 * the server's response. A change that the page's checks refuse ends at once. Otherwise the change is sent after the
 * undo delay, or when the user presses send. If by then the order is no longer open, the page's checks refuse the
 * change, or the request is overdue by more than `LATE_MS`, the change is not sent but ends, and the user is notified.
 */
function useWaitingMove(move: OrderMove, { pair, order, onEnd }: MoveSurroundings) {
  const t = useWords('chart');
  const tOrders = useWords('orders');
  const market = useTicketMarket(pair);
  const { submit } = useAmendSubmit(move.id);
  const [sentMove, setSentMove] = useState<{ readonly move: OrderMove; readonly is: 'sending' | 'sent' }>();
  const state = sentMove?.move === move ? sentMove.is : 'waiting';
  const form: AmendForm | undefined = order && { ...initialAmend(order), [move.field]: move.price };
  const problem: Refusal | undefined = order && form && amendFormProblem(form, order, market);
  const takes = order !== undefined && form !== undefined && summariseAmend(form, order, market).takes;

  const abandon = (text: string): void => {
    notify.warning(text);
    onEnd();
  };
  const send = async (): Promise<void> => {
    if (state !== 'waiting') return;
    if (order === undefined || form === undefined) return abandon(t('moveGone'));
    if (serverNow() - move.startedAt > UNDO_MS + LATE_MS) return abandon(t('moveLate'));
    if (problem !== undefined) return abandon(refusalText(problem));
    setSentMove({ move, is: 'sending' });
    sentMoves.add(move);
    // `submit` shows refusals and missing responses to the user; after a missing response the user can repeat the
    // change from a note in the app's frame.
    const isDone = await submit(JSON.stringify(form), () => amendPayloadOf(form, order));
    if (isDone) setSentMove({ move, is: 'sent' });
    else onEnd();
  };
  const latest = useRef({ send, problem, onEnd });
  useEffect(() => {
    latest.current = { send, problem, onEnd };
  });

  useEffect(() => {
    const { problem: initialProblem, onEnd: endMove } = latest.current;
    // The page's checks are made when the user drops the price line, so that a refused change is reported at once and
    // not only after the undo delay.
    if (initialProblem !== undefined) {
      notify.error(refusalText(initialProblem));
      endMove();
      return undefined;
    }
    const timer = setTimeout(() => void latest.current.send(), move.startedAt + UNDO_MS - serverNow());
    return () => clearTimeout(timer);
  }, [move]);

  const isInForce = order === undefined || isSamePrice(order[move.field], move.price);
  useEffect(() => {
    if (state !== 'sent') return undefined;
    const timer = setTimeout(() => latest.current.onEnd(), isInForce ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state, isInForce]);

  return {
    state,
    send: () => void send(),
    warning: takes ? tOrders('amendTakes') : undefined,
  };
}
