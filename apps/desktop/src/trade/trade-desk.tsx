import type { Side } from '@exchange/core/pair.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { useOwnRates } from '@exchange/web-kit/market/fee-tiers.ts';
import { usePreparedOrder } from '@exchange/web-kit/spot/prepared-order.ts';
import { kindOfLink, rememberKind } from '@exchange/web-kit/spot/ticket-memory.ts';
import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ShortcutsDialog } from '../keyboard/shortcuts-dialog.tsx';
import { useShortcuts, useShortcutsOn } from '../keyboard/use-shortcuts.ts';
import { type BookViewControl, useBookView } from './book-view.ts';
import { ChartPanel } from './chart-panel.tsx';
import { LIMITS, type PanelName, useLayout } from './layout.ts';
import { OrderBook } from './order-book.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { PairList } from './pair-list.tsx';
import { PriceStrip } from './price-strip.tsx';
import { RecentDeals } from './recent-deals.tsx';
import type { PickedPrice } from './picked-price.ts';
import { Ticket } from './ticket.tsx';
import classes from './trade-desk.module.css';

/**
 * The trading screen of a pair: its panels, their sizes, and keyboard shortcuts. Switching to another pair replaces the
 * data; the pair list with its focus, the selected tabs and the order type stay.
 */
export function TradeDesk({ pair: listed }: { readonly pair: MarketPair }) {
  const pair = useOwnRates(listed);
  const tDesk = useWords('desktop-trade');
  const { layout, resize, reset, style } = useLayout();
  const [pickedPrice, setPickedPrice] = useState<PickedPrice>();
  // A price that the user picked for the previous pair is discarded when the pair changes.
  const [takenOn, setTakenOn] = useState(pair.symbol);
  if (takenOn !== pair.symbol) {
    setTakenOn(pair.symbol);
    setPickedPrice(undefined);
  }
  const [query] = useSearchParams();
  const [kind, setKind] = useState<TicketKind>(() => kindOfLink(query.get('kind')));
  const prepared = usePreparedOrder(pair.symbol);
  // Switches to the type of the order that the command palette prepared, so that the ticket shows this order.
  if (prepared !== undefined && prepared.kind !== kind) setKind(prepared.kind);
  const book = useBookView();
  const keys = useDeskKeys(book);

  const choose = useCallback((nextKind: TicketKind) => {
    setKind(nextKind);
    rememberKind(nextKind);
    // A price that the user picked is discarded when the order type changes.
    setPickedPrice(undefined);
  }, []);
  const pickPrice = useCallback((price: string) => {
    setPickedPrice({ price });
    // Picking a price in the order book, the price ladder or the chart switches a market order or a trailing stop to a
    // limit order.
    setKind((before) => (before === 'market' || before === 'trailing' ? 'limit' : before));
  }, []);
  const bar = (panel: PanelName, grows: 'forward' | 'backward') => (
    <Resizer
      panel={panel}
      grows={grows}
      label={tDesk(`resize.${panel}`)}
      size={layout[panel]}
      onResize={resize}
      onReset={reset}
    />
  );
  const deals = (
    <div className={classes.deals}>
      <RecentDeals key={pair.symbol} pair={pair} />
    </div>
  );

  return (
    <div className={classes.desk} style={style} data-compact={book.isCompact || undefined}>
      <div className={classes.side}>
        <PairList current={pair} searchBox={keys.searchBox} />
        {!book.isCompact && deals}
      </div>
      {bar('pairs', 'forward')}
      <div className={classes.middle}>
        <PriceStrip key={pair.symbol} pair={pair} />
        <div className={classes.market}>
          <ChartPanel key={pair.symbol} pair={pair} onTake={pickPrice} />
          {bar('book', 'backward')}
          <div className={classes.book}>
            <OrderBook key={pair.symbol} pair={pair} view={book} onTake={pickPrice} />
            {book.isCompact && deals}
          </div>
        </div>
        {bar('orders', 'backward')}
        <div className={classes.orders}>
          <OrdersPanel pair={pair} />
        </div>
      </div>
      {bar('ticket', 'backward')}
      <div className={classes.ticket}>
        <Ticket key={pair.symbol} pair={pair} kind={kind} onKindChange={choose} taken={pickedPrice} />
      </div>
      {keys.isHelpOpen && <ShortcutsDialog onClose={keys.closeHelp} />}
    </div>
  );
}

const KEY_STEP_PX = 16;

interface ResizerProps {
  readonly panel: PanelName;
  readonly label: string;
  readonly size: number;
  /** The direction of pointer movement that enlarges the panel: `forward` is right or down. */
  readonly grows: 'forward' | 'backward';
  readonly onResize: (panel: PanelName, size: number) => void;
  readonly onReset: () => void;
}

/**
 * The bar between two panels: the user resizes the panel by dragging the bar, or with the arrow keys while the bar has
 * the focus. A double click restores the default sizes of all panels.
 */
function Resizer({ panel, label, size, grows, onResize, onReset }: ResizerProps) {
  const start = useRef<{ at: number; size: number } | undefined>(undefined);
  const isHorizontal = panel === 'orders';
  const sign = grows === 'forward' ? 1 : -1;

  const handlePointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: isHorizontal ? event.clientY : event.clientX, size };
  };
  const handlePointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (start.current === undefined) return;
    const at = isHorizontal ? event.clientY : event.clientX;
    onResize(panel, start.current.size + sign * (at - start.current.at));
  };
  const handlePointerUp = (): void => {
    start.current = undefined;
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = isHorizontal ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const direction = event.key === more ? 1 : event.key === less ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    onResize(panel, size + sign * direction * KEY_STEP_PX);
  };

  return (
    <div
      className={classes.resizer}
      data-horizontal={isHorizontal || undefined}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isHorizontal ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={LIMITS[panel].min}
      aria-valuemax={LIMITS[panel].max}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onPointerUp={handlePointerUp}
      onPointerCancel={handlePointerUp}
      onDoubleClick={onReset}
      onKeyDown={handleKeyDown}
    />
  );
}

/**
 * Hook with the keyboard shortcuts of the trading screen: they focus the pair search or a side of the ticket,
 * list the shortcuts, and switch the compact order book. None places an order.
 */
function useDeskKeys({ isCompact, setCompact }: BookViewControl) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const closeHelp = useCallback(() => setHelpOpen(false), []);
  const shortcuts = useMemo(
    () => ({
      '/': () => searchBox.current?.focus(),
      '?': () => setHelpOpen(true),
      b: () => focusTicket('buy'),
      s: () => focusTicket('sell'),
      k: () => setCompact(!isCompact),
    }),
    [isCompact, setCompact],
  );
  useShortcuts(shortcuts, useShortcutsOn());
  return { searchBox, isHelpOpen, closeHelp };
}

/** Focuses the first input of one side of the ticket. */
function focusTicket(side: Side): void {
  document.querySelector<HTMLInputElement>(`form[data-side="${side}"] input:not(:disabled)`)?.focus();
}
