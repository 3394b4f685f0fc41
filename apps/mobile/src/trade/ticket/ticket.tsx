import type { PairStatus } from '@exchange/core/pair.ts';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { FarLimit } from '@exchange/web-kit/spot/far-limit.tsx';
import {
  type MarketEstimate,
  useMarketEstimate,
  useThinBookSentence,
} from '@exchange/web-kit/spot/market-estimate.ts';
import { useOrderWords, useTriggerSentence } from '@exchange/web-kit/spot/order-words.ts';
import { faultyInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import { type TicketMoment, type TicketPair, timeInForceOf } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl, TicketMemory, TypedTicket } from '@exchange/web-kit/spot/use-ticket.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { Consequence } from './consequence.tsx';
import { Fields } from './fields.tsx';
import css from './ticket.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const TypeSheet = lazyPart('type-sheet', () => import('./type-sheet.tsx'), { whenMissing: 'dialog' });
const AdvancedSheet = lazyPart('advanced-sheet', () => import('./advanced-sheet.tsx'), {
  whenMissing: 'dialog',
});

interface TicketProps {
  moment: TicketMoment;
  control: TicketControl;
}

/** The order ticket: side, type, prices, how much, the whole consequence, and the button. */
export function Ticket({ moment, control }: TicketProps) {
  const t = useWords('trade');
  const { ticket, summary, problem } = control;
  const { pair } = moment;
  const shown = control.isTried ? problem : undefined;
  const estimate = useMarketEstimate(ticket, moment);
  const noteId = useId();
  const faulty = faultyInput(shown, ticket);
  return (
    <form
      className={css.ticket}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void control.submit();
      }}
    >
      <SegmentedControl
        label={t('side')}
        look="sides"
        className={css.sides}
        value={ticket.side}
        onChange={control.set.side}
        options={[
          { value: 'buy', label: t('buy') },
          { value: 'sell', label: t('sell') },
        ]}
      />
      <TypeChoice control={control} />
      <Fields control={control} pair={pair} faultOf={(input) => (input === faulty ? noteId : undefined)} />
      <Advanced moment={moment} control={control} />
      <Consequence ticket={ticket} summary={summary} estimate={estimate} pair={pair} />
      <div className={css.foot}>
        <UnansweredNote unanswered={control.unanswered} />
        <Note id={noteId} pair={pair} control={control} estimate={estimate} />
        <Submit moment={moment} control={control} />
      </div>
      <FarLimit control={control} moment={moment} Frame={Sheet} />
    </form>
  );
}

interface NoteProps {
  id: string;
  pair: TicketPair;
  control: TicketControl;
  estimate: MarketEstimate | undefined;
}

/** Why the order would be refused, or else what it will do and the button does not say; it stays in sight with the button. */
function Note({ id, pair, control: { ticket, summary, problem, isTried }, estimate }: NoteProps) {
  const t = useWords('trade');
  const sentence = useTriggerSentence(ticket, summary, pair);
  const thinBook = useThinBookSentence(estimate, pair);
  if (isTried && problem !== undefined) {
    return (
      <p id={id} className={css.problem} role="alert">
        {refusalText(problem)}
      </p>
    );
  }
  if (thinBook !== undefined) return <p className={css.thinBook}>{thinBook}</p>;
  if (ticket.type === 'limit' || ticket.type === 'market') return null;
  return <p className={css.sentence}>{sentence ?? t(`hint.${ticket.type}`)}</p>;
}

function TypeChoice({ control: { ticket, set } }: { control: TicketControl }) {
  const t = useWords('trade');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={css.choice}
        aria-haspopup="dialog"
        aria-label={`${t('orderType')}: ${t(ticket.type)}`}
        onClick={() => setOpen(true)}
      >
        <span className={css.chosen}>{t(ticket.type)}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      {isOpen ? <TypeSheet value={ticket.type} onChange={set.type} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Advanced({ moment, control }: TicketProps) {
  const t = useWords('trade');
  const own = useWords('mobile-trade');
  const words = useOrderWords();
  const [isOpen, setOpen] = useState(false);
  const { ticket, fields } = control;
  const chosen = [
    ...(fields.timesInForce.length > 0 ? [words.timeInForce(timeInForceOf(ticket))] : []),
    ...(fields.canPostOnly && ticket.postOnly ? [t('postOnly')] : []),
  ].join(' · ');
  return (
    <>
      <button
        type="button"
        className={css.advanced}
        aria-haspopup="dialog"
        aria-label={[own('advanced'), chosen].filter((part) => part !== '').join(': ')}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal size={14} aria-hidden="true" />
        <span>{own('advanced')}</span>
        <span className={css.advancedChosen}>{chosen}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      {isOpen ? <AdvancedSheet control={control} pair={moment.pair} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const STATUS_WORDS: Readonly<Record<PairStatus, 'haltedButton' | 'closedButton' | undefined>> = {
  open: undefined,
  cancelOnly: 'haltedButton',
  closed: 'closedButton',
};

function Submit({ moment: { pair }, control }: TicketProps) {
  const t = useWords('trade');
  const own = useWords('mobile-trade');
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname, search } = useLocation();
  const { side } = control.ticket;
  const paused = STATUS_WORDS[pair.status];
  if (!isSignedIn) {
    return (
      <ButtonLink to={loginPathFor(pathname + search)} wide className={css.submit}>
        {t('loginToTrade')}
      </ButtonLink>
    );
  }
  return (
    <Button
      type="submit"
      wide
      className={css.submit}
      look={side}
      busy={control.isBusy}
      disabled={paused !== undefined}
    >
      {paused === undefined ? t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base }) : own(paused)}
    </Button>
  );
}

const typed = new Map<string, TypedTicket>();

/** Keeps what a person has typed into the ticket of a pair while the app is open; nobody else finds it. */
export function useTicketMemory(symbol: string): TicketMemory {
  const userId = useSession(({ session }) => session?.userId ?? '');
  return useMemo(() => {
    const key = `${userId} ${symbol}`;
    return { recall: () => typed.get(key), keep: (ticket) => void typed.set(key, ticket) };
  }, [symbol, userId]);
}
