import type { Decimal } from '@exchange/core/decimal.ts';
import { ALERT_CONDITIONS, ALERT_PERCENT_DIGITS } from '@exchange/core/price-alert.ts';
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
import { useAlertSentence, useSetAlert } from '@exchange/web-kit/market/alerts.ts';
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
  const moment = { pair, last };
  const form = useForm(initialAlert(), (values) => alertProblems(values, moment));
  const { values } = form;
  const { save, isSaving, unanswered } = useSetAlert(pair, {
    onSet: (set) => {
      // Input that the user changed during the request stays in the form.
      if (JSON.stringify(set) === JSON.stringify(values)) form.reset({ ...values, price: '' });
    },
    refuse: form.refuse,
  });
  const summary = alertSummary(values, moment, locale);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && !isSaving) void save(values);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.last}>
        <span>{t('lastPrice')}</span>
        <Price value={last?.toString()} digits={pair.priceDigits} />
      </p>
      <LevelFields form={form} pair={pair} last={last} />
      <ChannelFields form={form} />
      <p className={classes.summary}>{summary === undefined ? '' : sentenceOf(summary)}</p>
      <UnansweredNote unanswered={unanswered} />
      <Button type="submit" wide busy={isSaving}>
        {t('save')}
      </Button>
      <p className={classes.note}>{t('watchOnly')}</p>
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
      </div>
    </>
  );
}
