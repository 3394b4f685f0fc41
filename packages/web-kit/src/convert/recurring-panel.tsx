import { RECURRING_COINS_MAX, RECURRING_FREQUENCIES } from '@exchange/core/recurring.ts';
import { Plus, X } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { useBalance } from '../balance/balances.ts';
import { CoinPicker } from '../balance/coin-picker.tsx';
import { serverNow } from '../clock.ts';
import { AmountField } from '../form/amount-field.tsx';
import { DecimalField } from '../form/decimal-field.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm, type FormState } from '../form/use-form.ts';
import { When } from '../format/numbers.tsx';
import { DEVICE_ZONE, timeZoneOptions } from '../format/time-zones.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SegmentedControl, Select } from '../ui/choice.tsx';
import fieldCss from '../ui/field.module.css';
import type { OverlayLook } from '../ui/overlay.tsx';
import { TextField } from '../ui/text-field.tsx';
import css from './recurring.module.css';
import { useConvertInfo } from './convert.ts';
import {
  initialRecurring,
  nextTimes,
  recurringPayload,
  recurringProblems,
  withCoin,
  withoutCoin,
  type RecurringForm,
} from './recurring-form.ts';
import { useCreatePlan } from './recurring.ts';
import { weekdayName } from './recurring-words.ts';

const SHOWN_TIMES = 3;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => index + 1);
/**
 * The last day that every month has; if the user selects a later day, the form explains what happens in shorter months.
 */
const LAST_DAY_OF_EVERY_MONTH = 28;

interface RecurringPanelProps {
  /**
   * The reason why the user cannot create a plan, with a link to the screen on which the user can remove the reason;
   * undefined if there is none or it is unknown yet.
   */
  readonly gate: ReactNode | undefined;
  readonly look: OverlayLook;
}

/** Form of a recurring buy: the paid amount, the coins to buy, and the schedule. */
export function RecurringPanel({ gate, look }: RecurringPanelProps) {
  const t = useWords('recurring');
  const info = useConvertInfo();
  const coins = info.data?.list ?? [];
  const digitsOf = (coin: string) => coins.find(({ currency }) => currency === coin)?.digits ?? 8;
  const form = useForm<RecurringForm>(initialRecurring(DEVICE_ZONE), (values) =>
    recurringProblems(values, digitsOf(values.currency)),
  );
  const { values } = form;
  const { submit, isBusy, unanswered } = useCreatePlan({
    onDone: (intent) => {
      // After success the amount is emptied, unless the user has changed the input during the request.
      if (intent === JSON.stringify(values)) form.reset({ ...values, amount: '' });
    },
    refuse: form.refuse,
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && !isBusy) void submit(JSON.stringify(values), () => recurringPayload(values));
  };
  const names = coins.map(({ currency }) => currency);
  return (
    <form className={css.panel} onSubmit={send} noValidate>
      <h2 className={css.heading}>{t('new')}</h2>
      <PaidFields form={form} coins={names} digits={digitsOf(values.currency)} look={look} />
      <CoinFields form={form} coins={names} look={look} />
      <TimeFields form={form} />
      <NextTimes form={values} />
      <p className={css.note}>{t('terms')}</p>
      <UnansweredNote unanswered={unanswered} />
      {gate === undefined ? (
        <Button type="submit" size="l" wide busy={isBusy}>
          {t('create')}
        </Button>
      ) : (
        <div className={css.gate}>{gate}</div>
      )}
    </form>
  );
}

type Form = FormState<RecurringForm>;

interface CoinsProps {
  readonly form: Form;
  /** All coins between which the exchange converts. */
  readonly coins: readonly string[];
  readonly look: OverlayLook;
}

/** Form fields for the coin that the user pays with and the amount of each buy. */
function PaidFields({ form, coins, digits, look }: CoinsProps & { readonly digits: number }) {
  const t = useWords('recurring');
  const { values } = form;
  const available = useBalance(values.currency)?.availableCurrency;
  return (
    <>
      <Labelled text={t('payWith')}>
        <CoinPicker
          label={t('payWith')}
          look={look}
          coins={coins.length === 0 ? [values.currency] : coins}
          value={values.currency}
          onChange={(coin) => form.set('currency', coin)}
        />
      </Labelled>
      <AmountField
        label={t('amount')}
        coin={values.currency}
        value={values.amount}
        onChange={(amount) => form.set('amount', amount)}
        places={digits}
        available={available}
        error={form.errorOf('amount')}
      />
    </>
  );
}

