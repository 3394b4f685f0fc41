import type { Decimal } from '@exchange/core/decimal.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useBookRefused, useBookState } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { FarLimit } from '@exchange/web-kit/spot/far-limit.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { type RefObject, useEffect, useRef } from 'react';
import { CancelAllDialog } from '../trade/cancel-all.tsx';
import { ClickBar } from './click-bar.tsx';
import classes from './depth-ladder.module.css';
import { LadderRows, rowId } from './ladder-grid.tsx';
import { GROUPINGS, stepOf, type Grouping } from './ladder-rows.ts';
import { type Ladder, useLadder } from './use-ladder.ts';

interface DepthLadderProps {
  readonly pair: MarketPair;
  /**
   * Called with the price of a clicked row while click-to-place is off, for the order ticket. Without it, such a click
   * only moves the cursor of the ladder.
   */
  readonly onPickPrice?: ((price: string) => void) | undefined;
}

/**
 * The order book on a ladder of prices that does not follow each movement of the market, with the user's
 * orders, which can be dragged and cancelled there. After the user has switched click-to-place on, a click on
 * a side of a row places a limit order. The ladder fills its container.
 */
export function DepthLadder({ pair, onPickPrice }: DepthLadderProps) {
  // For another pair the ladder is mounted again, and is not armed.
  return <PairLadder key={pair.symbol} pair={pair} onPickPrice={onPickPrice} />;
}

function PairLadder({ pair, onPickPrice }: DepthLadderProps) {
  const t = useWords('depth-ladder');
  const box = useRef<HTMLDivElement>(null);
  const ladder = useLadder(pair, box, onPickPrice);
  const { armed, market, far } = ladder;
  return (
    <section className={classes.ladder} aria-label={t('title')} data-armed={armed.isArmed || undefined}>
      <Tools ladder={ladder} tickSize={pair.tickSize} />
      <ClickBar
        pair={pair}
        price={ladder.price}
        armed={armed}
        chosen={ladder.chosen}
        onChange={ladder.choose}
      />
      <Grid pair={pair} ladder={ladder} box={box} />
      {ladder.notice}
      {/* The question whether to place an order far from the market closes, without placing the order, when the ladder is disarmed. */}
      <FarLimit control={{ far: armed.isArmed ? far : undefined }} moment={market} Frame={Dialog} />
      {ladder.isCancellingAll && (
        <CancelAllDialog
          scope="all"
          pair={pair}
          count={ladder.cancellable}
          onClose={() => ladder.setCancellingAll(false)}
        />
      )}
    </section>
  );
}

/**
 * Controls for the price step and the centring and, while the pair has orders that can be cancelled, a button that
 * cancels all of them after a confirmation.
 */
function Tools({ ladder, tickSize }: { readonly ladder: Ladder; readonly tickSize: Decimal }) {
  const t = useWords('depth-ladder');
  const tTrade = useWords('trade');
  const tOrders = useWords('orders');
  const { view } = ladder;
  return (
    <div className={classes.tools}>
      <h2 className="visually-hidden">{t('title')}</h2>
      <select
        aria-label={tTrade('grouping')}
        value={ladder.ticks}
        onChange={(event) => ladder.setTicks(Number(event.currentTarget.value) as Grouping)}
      >
        {GROUPINGS.map((ticks) => (
          <option key={ticks} value={ticks}>
            {stepOf(tickSize, ticks).toString()}
          </option>
        ))}
      </select>
      <Button look="quiet" size="s" onClick={view.centre} title={t('centreHint')}>
        {t('centre')}
      </Button>
      <Checkbox label={t('auto')} checked={view.isAuto} onChange={view.setAuto} />
      {ladder.cancellable > 0 && (
        <Button look="quiet" size="s" onClick={() => ladder.setCancellingAll(true)}>
          {tOrders('cancelAll')}
        </Button>
      )}
    </div>
  );
}

interface GridProps {
  readonly pair: MarketPair;
  readonly ladder: Ladder;
  readonly box: RefObject<HTMLDivElement | null>;
}

function Grid({ pair, ladder, box }: GridProps) {
  const t = useWords('depth-ladder');
  const tTrade = useWords('trade');
  const { view, cursor, gridId } = ladder;
  useWheel(box, view.scroll);
  const isCursorShown = cursor !== undefined && view.numbers.includes(cursor);
  return (
    <div
      className={classes.grid}
      role="grid"
      tabIndex={0}
      aria-label={t('gridLabel', { pair: `${pair.base}/${pair.quote}` })}
      aria-activedescendant={isCursorShown ? rowId(gridId, cursor) : undefined}
      onKeyDown={ladder.handleKeyDown}
    >
      <div className={classes.head} role="row">
        <span role="columnheader">{t('ownBuys')}</span>
        <span role="columnheader">{tTrade('bids')}</span>
        <span role="columnheader">{tTrade('price')}</span>
        <span role="columnheader">{tTrade('asks')}</span>
        <span role="columnheader">{t('ownSells')}</span>
      </div>
      <div
        ref={box}
        className={classes.rows}
        role="rowgroup"
        data-live
        onPointerEnter={() => ladder.setPointed(true)}
        onPointerLeave={() => ladder.setPointed(false)}
      >
        {view.numbers.length === 0 ? (
          <NoPrices symbol={pair.symbol} />
        ) : (
          <LadderRows pair={pair} ladder={ladder} />
        )}
      </div>
    </div>
  );
}

/**
 * Shown instead of the rows while no price of the pair is known: why the server refused the book, a placeholder while
 * the book loads, or the text that the book is empty.
 */
function NoPrices({ symbol }: { readonly symbol: string }) {
  const tTrade = useWords('trade');
  const state = useBookState(symbol);
  const refused = useBookRefused(symbol);
  if (refused !== undefined && state === 'unknown') return <TopicRefused topic={refused} />;
  if (state === 'unknown') return <SkeletonRows rows={16} height={10} gap={12} />;
  return <EmptyState text={tTrade('bookEmpty')} />;
}

/** Pixels of mouse wheel movement that scroll the ladder by one row. */
const WHEEL_PX = 40;

/**
 * Hook by which the mouse wheel scrolls the ladder instead of the page; with Ctrl it zooms the page as usual.
 */
function useWheel(box: RefObject<HTMLElement | null>, scroll: (rows: number) => void): void {
  const latest = useRef(scroll);
  useEffect(() => {
    latest.current = scroll;
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let rest = 0;
    // This listener is registered without React, whose wheel listeners are passive and cannot keep the page
    // from scrolling.
    const handleWheel = (event: WheelEvent): void => {
      if (event.ctrlKey) return;
      event.preventDefault();
      rest += event.deltaY;
      const rows = Math.trunc(rest / WHEEL_PX);
      rest -= rows * WHEEL_PX;
      if (rows !== 0) latest.current(-rows);
    };
    element.addEventListener('wheel', handleWheel, { passive: false });
    return () => element.removeEventListener('wheel', handleWheel);
  }, [box]);
}
