import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { useOwnRates } from '@exchange/web-kit/spot/queries.ts';
import { useCallback, useState } from 'react';
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
import { useBookView } from './use-book-view.ts';
import { useDeskKeys } from './use-desk-keys.ts';
import { useLayout } from './use-layout.ts';

/** The whole trading screen of one pair: its panels, their sizes, and the keys. */
export function TradeDesk({ pair: listed }: { readonly pair: MarketPair }) {
  const pair = useOwnRates(listed);
  const tDesk = useWords('desktop-trade');
  const { layout, resize, reset, style } = useLayout();
  const [taken, setTaken] = useState<TakenPrice>();
  const [kind, setKind] = useState<TicketKind>('limit');
  const book = useBookView();
  const keys = useDeskKeys(book);

  const choose = useCallback((chosen: TicketKind) => {
    setKind(chosen);
    // What was taken for the one ticket is not meant for the next.
    setTaken(undefined);
  }, []);
  const take = useCallback((price: string) => {
    setTaken({ price });
    // A price out of the book means a limit price to a ticket that has none.
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
      <RecentDeals pair={pair} />
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
        <PriceStrip pair={pair} />
        <div className={classes.market}>
          <ChartPanel pair={pair} />
          {bar('book', 'backward')}
          <div className={classes.book}>
            <OrderBook pair={pair} view={book} onTake={take} />
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
        <Ticket pair={pair} kind={kind} onKindChange={choose} taken={taken} />
      </div>
      {keys.isHelpOpen && <ShortcutsDialog onClose={keys.closeHelp} />}
    </div>
  );
}