/** Form fields for the coins to buy and their shares of the paid amount. */
function CoinFields({ form, coins, look }: CoinsProps) {
  const t = useWords('recurring');
  const rows = form.values.coins;
  const free = coins.filter(
    (coin) => coin !== form.values.currency && rows.every((row) => row.coin !== coin),
  );
  const error = form.errorOf('coins');
  const setRow = (index: number, change: { readonly coin?: string; readonly share?: string }) =>
    form.set(
      'coins',
      rows.map((row, at) =>
        at === index ? { coin: change.coin ?? row.coin, share: change.share ?? row.share } : row,
      ),
    );
  return (
    <fieldset className={css.coins}>
      <legend>{t('coins')}</legend>
      {rows.map(({ coin, share }, index) => (
        <div key={coin} className={css.coinRow}>
          <CoinPicker
            label={t('coinAt', { number: index + 1 })}
            size="small"
            look={look}
            coins={[coin, ...free]}
            value={coin}
            onChange={(next) => setRow(index, { coin: next })}
          />
          <DecimalField
            label={t('share')}
            value={share}
            onChange={(next) => setRow(index, { share: next })}
            places={0}
            unit="%"
            disabled={rows.length === 1}
          />
          {rows.length === 1 ? null : (
            <IconButton
              label={t('removeCoin', { coin })}
              onClick={() => form.set('coins', withoutCoin(rows, coin))}
            >
              <X size={18} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {error === undefined ? null : (
        <p className={fieldCss.error} role="alert">
          {error}
        </p>
      )}
      <Button
        look="secondary"
        size="s"
        icon={<Plus size={16} aria-hidden="true" />}
        disabled={free.length === 0 || rows.length >= RECURRING_COINS_MAX}
        onClick={() => form.set('coins', withCoin(rows, free[0] ?? ''))}
      >
        {t('addCoin')}
      </Button>
    </fieldset>
  );
}

/**
 * Form fields for the frequency, the time of day and the time zone of a recurring buy, and for the day of a weekly or
 * monthly one.
 */
function TimeFields({ form }: { readonly form: Form }) {
  const t = useWords('recurring');
  const locale = useLocale();
  const { frequency, weekday, monthDay, time, timeZone } = form.values;
  return (
    <>
      <SegmentedControl
        label={t('frequency')}
        value={frequency}
        onChange={(next) => form.set('frequency', next)}
        options={RECURRING_FREQUENCIES.map((value) => ({ value, label: t(value) }))}
      />
      {frequency === 'week' ? (
        <Labelled text={t('weekday')}>
          <Select
            label={t('weekday')}
            value={weekday}
            onChange={(next) => form.set('weekday', next)}
            options={WEEKDAYS.map((day) => ({ value: String(day), label: weekdayName(day, locale) }))}
          />
        </Labelled>
      ) : null}
      {frequency === 'month' ? (
        <Labelled text={t('monthDay')}>
          <Select
            label={t('monthDay')}
            value={monthDay}
            onChange={(next) => form.set('monthDay', next)}
            options={MONTH_DAYS.map((day) => ({ value: String(day), label: t('dayOfMonth', { day }) }))}
          />
          {Number(monthDay) > LAST_DAY_OF_EVERY_MONTH ? <p className={css.note}>{t('shortMonths')}</p> : null}
        </Labelled>
      ) : null}
      <div className={css.times}>
        <TextField
          type="time"
          label={t('time')}
          value={time}
          onChange={(next) => form.set('time', next.slice(0, 5))}
          error={form.errorOf('time')}
        />
        <Labelled text={t('timeZone')}>
          <Select
            label={t('timeZone')}
            value={timeZone}
            onChange={(next) => form.set('timeZone', next)}
            options={timeZoneOptions(timeZone)}
          />
        </Labelled>
      </div>
    </>
  );
}

/** The times of the next buys in the device's time zone, so that the user notices a wrong day or time zone. */
function NextTimes({ form }: { readonly form: RecurringForm }) {
  const t = useWords('recurring');
  const times = nextTimes(form, serverNow(), SHOWN_TIMES);
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t('nextBuys')}</dt>
        <dd>
          {times.map((at) => (
            <When key={at} at={at} look="minute" />
          ))}
        </dd>
      </div>
    </dl>
  );
}

function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div>
      <span className={fieldCss.label} aria-hidden="true">
        {text}
      </span>
      {children}
    </div>
  );
}
