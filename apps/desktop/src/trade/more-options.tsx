import type { TimeInForce } from '@exchange/core/spot.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { localInputOf, timeOfLocalInput, cutToMinute } from '@exchange/web-kit/format/local-input.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ApiCallButton } from '@exchange/web-kit/spot/api-call-button.tsx';
import { directionOf } from '@exchange/web-kit/spot/ticket-figures.ts';
import {
  expireAtOf,
  expiriesOf,
  type Expiry,
  type SelfTradeMode,
  type Ticket,
  type TicketPair,
  timeInForceOf,
} from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { type ReactNode, useState } from 'react';
import classes from './ticket.module.css';

const SELF_TRADE_CHOICES = [
  'cancelTaker',
  'cancelMaker',
  'cancelBoth',
  'decrement',
] as const satisfies readonly SelfTradeMode[];

interface MoreOptionsProps {
  readonly control: TicketControl;
  readonly pair: TicketPair;
}

/** A section that the user can open, with rarely used order options, which are rendered only while it is open. */
export function MoreOptions(props: MoreOptionsProps) {
  const t = useWords('trade');
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('more')}</summary>
      {isOpen && <Options {...props} />}
    </details>
  );
}

/**
 * Optional inputs of the order ticket: time in force and expiry, post-only, trigger direction and self-trade
 * prevention; and a button that shows the order as an API call.
 */
function Options({ control, pair }: MoreOptionsProps) {
  const t = useWords('trade');
  const { ticket, fields, set } = control;
  const time = timeInForceOf(ticket);
  return (
    <>
      {fields.timesInForce.length > 0 && <Validity control={control} value={time} />}
      {time === 'GTT' && <ExpiryField ticket={ticket} pair={pair} onChange={set.expiry} />}
      {fields.canPostOnly && (
        <div title={t('postOnlyHint')}>
          <Checkbox label={t('postOnly')} checked={ticket.postOnly} onChange={set.postOnly} />
        </div>
      )}
      {fields.hasDirection && (
        <Labelled name={t('direction')}>
          <Select
            label={t('direction')}
            className={classes.by}
            value={directionOf(ticket)}
            onChange={set.direction}
            options={[
              { value: 'gte', label: t('directionGte') },
              { value: 'lte', label: t('directionLte') },
            ]}
          />
        </Labelled>
      )}
      <Labelled name={t('selfTrade')}>
        <Select
          label={t('selfTrade')}
          className={classes.by}
          value={ticket.stp}
          onChange={set.selfTrade}
          options={SELF_TRADE_CHOICES.map((value) => ({ value, label: t(`stp.${value}`) }))}
        />
      </Labelled>
      <ApiCallButton ticket={ticket} pair={pair} shows="dialog" />
    </>
  );
}

function Validity({ control, value }: { readonly control: TicketControl; readonly value: TimeInForce }) {
  const t = useWords('trade');
  const words: Readonly<Record<TimeInForce, string>> = {
    GTC: t('gtc'),
    GTT: t('gtt'),
    IOC: t('ioc'),
    FOK: t('fok'),
  };
  return (
    <Labelled name={t('timeInForce')}>
      <Select
        label={t('timeInForce')}
        className={classes.by}
        value={value}
        onChange={control.set.timeInForce}
        options={control.fields.timesInForce.map((time) => ({ value: time, label: time }))}
      />
      <small>{words[value]}</small>
    </Labelled>
  );
}

/** A control with a visible label above it; the control itself carries the accessible name. */
function Labelled({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.labelled}>
      <span aria-hidden="true">{name}</span>
      {children}
    </div>
  );
}

interface ExpiryFieldProps {
  readonly ticket: Ticket;
  readonly pair: TicketPair;
  /**
   * Called when the user changes when a GTT order expires. For the choice `own`, `ownExpiry` is the exact expiry in
   * milliseconds UTC, or undefined while its input is incomplete; for all other choices it is ignored.
   */
  readonly onChange: (expiry: Expiry, ownExpiry?: number) => void;
}

/** Inputs for the lifetime of a GTT order, or for the exact minute of its expiry in local time. */
function ExpiryField({ ticket, pair, onChange }: ExpiryFieldProps) {
  const t = useWords('trade');
  // The minimum and maximum of the date picker, which are calculated from this time, are only hints; the validation of
  // the order decides which expiry is valid.
  const [openedAt] = useState(serverNow);
  // When the user switches to an exact expiry, it is initially the expiry of the previously chosen lifetime, rounded
  // down to the minute.
  const initialExpiry = () => cutToMinute(expireAtOf(ticket, serverNow()));
  return (
    <>
      <Select
        label={t('expires')}
        className={classes.by}
        value={ticket.expiry}
        onChange={(expiry) => onChange(expiry, initialExpiry())}
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
          onChange={(event) => onChange('own', timeOfLocalInput(event.target.value))}
        />
      )}
    </>
  );
}
