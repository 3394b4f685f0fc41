import { Decimal } from '@exchange/core/decimal.ts';
import { ALERT_PAUSES, ALERT_PERCENT_DIGITS } from '@exchange/core/price-alert.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { NumberBox } from '@exchange/web-kit/form/number-box.tsx';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import type { Unanswered } from '@exchange/web-kit/form/use-keyed-submit.ts';
import { refusalText, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  AlertConditionFields,
  type AlertFields,
  AlertOrderFields,
  AlertReview,
} from '@exchange/web-kit/market/alert-fields.tsx';
import {
  type AlertContext,
  alertProblems,
  alertSummary,
  type AlertForm as AlertValues,
  initialAlert,
  repeatHintOf,
  watchedSource,
  withAlertPrice,
} from '@exchange/web-kit/market/alert-form.ts';
import {
  useAlerts,
  useCrossedWords,
  useAlertSentence,
  useSetAlert,
  useWatchedPrice,
} from '@exchange/web-kit/market/alerts.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox, Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { Bell } from 'lucide-react';
import { useId, useState } from 'react';
import { useLocation } from 'react-router';
import { AlertRow } from './alert-row.tsx';
import css from './alert-sheet.module.css';

interface AlertSheetProps {
  pair: MarketPair;
  onClose: () => void;
}

/** Sheet with the price alerts of a pair: a form that creates an alert, and the list of active alerts. */
export default function AlertSheet({ pair, onClose }: AlertSheetProps) {
  const t = useWords('alerts');
  const shell = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  const title = t('addFor', { pair: `${pair.base}/${pair.quote}` });
  return (
    <Sheet isOpen onClose={onClose} title={title} closeLabel={shell('close')}>
      {isSignedIn ? (
        <>
          <AlertForm pair={pair} />
          <ActiveAlerts pair={pair} />
        </>
      ) : (
        <SignInFirst />
      )}
    </Sheet>
  );
}

function SignInFirst() {
  const t = useWords('alerts');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      icon={<Bell size={22} />}
      text={t('signIn')}
      action={
        <ButtonLink to={loginPathFor(pathname + search)} look="secondary">
          {shell('login')}
        </ButtonLink>
      }
    />
  );
}

function AlertForm({ pair }: { pair: MarketPair }) {
  const t = useWords('alerts');
  const locale = useLocale();
  const control = useAlertForm(pair);
  const sentenceOf = useAlertSentence();
  const { form, moment, set, shown } = control;
  const problemId = useId();
  const summary = alertSummary(form, moment, locale, useCrossedWords());
  const fields: AlertFields = {
    values: form,
    set,
    faultIdOf: (field) => (control.faulty.includes(field) ? problemId : undefined),
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void control.submit();
      }}
    >
      {control.isReviewing ? (
        <AlertReview
          values={form}
          summary={summary}
          pair={pair}
          isSaving={control.isBusy}
          onBack={control.leaveReview}
        />
      ) : (
        <>
          <ConditionFields control={control} fields={fields} pair={pair} problemId={problemId} />
          <p className={css.summary}>{summary === undefined ? ' ' : sentenceOf(summary)}</p>
          <AlertOrderFields {...fields} pair={pair} />
          <ChannelFields form={form} set={set} />
          {shown.length === 0 ? null : (
            <p id={problemId} className={css.problem} role="alert">
              {shown.map(refusalText).join(' ')}
            </p>
          )}
          <Button type="submit" size="l" wide busy={control.isBusy}>
            {t(form.hasOrder ? 'order.next' : 'save')}
          </Button>
        </>
      )}
      <UnansweredNote unanswered={control.unanswered} />
    </form>
  );
}

interface ConditionProps {
  control: AlertControl;
  fields: AlertFields;
  pair: MarketPair;
  problemId: string;
}

/** Inputs for the price that an alert watches, the condition, and the numbers that the condition needs. */
function ConditionFields({ control, fields, pair, problemId }: ConditionProps) {
  return (
    <>
      <AlertConditionFields fields={fields} sourceClassName={css.segments} />
      <Level control={control} pair={pair} problemId={problemId} />
    </>
  );
}

/**
 * Inputs for the channels of notification, and for whether the alert repeats; an alert that places an order cannot
 * repeat.
 */
function ChannelFields({ form, set }: Pick<AlertControl, 'form' | 'set'>) {
  const t = useWords('alerts');
  return (
    <>
      <div className={css.ways} role="group" aria-label={t('channels')}>
        <Checkbox label={t('inbox')} checked={form.inbox} onChange={(inbox) => set({ inbox })} />
        <Checkbox label={t('mail')} checked={form.mail} onChange={(mail) => set({ mail })} />
        {form.hasOrder ? null : (
          <Switch label={t('repeat')} checked={form.repeat} onChange={(repeat) => set({ repeat })} />
        )}
      </div>
      <p className={css.hint}>{t('pushHint')}</p>
      {form.repeat && !form.hasOrder ? (
        <>
          <p className={css.hint}>{t(repeatHintOf(form))}</p>
          <SegmentedControl
            label={t('pause')}
            className={css.segments}
            value={form.pauseMinutes}
            onChange={(pauseMinutes) => set({ pauseMinutes })}
            options={ALERT_PAUSES.map((minutes) => ({
              value: `${minutes}` as const,
              label: t(`pause${minutes}`),
            }))}
          />
        </>
      ) : null}
    </>
  );
}

