import type { Side } from '@exchange/core/pair.ts';
import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { FarLimit } from '@exchange/web-kit/spot/far-limit.tsx';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { faultyInput, isMistyped } from '@exchange/web-kit/spot/ticket-problem.ts';
import { expireAtOf, type TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { useApplyPreparedOrder } from '@exchange/web-kit/spot/apply-prepared-order.ts';
import { useTicket } from '@exchange/web-kit/spot/use-ticket.ts';
import { VisitorButton } from '@exchange/web-kit/form/visitor-button.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { type FormEvent, memo, useId } from 'react';
import { useLocation } from 'react-router';
import { Consequence } from './consequence.tsx';
import { MoreOptions } from './more-options.tsx';
import { type PickedPrice, usePickedPrice } from './picked-price.ts';
import { TicketFields } from './ticket-fields.tsx';
import classes from './ticket.module.css';

interface TicketFormProps {
  readonly side: Side;
  readonly kind: TicketKind;
  readonly moment: TicketMarket;
  readonly taken: PickedPrice | undefined;
}

/** One side of the order ticket (buy or sell); the effects of the order are stated above its button. */
export const TicketForm = memo(function TicketForm({ side, kind, moment, taken }: TicketFormProps) {
  const t = useWords('trade');
  const { pair } = moment;
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname, search } = useLocation();
  const control = useTicket(moment, side, kind);
  const onUse = usePickedPrice(control, moment, taken);
  useApplyPreparedOrder(control, moment, { side, kind });
  const { ticket, summary, isBusy } = control;
  const isOpen = pair.status === 'open';
  const isShown = control.isTried || ticket.amount !== '' || (ticket.by === 'total' && ticket.total !== '');
  // When the pair accepts no orders, a message above both sides of the ticket says so; this side then shows no problem
  // of its own.
  const activeProblem = isShown && isOpen ? control.problem : undefined;
  // The problem of an invalid number is shown at its input, so it is not repeated above the button.
  const problem = isMistyped(activeProblem, ticket) ? undefined : activeProblem;
  const problemId = useId();
  const faulty = faultyInput(problem, ticket);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && isOpen && isSignedIn) void control.submit();
  };

  return (
    <form className={classes.form} data-side={side} onSubmit={submit} noValidate aria-label={t(side)}>
      <p className={classes.available}>
        <span>{t('available')}</span>
        <Available side={side} moment={moment} />
      </p>
      <TicketFields
        control={control}
        moment={moment}
        onUse={onUse}
        hasShares={isSignedIn}
        faultOf={(input) => (input === faulty ? problemId : undefined)}
      />
      <MoreOptions control={control} pair={pair} />
      <Consequence
        ticket={ticket}
        summary={summary}
        moment={moment}
        expireAt={expireAtOf(ticket, serverNow())}
      />
      <UnansweredNote unanswered={control.unanswered} />
      {isSignedIn ? (
        <Button type="submit" look={side} wide busy={isBusy} disabled={!isOpen}>
          {t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })}
        </Button>
      ) : (
        <VisitorButton look={side} to={loginPathFor(pathname + search)}>
          {t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })}
        </VisitorButton>
      )}
      <p id={problemId} className={classes.problem} role={problem === undefined ? undefined : 'alert'}>
        {problem === undefined ? '' : refusalText(problem)}
      </p>
      <FarLimit control={control} moment={moment} Frame={Dialog} />
    </form>
  );
});

/** The available balance of the coin that an order of this side spends; masked while the user hides balances. */
function Available({ side, moment }: { readonly side: Side; readonly moment: TicketMarket }) {
  const { pair, baseAvailable, quoteAvailable } = moment;
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const isBuy = side === 'buy';
  const value = (isBuy ? quoteAvailable : baseAvailable)?.toString();
  return <Amount value={value} kind="sum" coin={isBuy ? pair.quote : pair.base} hidden={!isVisible} />;
}
