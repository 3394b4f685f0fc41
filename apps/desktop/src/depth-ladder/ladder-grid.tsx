import type { Side } from '@exchange/core/pair.ts';
import { formatDecimal, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { digitsOf } from '@exchange/web-kit/market/book.ts';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { X } from 'lucide-react';
import { memo, type PointerEvent, useState } from 'react';
import classes from './depth-ladder.module.css';
import { ladderRows, type LadderRow, type OwnMark } from './ladder-rows.ts';
import type { Ladder, RowActions } from './use-ladder.ts';

interface LadderRowsProps {
  readonly pair: MarketPair;
  readonly ladder: Ladder;
}

/**
 * Number of order book levels that the ladder requests: more than the feed sends, so that all received levels
 * are shown.
 */
const ALL_LEVELS = 1_000;
const AMOUNT_DIGITS = 5;

/** The rows of the ladder. A row with unchanged figures is not rendered again. */
export function LadderRows({ pair, ladder }: LadderRowsProps) {
  const { view, step, ticks, own, cursor, armed, isPlacing, gridId, rowPx, actions } = ladder;
  const depth = useDepth(pair.symbol, {
    rows: ALL_LEVELS,
    grouping: ticks === 1 ? undefined : step.toString(),
  });
  const [drop, setDrop] = useState<bigint>();
  const priceDigits = Math.min(pair.priceDigits, digitsOf(step.toString()));
  return ladderRows(view.numbers, step, depth).map(({ row, price, bid, ask, bidShare, askShare }) => (
    <Row
      key={String(row)}
      id={rowId(gridId, row)}
      row={row}
      price={price}
      bid={bid}
      ask={ask}
      bidShare={bidShare}
      askShare={askShare}
      ownBuy={own.buys.get(price)}
      ownSell={own.sells.get(price)}
      isLast={row === view.lastRow}
      isCursor={row === cursor}
      isDrop={row === drop}
      isArmed={armed.isArmed}
      isBuying={isPlacing('buy', price)}
      isSelling={isPlacing('sell', price)}
      rowPx={rowPx}
      priceDigits={priceDigits}
      amountDigits={Math.min(pair.amountDigits, AMOUNT_DIGITS)}
      actions={actions}
      onDragOver={setDrop}
    />
  ));
}

/** Returns the id of the element of a row, for `aria-activedescendant` of the grid. */
export function rowId(gridId: string, row: bigint): string {
  return `${gridId}-${row}`;
}

interface RowProps extends LadderRow {
  readonly id: string;
  readonly ownBuy: OwnMark | undefined;
  readonly ownSell: OwnMark | undefined;
  readonly isLast: boolean;
  readonly isCursor: boolean;
  readonly isDrop: boolean;
  readonly isArmed: boolean;
  readonly isBuying: boolean;
  readonly isSelling: boolean;
  readonly rowPx: number;
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly actions: RowActions;
  /**
   * Called during the drag of an order with the row below the pointer; with undefined when the drag has ended, and
   * while the pointer has moved less than DRAG_PX.
   */
  readonly onDragOver: (row: bigint | undefined) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { row, price, bid, ask, ownBuy, ownSell, isArmed, priceDigits, amountDigits, actions } = props;
  const t = useWords('trade');
  const locale = useLocale();
  const label = useRowLabel(props);
  const amountText = (amount: string) => (amount === '' ? '' : formatNarrow(amount, locale, amountDigits));
  const mark = (side: Side, own: OwnMark | undefined, isPending: boolean) => (
    <div role="gridcell" className={classes.own} data-side={side} data-pending={isPending || undefined}>
      {own !== undefined && <OwnOrders {...props} own={own} side={side} />}
    </div>
  );
  if (price === '') return <div className={classes.row} style={{ height: props.rowPx }} role="row" />;
  return (
    <div
      id={props.id}
      role="row"
      aria-label={label}
      aria-selected={props.isCursor}
      className={classes.row}
      style={{ height: props.rowPx }}
      data-row={String(row)}
      data-last={props.isLast || undefined}
      data-cursor={props.isCursor || undefined}
      data-drop={props.isDrop || undefined}
    >
      {mark('buy', ownBuy, props.isBuying)}
      <div
        role="gridcell"
        className={classes.size}
        data-side="buy"
        title={isArmed ? t('buy') : undefined}
        onClick={() => actions.pick(row, 'buy')}
      >
        {props.bidShare > 0 && <i className={classes.bar} style={{ width: `${props.bidShare}%` }} />}
        <span>{amountText(bid)}</span>
      </div>
      <div role="gridcell" className={classes.price} onClick={() => actions.pick(row, undefined)}>
        {formatPrice(price, locale, priceDigits)}
      </div>
      <div
        role="gridcell"
        className={classes.size}
        data-side="sell"
        title={isArmed ? t('sell') : undefined}
        onClick={() => actions.pick(row, 'sell')}
      >
        {props.askShare > 0 && <i className={classes.bar} style={{ width: `${props.askShare}%` }} />}
        <span>{amountText(ask)}</span>
      </div>
      {mark('sell', ownSell, props.isSelling)}
    </div>
  );
});

