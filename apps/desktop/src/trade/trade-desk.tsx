import { useOwnRates } from '@exchange/web-kit/spot/queries.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { useShortcutsOn } from '../keyboard/shortcuts-on.ts';
import { ShortcutsDialog } from '../keyboard/shortcuts-dialog.tsx';
import { ChartPanel } from './chart-panel.tsx';
import type { PanelName } from './layout.ts';
import { OrderBook } from './order-book.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { PairList } from './pair-list.tsx';
import { PriceStrip } from './price-strip.tsx';
import { RecentDeals } from './recent-deals.tsx';
import { Resizer } from './resizer.tsx';
import type { TakenPrice } from './taken-price.ts';
import { Ticket } from './ticket.tsx';
import classes from './trade-desk.module.css';
import { useLayout } from './use-layout.ts';

/** The whole trading screen of one pair: its panels, their sizes, and the keys. */
export function TradeDesk({ pair: listed }: { readonly pair: MarketPair }) {
  const pair = useOwnRates(listed);
  const tDesk = useWords('desktop-trade');
  const { layout, resize, reset, style } = useLayout();
  const [taken, setTaken] = useState<TakenPrice>();
  const [type, setType] = useState<OrderType>('limit');
  const [isHelpOpen, setHelpOpen] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const isOn = useShortcutsOn();
  const shortcuts = useMemo(
    () => ({ '/': () => searchBox.current?.focus(), '?': () => setHelpOpen(true) }),
    [],
  );
  useShortcuts(shortcuts, isOn);

  const take = useCallback((price: string) => {
    setTaken({ price });
    // A price out of the book is a limit price.
    setType('limit');
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

  return (
    <div className={classes.desk} style={style}>
      <div className={classes.side}>
        <PairList current={pair} searchBox={searchBox} />
        <div className={classes.deals}>
          <RecentDeals pair={pair} />
        </div>
      </div>
      {bar('pairs', 'forward')}
      <div className={classes.middle}>
        <PriceStrip pair={pair} />
        <div className={classes.market}>
          <ChartPanel pair={pair} />
          {bar('book', 'backward')}
          <OrderBook pair={pair} onTake={take} />
        </div>
        {bar('orders', 'backward')}
        <div className={classes.orders}>
          <OrdersPanel pair={pair} />
        </div>
      </div>
      {bar('ticket', 'backward')}
      <div className={classes.ticket}>
        <Ticket pair={pair} type={type} onTypeChange={setType} taken={taken} />
      </div>
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
