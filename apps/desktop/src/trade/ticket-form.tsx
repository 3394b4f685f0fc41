import type { Side } from '@exchange/core/pair.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { tellingDigits } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import {
  afterPlacing,
  summarise,
  ticketProblem,
  type TicketMoment,
} from '@exchange/web-kit/spot/ticket-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useState, type FormEvent } from 'react';
import { Consequence } from './consequence.tsx';
import { MoreOptions } from './more-options.tsx';
import type { TakenPrice } from './taken-price.ts';
import { TicketFields } from './ticket-fields.tsx';
import classes from './ticket.module.css';
import { usePlacing } from './use-placing.ts';
import { useTicket } from './use-ticket.ts';
import { VisitorButtons } from './visitor-buttons.tsx';

interface TicketFormProps {
  readonly side: Side;
  readonly type: OrderType;
  readonly moment: TicketMoment;
  readonly taken: TakenPrice | undefined;
}

/** One side of the ticket, with the whole consequence stated above its button. */
export function TicketForm({ side, type, moment, taken }: TicketFormProps) {
  const t = useWords('trade');
  const { pair } = moment;
  const isSignedIn = useSession(({ session }) => session !== null);
  const [ticket, setTicket] = useTicket(side, type, moment, taken);
  const [isTried, setTried] = useState(false);
  const { place, isPlacing } = usePlacing(pair, (placed) => {
    setTicket(afterPlacing(placed));
    setTried(false);
  });

  const summary = summarise(ticket, moment);
  const available = summary.available?.toString();
  const isEmpty = ticket.amount === '' && ticket.total === '';
  const problem = isTried || !isEmpty ? ticketProblem(ticket, moment) : undefined;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (ticketProblem(ticket, moment) === undefined) place(ticket);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.available}>
        <span>{t('available')}</span>
        <Amount
          value={available}
          digits={tellingDigits(available ?? '', side === 'buy' ? pair.priceDigits : pair.amountDigits)}
          coin={summary.spentCoin}
        />
      </p>
      <TicketFields ticket={ticket} moment={moment} onChange={setTicket} hasShares={isSignedIn} />
      <Consequence summary={summary} />
      {isSignedIn ? (
        <Button type="submit" look={side} wide busy={isPlacing}>
          {t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })}
        </Button>
      ) : (
        <VisitorButtons />
      )}
      <p className={classes.problem} role={problem === undefined ? undefined : 'alert'}>
        {problem === undefined ? '' : refusalText(problem)}
      </p>
      {type === 'limit' && <MoreOptions ticket={ticket} onChange={setTicket} />}
    </form>
  );
}