/**
 * Hook that returns the accessible name of a row: its price, the sizes there, and the user's orders; empty
 * for a row without a price.
 */
function useRowLabel({ price, bid, ask, ownBuy, ownSell, isLast, priceDigits }: RowProps): string {
  const t = useWords('depth-ladder');
  const locale = useLocale();
  if (price === '') return '';
  const own = (key: 'row.buys' | 'row.sells', mark: OwnMark | undefined) =>
    mark === undefined ? '' : t(key, { count: mark.ids.length, amount: formatDecimal(mark.amount, locale) });
  return [
    formatPrice(price, locale, priceDigits),
    isLast ? t('row.last') : '',
    bid === '' ? '' : t('row.bid', { amount: formatDecimal(bid, locale) }),
    ask === '' ? '' : t('row.ask', { amount: formatDecimal(ask, locale) }),
    own('row.buys', ownBuy),
    own('row.sells', ownSell),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

interface OwnOrdersProps extends Pick<
  RowProps,
  'row' | 'price' | 'rowPx' | 'priceDigits' | 'actions' | 'onDragOver'
> {
  readonly own: OwnMark;
  readonly side: Side;
}

/** Pointer movements shorter than this many pixels do not count as dragging. */
const DRAG_PX = 3;

/**
 * The user's orders of one side in a row: their size, which can be dragged to another row, and a button that cancels
 * them.
 */
function OwnOrders({ own, row, price, rowPx, priceDigits, actions, onDragOver }: OwnOrdersProps) {
  const t = useWords('depth-ladder');
  const locale = useLocale();
  const [drag, setDrag] = useState<{ readonly startY: number; readonly rowTop: number }>();
  const count = own.ids.length;
  const rowAt = (clientY: number): bigint | undefined => {
    if (drag === undefined || Math.abs(clientY - drag.startY) < DRAG_PX) return undefined;
    return row - BigInt(Math.floor((clientY - drag.rowTop) / rowPx));
  };
  const end = (): void => {
    setDrag(undefined);
    onDragOver(undefined);
  };
  const handlePointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const rowTop = event.currentTarget.closest('[role="row"]')?.getBoundingClientRect().top;
    setDrag({ startY: event.clientY, rowTop: rowTop ?? event.clientY });
  };
  const handlePointerUp = ({ clientY }: PointerEvent): void => {
    const target = rowAt(clientY);
    end();
    if (target !== undefined && target !== row && target > 0n) actions.move(own.ids, target);
  };
  return (
    <>
      <span
        className={classes.mark}
        title={`${formatDecimal(own.amount, locale)} · ${t('dragHint')}`}
        onPointerDown={handlePointerDown}
        onPointerMove={({ clientY }) => {
          if (drag !== undefined) onDragOver(rowAt(clientY));
        }}
        onPointerUp={handlePointerUp}
        onPointerCancel={end}
      >
        {formatDecimal(own.amount, locale)}
        {count > 1 && <small>×{count}</small>}
      </span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={t('cancelAt', { count, price: formatPrice(price, locale, priceDigits) })}
        onClick={() => actions.cancel(own.ids)}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </>
  );
}
