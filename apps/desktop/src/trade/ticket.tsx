import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { useTicketMoment } from '@exchange/web-kit/spot/use-ticket.ts';
import { memo, useDeferredValue } from 'react';
import { KindTabs } from './kind-tabs.tsx';
import { PairAssets } from './pair-assets.tsx';
import { PairHalt } from './pair-halt.tsx';
import type { TakenPrice } from './taken-price.ts';
import { TicketForm } from './ticket-form.tsx';
import classes from './ticket.module.css';

interface TicketProps {
  readonly pair: MarketPair;
  readonly kind: TicketKind;
  readonly onKindChange: (kind: TicketKind) => void;
  readonly taken: TakenPrice | undefined;
}

/**
 * The order ticket: every kind of order, buy and sell side by side. It follows the market one step behind the
 * book: a tick is drawn there first, and the ticket after it in pieces that hold nothing up.
 */
export const Ticket = memo(function Ticket({ pair, kind, onKindChange, taken }: TicketProps) {
  const tDesk = useWords('desktop-trade');
  const moment = useDeferredValue(useTicketMoment(pair));
  return (
    <section className={classes.ticket} aria-label={tDesk('ticket.title')}>
      <div className={classes.head}>
        <KindTabs kind={kind} onChange={onKindChange} />
      </div>
      <PairHalt pair={pair} />
      <div className={classes.forms}>
        <TicketForm key={`buy ${kind}`} side="buy" kind={kind} moment={moment} taken={taken} />
        <TicketForm key={`sell ${kind}`} side="sell" kind={kind} moment={moment} taken={taken} />
      </div>
      <PairAssets pair={pair} />
    </section>
  );
});
