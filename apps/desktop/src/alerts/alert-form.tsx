import type { Decimal } from '@exchange/core/decimal.ts';
import { ALERT_PAUSES, ALERT_PERCENT_DIGITS } from '@exchange/core/price-alert.ts';
import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { useForm, type FormState } from '@exchange/web-kit/form/use-form.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  AlertConditionFields,
  AlertOrderFields,
  AlertReview,
  type AlertFields,
} from '@exchange/web-kit/market/alert-fields.tsx';
import {
  alertProblems,
  alertSummary,
  initialAlert,
  repeatHintOf,
  watchedSource,
  withAlertPrice,
  type AlertForm as AlertValues,
} from '@exchange/web-kit/market/alert-form.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import {
  useAlertSentence,
  useSetAlert,
  useWatchedPrice,
  useCrossedWords,
} from '@exchange/web-kit/market/alerts.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import { useState, type FormEvent } from 'react';
import classes from './alerts.module.css';

interface AlertFormProps {
  readonly pair: MarketPair;
  readonly last: Decimal | undefined;
}

/**
 * Form of a new price alert: the condition, an optional order that is placed when the alert fires, the frequency and
 * the channels of notification, with a summary above the button. An alert with an order is shown for confirmation
 * before it is created.
 */
export function AlertForm({ pair, last }: AlertFormProps) {
  const t = useWords('alerts');
  const locale = useLocale();
  const sentenceOf = useAlertSentence();
  const watchedPrice = useWatchedPrice(pair, last);
  const [isReviewing, setReviewing] = useState(false);
  const form = useForm(initialAlert(), (values) =>
    alertProblems(values, { pair, last: watchedPrice(watchedSource(values)), tradable: pair }),
  );
  const { values } = form;
  const source = watchedSource(values);
  const watched = watchedPrice(source);
  const { save, isSaving, unanswered } = useSetAlert(pair, {
    onSet: (set) => {
      setReviewing(false);
      // After the alert is created, the price and the inputs of the order are emptied only if the user has
      // changed no input since the request was sent; all other inputs keep their values.
      if (JSON.stringify(set) === JSON.stringify(values))
        form.reset({ ...values, price: '', hasOrder: false, orderPrice: '', orderAmount: '' });
    },
    refuse: (error) => {
      setReviewing(false);
      return form.refuse(error);
    },
  });
  const summary = alertSummary(values, { pair, last: watched }, locale, useCrossedWords());

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!form.check()) {
      setReviewing(false);
      return;
    }
    if (values.hasOrder && !isReviewing) setReviewing(true);
    else if (!isSaving) void save(values);
  };
  const fields: AlertFields = {
    values,
    set: (part) => {
      for (const [field, value] of Object.entries(part)) form.set(field as keyof AlertValues, value);
    },
    errorOf: (field) => form.errorOf(field),
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.last}>
        <span>{t(source === 'index' ? 'sourceIndex' : 'lastPrice')}</span>
        <Price value={watched?.toString()} digits={pair.priceDigits} />
      </p>
      {isReviewing ? (
        <AlertReview
          values={values}
          summary={summary}
          pair={pair}
          isSaving={isSaving}
          onBack={() => setReviewing(false)}
        />
      ) : (
        <>
          <ConditionFields form={form} fields={fields} pair={pair} last={watched} />
          <AlertOrderFields {...fields} pair={pair} />
          <ChannelFields form={form} />
          <p className={classes.summary}>{summary === undefined ? '' : sentenceOf(summary)}</p>
          <Button type="submit" wide busy={isSaving}>
            {t(values.hasOrder ? 'order.next' : 'save')}
          </Button>
          <p className={classes.note}>{t(source === 'index' ? 'watchIndex' : 'watchOnly')}</p>
        </>
      )}
      <UnansweredNote unanswered={unanswered} />
    </form>
  );
}

type Form = FormState<AlertValues>;

interface ConditionProps extends AlertFormProps {
  readonly form: Form;
  readonly fields: AlertFields;
}

/**
 * Inputs for the watched price and the condition of a price alert, for the moving average, indicator or time window
 * that the condition needs, and for its price level or percentage.
 */
function ConditionFields({ form, fields, pair, last }: ConditionProps) {
  return (
    <>
      <AlertConditionFields fields={fields} />
      <LevelFields form={form} pair={pair} last={last} />
    </>
  );
}

/**
 * Input for the price level or the percentage of an alert; renders nothing for conditions that need neither. A price
 * that the user types above or below the watched price sets the condition to "rises to" or "falls to".
 */
function LevelFields({ form, pair, last }: AlertFormProps & { readonly form: Form }) {
  const t = useWords('alerts');
  const { values } = form;
  const typePrice = (text: string): void => {
    const next = withAlertPrice(values, text, last);
    form.set('price', next.price);
    form.set('condition', next.condition);
  };
  if (values.condition === 'pct')
    return (
      <DecimalField
        label={t('percent')}
        value={values.percent}
        onChange={(percent) => form.set('percent', percent)}
        places={ALERT_PERCENT_DIGITS}
        unit="%"
        error={form.errorOf('percent')}
      />
    );
  if (values.condition !== 'gte' && values.condition !== 'lte') return null;
  return (
    <DecimalField
      label={t('price')}
      value={values.price}
      onChange={typePrice}
      places={pair.priceDigits}
      unit={pair.quote}
      error={form.errorOf('price')}
    />
  );
}

/**
 * Inputs for the channels of notification, and for whether the alert repeats and after which pause; an alert that
 * places an order cannot repeat.
 */
function ChannelFields({ form }: { readonly form: Form }) {
  const t = useWords('alerts');
  const { values } = form;
  return (
    <>
      <fieldset className={classes.choices}>
        <legend>{t('channels')}</legend>
        <Checkbox
          label={t('inbox')}
          checked={values.inbox}
          onChange={(inbox) => form.set('inbox', inbox)}
          error={form.errorOf('inbox')}
        />
        <Checkbox label={t('mail')} checked={values.mail} onChange={(mail) => form.set('mail', mail)} />
      </fieldset>
      <p className={classes.hint}>{t('pushHint')}</p>
      <div hidden={values.hasOrder}>
        <Checkbox
          label={t('repeat')}
          checked={values.repeat}
          onChange={(repeat) => form.set('repeat', repeat)}
        />
        <p className={classes.hint}>{t(repeatHintOf(values))}</p>
        {values.repeat ? (
          <SegmentedControl
            label={t('pause')}
            value={values.pauseMinutes}
            onChange={(minutes) => form.set('pauseMinutes', minutes)}
            options={ALERT_PAUSES.map((minutes) => ({
              value: `${minutes}` as const,
              label: t(`pause${minutes}`),
            }))}
          />
        ) : null}
      </div>
    </>
  );
}
