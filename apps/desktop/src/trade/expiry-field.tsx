import { MINUTE_MS } from '@exchange/core/time.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { localInputOf, momentOfLocalInput, shownMoment } from '@exchange/web-kit/format/local-input.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  expireAtOf,
  expiriesOf,
  type Expiry,
  type Ticket,
  type TicketPair,
} from '@exchange/web-kit/spot/ticket.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { useState } from 'react';
import classes from './ticket.module.css';

interface ExpiryFieldProps {
  readonly ticket: Ticket;
  readonly pair: TicketPair;
  /** `own` comes with its moment in milliseconds UTC, as soon as it is complete. */
  readonly onChange: (expiry: Expiry, ownExpiry?: number) => void;
}

/** How long a GTT order lives, or the very minute at which it ends, in local time. */
export function ExpiryField({ ticket, pair, onChange }: ExpiryFieldProps) {
  const t = useWords('trade');
  // The bounds of the picker are a help; what counts is checked again when the order is placed.
  const [openedAt] = useState(serverNow);
  // A moment of one's own begins with the one chosen before, to the minute that the picker shows.
  const begun = () => shownMoment(expireAtOf(ticket, serverNow()));
  return (
    <>
      <Select
        label={t('expires')}
        className={classes.by}
        value={ticket.expiry}
        onChange={(expiry) => onChange(expiry, begun())}
        options={expiriesOf(pair).map((value) => ({ value, label: t(`expiry.${value}`) }))}
      />
      {ticket.expiry === 'own' && (
        <input
          type="datetime-local"
          className={classes.moment}
          aria-label={t('expiresAt')}
          min={localInputOf(openedAt + MINUTE_MS)}
          max={localInputOf(openedAt + pair.filters.maxLifetimeMs)}
          value={localInputOf(ticket.ownExpiry)}
          onChange={(event) => onChange('own', momentOfLocalInput(event.target.value))}
        />
      )}
    </>
  );
}
