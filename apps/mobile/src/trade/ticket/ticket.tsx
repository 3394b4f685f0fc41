import type { PairStatus, Side } from '@exchange/core/pair.ts';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import type { Refusal } from '@exchange/core/refusal.ts';
import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { FarLimit } from '@exchange/web-kit/spot/far-limit.tsx';
import {
  type FillEstimate,
  useFillEstimate,
  useThinBookSentence,
} from '@exchange/web-kit/spot/fill-estimate.ts';
import { useOrderWords, useTriggerSentence } from '@exchange/web-kit/spot/order-words.ts';
import { useLongestTexts } from '@exchange/web-kit/spot/longest-texts.ts';
import { rememberedKind } from '@exchange/web-kit/spot/ticket-memory.ts';
import { VisitorButton } from '@exchange/web-kit/form/visitor-button.tsx';
import { faultyInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import { type TicketMarket, timeInForceOf } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl, TicketMemory, TypedTicket } from '@exchange/web-kit/spot/use-ticket.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
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
  moment: TicketMarket;
  control: TicketControl;
}

/** The order ticket: side, type, prices and amount; the effects of the order are stated above the submit button. */
export function Ticket({ moment, control }: TicketProps) {
  const t = useWords('trade');
  const { ticket, summary, problem } = control;
  const shownProblem = control.isTried ? problem : undefined;
  const estimate = useFillEstimate(ticket, moment);
  const noteId = useId();
  const faulty = faultyInput(shownProblem, ticket);
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
      <Fields
        control={control}
        moment={moment}
        faultOf={(input) => (input === faulty ? noteId : undefined)}
      />
      <Advanced moment={moment} control={control} />
      <Consequence ticket={ticket} summary={summary} estimate={estimate} moment={moment} />
      <OrderSummary moment={moment} control={control} estimate={estimate} />
      <div className={css.foot}>
        <UnansweredNote unanswered={control.unanswered} />
        <Problem id={noteId} problem={shownProblem} />
        <Submit moment={moment} control={control} />
      </div>
      <FarLimit control={control} moment={moment} Frame={Sheet} />
    </form>
  );
}

interface OrderSummaryProps {
  moment: TicketMarket;
  control: TicketControl;
  estimate: FillEstimate | undefined;
}

/**
 * States when a conditional order triggers, or that the visible order book is too thin for a market order, and reserves
 * space for the longest such sentence; renders nothing for limit orders.
 */
function OrderSummary({ moment, control: { ticket, summary }, estimate }: OrderSummaryProps) {
  const t = useWords('trade');
  const { pair } = moment;
  const sentence = useTriggerSentence(ticket, summary, pair);
  const thinBook = useThinBookSentence(ticket, estimate, pair);
  const longest = useLongestTexts(ticket, moment).sentence;
  if (ticket.type === 'limit') return null;
  if (ticket.type === 'market')
    return (
      <p className={css.thinBook} data-longest={longest}>
        <span>{thinBook}</span>
      </p>
    );
  const hint = t(`hint.${ticket.type}`);
  return (
    <p className={css.sentence} data-longest={hint.length > longest.length ? hint : longest}>
      <span>{sentence ?? hint}</span>
    </p>
  );
}

/**
 * Validation error of the order; it is displayed over the figures of the order, so that the button below does not move.
 */
function Problem({ id, problem }: { id: string; problem: Refusal | undefined }) {
  if (problem === undefined) return null;
  return (
    <p id={id} className={css.problem} role="alert">
      {refusalText(problem)}
    </p>
  );
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
  const tMobile = useWords('mobile-trade');
  const words = useOrderWords();
  const [isOpen, setOpen] = useState(false);
  const { ticket, fields } = control;
  const options = [
    ...(fields.timesInForce.length > 0 ? [words.timeInForce(timeInForceOf(ticket))] : []),
    ...(fields.canPostOnly && ticket.postOnly ? [t('postOnly')] : []),
  ].join(' · ');
  return (
    <>
      <button
        type="button"
        className={css.advanced}
        aria-haspopup="dialog"
        aria-label={[tMobile('advanced'), options].filter((part) => part !== '').join(': ')}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal size={14} aria-hidden="true" />
        <span>{tMobile('advanced')}</span>
        <span className={css.advancedChosen}>{options}</span>
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
  const tMobile = useWords('mobile-trade');
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname, search } = useLocation();
  const { side } = control.ticket;
  const paused = STATUS_WORDS[pair.status];
  if (!isSignedIn) {
    return (
      <VisitorButton look={side} to={loginPathFor(pathname + search)} className={css.submit}>
        {t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })}
      </VisitorButton>
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
      {paused === undefined
        ? t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })
        : tMobile(paused)}
    </Button>
  );
}

const storedTickets = new Map<string, TypedTicket>();
const lastUsed = new Map<string, Side>();

/**
 * Hook that stores the ticket's input per user and pair in memory, so until the page is closed or reloaded. A
 * restored input gets the side that the user last used in any ticket, and the order type last chosen on this
 * device.
 */
export function useTicketMemory(symbol: string): TicketMemory & { readonly side: Side } {
  const userId = useSession(({ session }) => session?.userId ?? '');
  return useMemo(() => {
    const key = `${userId} ${symbol}`;
    const side = lastUsed.get(userId) ?? 'buy';
    return {
      side,
      recall: () => {
        const recalled = storedTickets.get(key);
        return recalled && { ...recalled, ticket: { ...recalled.ticket, side, type: rememberedKind() } };
      },
      save: (ticket) => {
        storedTickets.set(key, ticket);
        lastUsed.set(userId, ticket.ticket.side);
      },
    };
  }, [symbol, userId]);
}
