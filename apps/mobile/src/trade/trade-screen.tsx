import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { type MarketPair, symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { useMarketStatus, usePair } from '@exchange/web-kit/market/queries.ts';
import { useOwnRates } from '@exchange/web-kit/spot/queries.ts';
import { kindOfLink } from '@exchange/web-kit/spot/ticket-memory.ts';
import type { TicketMoment } from '@exchange/web-kit/spot/ticket.ts';
import { type TicketControl, useTicket, useTicketMoment } from '@exchange/web-kit/spot/use-ticket.ts';
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
import { tradeViewOf } from './trade-address.ts';
import css from './trade.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const DEFAULT_SYMBOL = 'btcusdt';
const ViewOfPair = lazyPart('view-of-pair', () => import('./view/pair-view.tsx'), {
  waiting: <SkeletonRows rows={10} height={32} />,
});

/** Book and ticket on one screen, orders below, chart and information one tap away. The address names pair and view. */
export default function TradeScreen() {
  const t = useWords('trade');
  const shell = useWords('shell');
  const [query] = useSearchParams();
  const asked = query.get('symbol');
  const symbol = asked === null ? DEFAULT_SYMBOL : (symbolOfLink(asked) ?? '');
  const pair = usePair(symbol);
  if (pair.data === null) {
    return (
      <main className={css.nothing}>
        <h1 className="visually-hidden">{shell('navTrade')}</h1>
        <EmptyState
          text={t('unknownPair', { pair: asked ?? '' })}
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
      {/* The header stays over a change of pair, so that the focus returns to its button. */}
      <PairHeader pair={pair.data} view={view} />
      <Market key={symbol} pair={pair.data} view={view} />
    </>
  );
}

interface MarketProps {
  pair: MarketPair;
  view: PairView | undefined;
}

/** A tick is drawn in the book first, and in the ticket after it in pieces that hold nothing up. */
function Market({ pair: listed, view }: MarketProps) {
  const pair = useOwnRates(listed);
  useMarketStatus(pair.symbol);
  const moment = useDeferredValue(useTicketMoment(pair));
  return <Desk pair={pair} view={view} moment={useLastWhile(view === undefined, moment)} />;
}

/** What a value was when it was last of use: what follows it rests until it is again. */
function useLastWhile<Value>(isOfUse: boolean, value: Value): Value {
  const [last, setLast] = useState(value);
  if (isOfUse && last !== value) setLast(value);
  return isOfUse ? value : last;
}

const Desk = memo(function Desk({ pair, view, moment }: MarketProps & { moment: TicketMoment }) {
  const [query] = useSearchParams();
  const memory = useTicketMemory(pair.symbol);
  const [kind] = useState(() => kindOfLink(query.get('kind')));
  const control = useTicket(moment, memory.side, kind, memory);
  const take = usePriceTaker(control);
  const isTicket = view === undefined;
  // Whoever comes for the chart has it drawn first, and the ticket when they ask for it.
  const [wasTicket, setWasTicket] = useState(isTicket);
  if (isTicket && !wasTicket) setWasTicket(true);
  return (
    <>
      <Halt pair={pair} />
      {isTicket ? null : <ViewOfPair pair={pair} view={view} onSide={control.set.side} />}
      {/* The ticket stays as it was typed while the chart is open, but follows nothing. */}
      {wasTicket && (
        <Activity mode={isTicket ? 'visible' : 'hidden'}>
          <main>
            <div className={css.desk}>
              <Ticket moment={moment} control={control} />
              <Book pair={pair} onPrice={take} />
            </div>
            <OrdersPanel pair={pair} />
          </main>
        </Activity>
      )}
    </>
  );
});

/** Takes a price of the book as the limit price, or as the trigger of an order that has no other. */
function usePriceTaker({ fields, set }: TicketControl): ((price: string) => void) | undefined {
  const take = useStable(fields.hasPrice ? set.price : set.stopPrice);
  return fields.hasPrice || fields.hasStopPrice ? take : undefined;
}

/** Says that the pair does not trade. */
function Halt({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  if (pair.status === 'open') return null;
  return (
    <p className={css.halt} role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      {t(pair.status === 'cancelOnly' ? 'statusCancelOnly' : 'statusClosed')}
    </p>
  );
}

/** The same function for ever that does what the latest one does: for rows that must not render because of it. */
function useStable<Arguments extends readonly unknown[]>(
  latest: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const kept = useRef(latest);
  useEffect(() => {
    kept.current = latest;
  });
  return useCallback((...args: Arguments) => kept.current(...args), []);
}
