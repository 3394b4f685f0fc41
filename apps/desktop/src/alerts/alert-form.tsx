import type { Decimal } from '@exchange/core/decimal.ts';
import {
  ALERT_CONDITIONS,
  ALERT_PAUSES,
  ALERT_PERCENT_DIGITS,
  ALERT_SOURCES,
} from '@exchange/core/price-alert.ts';
import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { useForm, type FormState } from '@exchange/web-kit/form/use-form.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  alertProblems,
  alertSummary,
  initialAlert,
  withAlertPrice,
  type AlertForm as AlertValues,
} from '@exchange/web-kit/market/alert-form.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useAlertSentence, useSetAlert, useWatchedPrice } from '@exchange/web-kit/market/alerts.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import type { FormEvent } from 'react';
import classes from './alerts.module.css';

interface AlertFormProps {
  readonly pair: MarketPair;
  readonly last: Decimal | undefined;
}

/** Condition, frequency and channels of an alert, with a summary above the button. */
export function AlertForm({ pair, last }: AlertFormProps) {
  const t = useWords('alerts');
  const locale = useLocale();
  const sentenceOf = useAlertSentence();
  const watchedPrice = useWatchedPrice(pair, last);
  const form = useForm(initialAlert(), (values) =>
    alertProblems(values, { pair, last: watchedPrice(values.source) }),
  );
  const { values } = form;
  const watched = watchedPrice(values.source);
  const { save, isSaving, unanswered } = useSetAlert(pair, {
    onSet: (set) => {
      // Input that the user changed during the request stays in the form.
      if (JSON.stringify(set) === JSON.stringify(values)) form.reset({ ...values, price: '' });
    },
    refuse: form.refuse,
  });
  const summary = alertSummary(values, { pair, last: watched }, locale);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && !isSaving) void save(values);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.last}>
        <span>{t(values.source === 'index' ? 'sourceIndex' : 'lastPrice')}</span>
        <Price value={watched?.toString()} digits={pair.priceDigits} />
      </p>
      <SegmentedControl
        label={t('source')}
        value={values.source}
        onChange={(source) => form.set('source', source)}
        options={ALERT_SOURCES.map((value) => ({
          value,
          label: t(value === 'index' ? 'sourceIndex' : 'sourceLast'),
        }))}
      />
      <LevelFields form={form} pair={pair} last={watched} />
      <ChannelFields form={form} />
      <p className={classes.summary}>{summary === undefined ? '' : sentenceOf(summary)}</p>
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" wide busy={isSaving}>
        {t('save')}
      </Button>
      <p className={classes.note}>{t(values.source === 'index' ? 'watchIndex' : 'watchOnly')}</p>
    </form>
  );
}

type Form = FormState<AlertValues>;

/**
 * The price level or percentage of an alert. Typing a price on the other side of the market price reverses
 * the condition.
 */
function LevelFields({ form, pair, last }: AlertFormProps & { readonly form: Form }) {
  const t = useWords('alerts');
  const { values } = form;
  const typePrice = (text: string): void => {
    const next = withAlertPrice(values, text, last);
    form.set('price', next.price);
    form.set('condition', next.condition);
  };
  return (
    <>
      <span className={classes.question} aria-hidden="true">
        {t('condition')}
      </span>
      <SegmentedControl
        label={t('condition')}
        value={values.condition}
        onChange={(condition) => form.set('condition', condition)}
        options={ALERT_CONDITIONS.map((value) => ({ value, label: t(value) }))}
      />
      {values.condition === 'pct' ? (
        <DecimalField
          label={t('percent')}
          value={values.percent}
          onChange={(percent) => form.set('percent', percent)}
          places={ALERT_PERCENT_DIGITS}
          unit="%"
          error={form.errorOf('percent')}
        />
      ) : (
        <DecimalField
          label={t('price')}
          value={values.price}
          onChange={typePrice}
          places={pair.priceDigits}
          unit={pair.quote}
          error={form.errorOf('price')}
        />
      )}
    </>
  );
}

/** Inputs for the notification channels and for whether the alert repeats. */
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
      <div>
        <Checkbox
          label={t('repeat')}
          checked={values.repeat}
          onChange={(repeat) => form.set('repeat', repeat)}
        />
        <p className={classes.hint}>{t(values.condition === 'pct' ? 'repeatHintPct' : 'repeatHint')}</p>
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
