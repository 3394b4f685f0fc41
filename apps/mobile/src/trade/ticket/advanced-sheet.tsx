import type { StopDirection } from '@exchange/core/spot.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { formatTime } from '@exchange/web-kit/format/format.ts';
import { localInputOf, timeOfLocalInput, cutToMinute } from '@exchange/web-kit/format/local-input.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ApiCallButton } from '@exchange/web-kit/spot/api-call-button.tsx';
import { directionOf } from '@exchange/web-kit/spot/ticket-figures.ts';
import {
  expireAtOf,
  expiriesOf,
  timeInForceOf,
  type SelfTradeMode,
  type TicketPair,
} from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { OptionList } from '../../shell/option-list.tsx';
import css from './sheets.module.css';

const MODES: readonly SelfTradeMode[] = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'];

interface AdvancedProps {
  control: TicketControl;
  pair: TicketPair;
}

/**
 * Sheet with rarely used order options: trigger direction, time in force with expiry, post-only, self-trade prevention,
 * and the order as an API call.
 */
export default function AdvancedSheet({ control, pair, onClose }: AdvancedProps & { onClose: () => void }) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const shell = useWords('shell');
  const { ticket, fields, set } = control;
  return (
    <Sheet isOpen onClose={onClose} title={t('advanced')} closeLabel={shell('close')}>
      {fields.hasDirection ? <Direction control={control} /> : null}
      {fields.timesInForce.length > 0 ? <Validity control={control} pair={pair} /> : null}
      {fields.canPostOnly ? (
        <section className={css.group}>
          <div className={css.switchRow}>
            <div>
              <h3>{trade('postOnly')}</h3>
              <p>{trade('postOnlyHint')}</p>
            </div>
            <Switch
              label={<span className="visually-hidden">{trade('postOnly')}</span>}
              checked={ticket.postOnly}
              onChange={set.postOnly}
            />
          </div>
        </section>
      ) : null}
      <section className={css.group}>
        <h3 className={css.heading}>{trade('selfTrade')}</h3>
        <OptionList<SelfTradeMode>
          label={trade('selfTrade')}
          value={ticket.stp}
          onChange={set.selfTrade}
          options={MODES.map((mode) => ({
            value: mode,
            label: trade(`stp.${mode}`),
            hint: t(`stpHint.${mode}`),
          }))}
        />
      </section>
      <section className={css.group}>
        <ApiCallButton ticket={ticket} pair={pair} shows="below" />
      </section>
      <div className={css.done}>
        <Button size="l" wide onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Sheet>
  );
}

function Direction({ control: { ticket, set } }: { control: TicketControl }) {
  const trade = useWords('trade');
  return (
    <section className={css.group}>
      <h3 className={css.heading}>{trade('direction')}</h3>
      <OptionList<StopDirection>
        label={trade('direction')}
        value={directionOf(ticket)}
        onChange={set.direction}
        options={[
          { value: 'gte', label: trade('directionGte') },
          { value: 'lte', label: trade('directionLte') },
        ]}
      />
    </section>
  );
}

const TIME_WORDS = { GTC: 'gtc', GTT: 'gtt', IOC: 'ioc', FOK: 'fok' } as const;

function Validity({ control, pair }: AdvancedProps) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const timeInForce = timeInForceOf(control.ticket);
  return (
    <section className={css.group}>
      <h3 className={css.heading}>{trade('timeInForce')}</h3>
      <OptionList
        label={trade('timeInForce')}
        value={timeInForce}
        onChange={control.set.timeInForce}
        options={control.fields.timesInForce.map((timeInForce) => ({
          value: timeInForce,
          label: trade(TIME_WORDS[timeInForce]),
          hint: t(`tifHint.${timeInForce}`),
        }))}
      />
      {timeInForce === 'GTT' ? <ExpiryChoice control={control} pair={pair} /> : null}
    </section>
  );
}

function ExpiryChoice({ control: { ticket, set }, pair }: AdvancedProps) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const locale = useLocale();
  const now = serverNow();
  const endsAt = expireAtOf(ticket, now);
  return (
    <div role="group" aria-label={trade('expires')}>
      <div className={css.chips}>
        {expiriesOf(pair).map((expiry) => (
          <button
            key={expiry}
            type="button"
            className={css.chip}
            aria-pressed={ticket.expiry === expiry}
            onClick={() => set.expiry(expiry, cutToMinute(endsAt))}
          >
            {trade(`expiry.${expiry}`)}
          </button>
        ))}
      </div>
      {ticket.expiry === 'own' ? (
        <input
          type="datetime-local"
          className={css.moment}
          aria-label={trade('expiresAt')}
          min={localInputOf(now)}
          value={localInputOf(ticket.ownExpiry)}
          onChange={(event) => set.expiry('own', timeOfLocalInput(event.currentTarget.value))}
        />
      ) : null}
      {endsAt === undefined ? null : (
        <p className={css.ends}>{t('endsAt', { time: formatTime(endsAt, locale) })}</p>
      )}
    </div>
  );
}