function Level({
  control: { form, set, setPrice, faulty },
  pair,
  problemId,
}: {
  control: AlertControl;
  pair: MarketPair;
  problemId: string;
}) {
  const t = useWords('alerts');
  if (form.condition !== 'pct' && form.condition !== 'gte' && form.condition !== 'lte') return null;
  return form.condition === 'pct' ? (
    <NumberBox
      label={t('percent')}
      unit="%"
      value={form.percent}
      onChange={(percent) => set({ percent })}
      places={ALERT_PERCENT_DIGITS}
      faultId={faulty.includes('percent') ? problemId : undefined}
    />
  ) : (
    <NumberBox
      label={t('price')}
      unit={pair.quote}
      value={form.price}
      onChange={setPrice}
      places={pair.priceDigits}
      faultId={faulty.includes('price') ? problemId : undefined}
      steps
    />
  );
}

function ActiveAlerts({ pair }: { pair: MarketPair }) {
  const t = useWords('alerts');
  const alerts = useAlerts(pair.symbol).data;
  if (alerts === undefined || alerts.list.length === 0) return null;
  return (
    <section className={css.watching} aria-label={t('title')}>
      <ul>
        {alerts.list.map((alert) => (
          <AlertRow key={alert.id} alert={alert} priceDigits={pair.priceDigits} />
        ))}
      </ul>
      <p className={css.hint}>{t('watchOnly')}</p>
    </section>
  );
}

interface AlertControl {
  readonly form: AlertValues;
  readonly moment: AlertContext;
  readonly set: (part: Partial<AlertValues>) => void;
  /**
   * Sets the price level of the alert; if the level is above or below the watched price, also the condition ("rises to"
   * or "falls to").
   */
  readonly setPrice: (price: string) => void;
  /**
   * Validation errors of the alert form to show: none before the user first submits it, and none after an input was
   * changed until it is submitted again.
   */
  readonly shown: readonly Refusal[];
  readonly faulty: readonly string[];
  readonly isBusy: boolean;
  readonly unanswered: Unanswered | undefined;
  /** True while the sheet shows the alert and the order that it will place, for the user to confirm. */
  readonly isReviewing: boolean;
  readonly leaveReview: () => void;
  readonly submit: () => Promise<void>;
}

/**
 * Hook with the state of the form that creates an alert. The price level is initially the last price of the
 * pair.
 */
function useAlertForm(pair: MarketPair): AlertControl {
  const last = useLastPrice(pair.symbol);
  const lastPrice = last === undefined ? undefined : Decimal.tryParse(last);
  const watchedPrice = useWatchedPrice(pair, lastPrice);
  const [typed, setTyped] = useState<AlertValues>();
  const [start, setStart] = useState(last);
  if (start === undefined && last !== undefined) setStart(last);
  const form = typed ?? initialAlert(start ?? '', lastPrice);
  const source = watchedSource(form);
  const moment: AlertContext = { pair, last: watchedPrice(source), tradable: pair };
  const [isReviewing, setReviewing] = useState(false);
  const [isTried, setTried] = useState(false);
  const problems = alertProblems(form, moment);
  const errors = Object.entries(problems);

  const change = (nextForm: AlertValues) => {
    setTried(false);
    setTyped(nextForm);
  };
  const { save, isSaving, unanswered } = useSetAlert(pair, {
    onSet: (set) => {
      setReviewing(false);
      // After the alert is created, the price and the inputs of the order are emptied only if the user has
      // changed no input since the request was sent; all other inputs keep their values.
      if (JSON.stringify(set) === JSON.stringify(form))
        change({ ...form, price: '', hasOrder: false, orderPrice: '', orderAmount: '' });
    },
  });
  const submit = async () => {
    setTried(true);
    if (errors.length > 0) {
      setReviewing(false);
      return;
    }
    if (form.hasOrder && !isReviewing) setReviewing(true);
    else await save(form);
  };
  return {
    form,
    moment,
    set: (part) => change({ ...form, ...part }),
    setPrice: (price) => change(withAlertPrice(form, price, moment.last)),
    shown: isTried ? errors.map(([, problem]) => problem) : [],
    faulty: isTried ? errors.map(([field]) => field) : [],
    isBusy: isSaving,
    unanswered,
    isReviewing,
    leaveReview: () => setReviewing(false),
    submit,
  };
}
