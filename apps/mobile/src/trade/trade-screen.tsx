import { usePauseText } from '@exchange/web-kit/market/pause-note.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { type MarketPair, symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { useMarketStatus, usePair } from '@exchange/web-kit/market/queries.ts';
import { useOwnRates } from '@exchange/web-kit/market/fee-tiers.ts';
import { kindOfLink } from '@exchange/web-kit/spot/ticket-memory.ts';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { type TicketControl, useTicket, useTicketMarket } from '@exchange/web-kit/spot/use-ticket.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { TriangleAlert } from 'lucide-react';
import { Activity, memo, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { OrdersPanel } from '../orders/orders-panel.tsx';
import { type PairView } from '../paths.ts';
import { Book } from './book/book.tsx';
import { PairHeader } from './pair-header.tsx';
import { Ticket, useTicketMemory } from './ticket/ticket.tsx';
import { tradeViewOf } from './trade-query.ts';
import css from './trade.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const DEFAULT_SYMBOL = 'btcusdt';
const ViewOfPair = lazyPart('view-of-pair', () => import('./view/pair-view.tsx'), {
  waiting: <SkeletonRows rows={10} height={32} />,
});

/**
 * Spot trading screen: order book and ticket, the user's orders below, and the chart or information about the pair as
 * other views. The URL names the pair and the view; without a pair in the URL it is the screen of the default pair.
 */
export default function TradeScreen() {
  const t = useWords('trade');
  const shell = useWords('shell');
  const [query] = useSearchParams();
  const symbolParameter = query.get('symbol');
  const symbol = symbolParameter === null ? DEFAULT_SYMBOL : (symbolOfLink(symbolParameter) ?? '');
  const pair = usePair(symbol);
  if (pair.data === null) {
    return (
      <main className={css.nothing}>
        <h1 className="visually-hidden">{shell('navTrade')}</h1>
        <EmptyState
          text={t('unknownPair', { pair: symbolParameter ?? '' })}
          action={<ButtonLink to={paths.market}>{t('allMarkets')}</ButtonLink>}
        />
      </main>
    );
  }
  if (pair.data === undefined) {
    return (
      <main className={css.nothing}>
        <h1 className="visually-hidden">{shell('navTrade')}</h1>
        <ListBody
          look="cards"
          isLoading={pair.isPending}
          error={pair.error}
          onRetry={() => void pair.refetch()}
          skeletonRows={12}
        >
          {null}
        </ListBody>
      </main>
    );
  }
  const { view } = tradeViewOf(query);
  return (
    <>
      {/* The header stays mounted when the pair changes, so that the focus can return to the button that opened
          the pair selector. */}
      <PairHeader pair={pair.data} view={view} />
      <Market key={symbol} pair={pair.data} view={view} />
    </>
  );
}

interface MarketProps {
  pair: MarketPair;
  view: PairView | undefined;
}

/**
 * Content of the trading screen for one pair. The order book renders new market data first; the ticket
 * renders it in a concurrent update with lower priority.
 */
function Market({ pair: listedPair, view }: MarketProps) {
  const pair = useOwnRates(listedPair);
  useMarketStatus(pair.symbol);
  const moment = useDeferredValue(useTicketMarket(pair));
  const haltPair = useDeferredValue(pair);
  return (
    <Desk pair={pair} haltPair={haltPair} view={view} moment={useLastWhile(view === undefined, moment)} />
  );
}

/**
 * Hook that returns `value` while `isOfUse` is true. While it is false, returns the value that was last
 * passed with true (at first the initial value), so that components that use it do not re-render.
 */
function useLastWhile<Value>(isOfUse: boolean, value: Value): Value {
  const [last, setLast] = useState(value);
  if (isOfUse && last !== value) setLast(value);
  return isOfUse ? value : last;
}

interface DeskProps extends MarketProps {
  moment: TicketMarket;
  /** The pair as the ticket shows it, so that the notice of a halt never stands above a button that looks enabled. */
  haltPair: MarketPair;
}

const Desk = memo(function Desk({ pair, haltPair, view, moment }: DeskProps) {
  const [query] = useSearchParams();
  const memory = useTicketMemory(pair.symbol);
  const [kind] = useState(() => kindOfLink(query.get('kind')));
  const control = useTicket(moment, memory.side, kind, memory);
  const pickPrice = usePickPrice(control);
  const isTicket = view === undefined;
  // When the screen opens with the chart or the information, the ticket is mounted only after the user first
  // switches to the ticket.
  const [wasTicket, setWasTicket] = useState(isTicket);
  if (isTicket && !wasTicket) setWasTicket(true);
  return (
    <>
      <Halt pair={haltPair} />
      {isTicket ? null : <ViewOfPair pair={pair} view={view} onSide={control.set.side} />}
      {/* While the chart or the information is open, the hidden ticket keeps its input but receives no market
          data. */}
      {wasTicket && (
        <Activity mode={isTicket ? 'visible' : 'hidden'}>
          <main>
            <div className={css.desk}>
              <Ticket moment={moment} control={control} />
              <Book pair={pair} onPrice={pickPrice} />
            </div>
            <OrdersPanel pair={pair} />
          </main>
        </Activity>
      )}
    </>
  );
});

/**
 * Hook that returns a function that writes a price picked in the order book into the limit price or, for an
 * order type without a limit price, into the trigger price; undefined for order types that have neither.
 */
function usePickPrice({ fields, set }: TicketControl): ((price: string) => void) | undefined {
  const pickPrice = useStable(fields.hasPrice ? set.price : set.stopPrice);
  return fields.hasPrice || fields.hasStopPrice ? pickPrice : undefined;
}

/** States that a pair accepts no new orders; renders nothing while the pair trades. */
function Halt({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const pauseText = usePauseText();
  if (pair.status === 'open') return null;
  return (
    <p className={css.halt} role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <span>
        {t(pair.status === 'cancelOnly' ? 'statusCancelOnly' : 'statusClosed')} {pauseText(pair.pause)}
      </span>
    </p>
  );
}

/**
 * Hook that returns a function that is the same object in every render and calls the newest version of
 * `latest`, so that memoised rows do not re-render.
 */
function useStable<Arguments extends readonly unknown[]>(
  latest: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const latestRef = useRef(latest);
  useEffect(() => {
    latestRef.current = latest;
  });
  return useCallback((...args: Arguments) => latestRef.current(...args), []);
}
