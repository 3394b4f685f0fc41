import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import {
  ALERT_AVERAGES,
  ALERT_CONDITIONS,
  ALERT_ORDER_TYPES,
  ALERT_PERCENT_DIGITS,
  ALERT_SOURCES,
  ALERT_WINDOW_NAMES,
  ALERT_WINDOWS,
  isAveragePair,
  isCross,
  RSI_LEVELS,
  TIMER_NAMES,
} from '@exchange/core/price-alert.ts';
import type { ReactNode } from 'react';
import { DecimalField } from '../form/decimal-field.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { SegmentedControl, Select } from '../ui/choice.tsx';
import css from './alert-fields.module.css';
import {
  type AlertForm,
  type AlertSentence,
  alertOrderLine,
  crossFields,
  formOrderLine,
  withIndicator,
} from './alert-form.ts';
import { type Alert, useAlertSentence } from './alerts.ts';
import type { MarketPair } from './pair.ts';

/** State of the form of a new price alert, for the fields that the desktop and the mobile site share. */
export interface AlertFields {
  readonly values: AlertForm;
  readonly set: (part: Partial<AlertForm>) => void;
  /** The error text to show below a field; absent on the site that shows all errors in one place. */
  readonly errorOf?: (field: keyof AlertForm) => string | undefined;
  /** ID of the element that shows a field's error, for the site that shows all errors in one place. */
  readonly faultIdOf?: (field: keyof AlertForm) => string | undefined;
}

/**
 * Fields for the alert's condition, for the watched price unless the condition is a crossing, and for the numbers of a
 * move or a crossing (of a moving average or another indicator).
 */
export function AlertConditionFields({
  fields,
  sourceClassName,
}: {
  readonly fields: AlertFields;
  readonly sourceClassName?: string | undefined;
}) {
  const t = useWords('alerts');
  const { condition, source } = fields.values;
  return (
    <>
      {isCross(condition) ? null : (
        <SegmentedControl
          label={t('source')}
          className={sourceClassName}
          value={source}
          onChange={(chosen) => fields.set({ source: chosen })}
          options={ALERT_SOURCES.map((value) => ({
            value,
            label: t(value === 'index' ? 'sourceIndex' : 'sourceLast'),
          }))}
        />
      )}
      <ConditionField {...fields} />
      {isCross(condition) ? <AverageFields {...fields} /> : null}
      {condition === 'move' ? <MoveFields {...fields} /> : null}
    </>
  );
}

/** Select box for the condition of a price alert. */
function ConditionField({ values, set }: AlertFields) {
  const t = useWords('alerts');
  return (
    <Labelled text={t('condition')}>
      <Select
        label={t('condition')}
        value={values.condition}
        onChange={(condition) => set({ condition })}
        options={ALERT_CONDITIONS.map((value) => ({ value, label: t(value) }))}
      />
    </Labelled>
  );
}

/** Fields for the percentage and the time of a condition on a price move within that time. */
function MoveFields({ values, set, errorOf, faultIdOf }: AlertFields) {
  const t = useWords('alerts');
  return (
    <div className={css.fields}>
      <DecimalField
        label={t('percent')}
        value={values.percent}
        onChange={(percent) => set({ percent })}
        places={ALERT_PERCENT_DIGITS}
        unit="%"
        error={errorOf?.('percent')}
        faultId={faultIdOf?.('percent')}
      />
      <Labelled text={t('window')}>
        <SegmentedControl
          label={t('window')}
          value={values.windowMinutes}
          onChange={(windowMinutes) => set({ windowMinutes })}
          options={ALERT_WINDOWS.map((minutes) => ({
            value: `${minutes}` as const,
            label: ALERT_WINDOW_NAMES[minutes],
          }))}
        />
      </Labelled>
      <p className={css.hint}>{t('windowHint')}</p>
    </div>
  );
}

/** Fields for the moving average that the close of a candle has to cross, or for another indicator. */
function AverageFields({ values, set, errorOf, faultIdOf }: AlertFields) {
  const t = useWords('alerts');
  const numbers = crossFields(values.average);
  return (
    <div className={css.fields}>
      <Labelled text={t('average')}>
        <Select
          label={t('average')}
          value={values.average}
          onChange={(average) => set(withIndicator(values, average))}
          options={ALERT_AVERAGES.map((value) => ({ value, label: t(`indicator.${value}`) }))}
        />
      </Labelled>
      {numbers.length === 0 ? null : (
        <div className={css.row}>
          {numbers.map((field) => (
            <DecimalField
              key={field}
              label={t(field === 'averagePeriod' && isAveragePair(values.average) ? 'averageFast' : field)}
              value={values[field]}
              onChange={(value) => set({ [field]: value })}
              places={field === 'averageLevel' ? RSI_LEVELS.places : 0}
              error={errorOf?.(field)}
              faultId={faultIdOf?.(field)}
            />
          ))}
        </div>
      )}
      <Labelled text={t('averageTimer')}>
        <Select
          label={t('averageTimer')}
          value={values.averageTimer}
          onChange={(averageTimer) => set({ averageTimer })}
          options={CANDLE_TIMERS.map((value) => ({ value, label: TIMER_NAMES[value] }))}
        />
      </Labelled>
      <p className={css.hint}>{t('crossHint')}</p>
    </div>
  );
}

/**
 * Checkbox that adds an order to the alert, and the fields of that order, which the exchange places when the alert
 * triggers.
 */
export function AlertOrderFields({
  values,
  set,
  errorOf,
  faultIdOf,
  pair,
}: AlertFields & { readonly pair: MarketPair }) {
  const t = useWords('alerts');
  return (
    <div className={css.fields}>
      <Checkbox label={t('order.add')} checked={values.hasOrder} onChange={(hasOrder) => set({ hasOrder })} />
      {values.hasOrder ? (
        <>
          <SegmentedControl
            label={t('order.side')}
            look="sides"
            value={values.side}
            onChange={(side) => set({ side })}
            options={[
              { value: 'buy', label: t('order.buy') },
              { value: 'sell', label: t('order.sell') },
            ]}
          />
          <SegmentedControl
            label={t('order.type')}
            value={values.orderType}
            onChange={(orderType) => set({ orderType })}
            options={ALERT_ORDER_TYPES.map((value) => ({ value, label: t(`order.${value}`) }))}
          />
          {values.orderType === 'limit' ? (
            <DecimalField
              label={t('order.price')}
              value={values.orderPrice}
              onChange={(orderPrice) => set({ orderPrice })}
              places={pair.priceDigits}
              unit={pair.quote}
              error={errorOf?.('orderPrice')}
              faultId={faultIdOf?.('orderPrice')}
            />
          ) : null}
          <DecimalField
            label={t('order.amount')}
            value={values.orderAmount}
            onChange={(orderAmount) => set({ orderAmount })}
            places={pair.amountDigits}
            unit={pair.base}
            error={errorOf?.('orderAmount')}
            faultId={faultIdOf?.('orderAmount')}
          />
          <p className={css.hint}>{t('order.note')}</p>
        </>
      ) : null}
    </div>
  );
}

interface AlertReviewProps {
  readonly values: AlertForm;
  readonly summary: AlertSentence | undefined;
  readonly pair: MarketPair;
  readonly isSaving: boolean;
  readonly onBack: () => void;
}

/** Describes an alert and its order in words, with the button that submits both. */
export function AlertReview({ values, summary, pair, isSaving, onBack }: AlertReviewProps) {
  const t = useWords('alerts');
  const locale = useLocale();
  const sentenceOf = useAlertSentence();
  const order = formOrderLine(values, pair, locale);
  return (
    <div className={css.fields}>
      <section className={css.review}>
        <h3>{t('order.review')}</h3>
        <p>{summary === undefined ? '' : sentenceOf(summary)}</p>
        <p>{order === undefined ? '' : t('order.then', { line: sentenceOf(order) })}</p>
      </section>
      <p className={css.hint}>{t('order.note')}</p>
      <div className={css.actions}>
        <Button look="secondary" disabled={isSaving} onClick={onBack}>
          {t('order.back')}
        </Button>
        <Button type="submit" busy={isSaving}>
          {t('order.confirm')}
        </Button>
      </div>
    </div>
  );
}

/**
 * Shows the order that an alert places, in a row of the list of alerts; renders nothing for an alert without
 * an order.
 */
export function AlertOrderText({
  alert,
  priceDigits,
}: {
  readonly alert: Alert;
  readonly priceDigits: number;
}) {
  const t = useWords('alerts');
  const locale = useLocale();
  const sentenceOf = useAlertSentence();
  const { order, baseCoin, quoteCoin } = alert;
  // The response of a server of an earlier version has no field `order`.
  if (order === null || order === undefined) return null;
  const side = order.tradeType === 1 ? ('buy' as const) : ('sell' as const);
  const line = alertOrderLine(
    { side, type: order.orderType, price: order.price, amount: order.amount },
    { base: baseCoin, quote: quoteCoin, priceDigits },
    locale,
  );
  return <small>{t('order.then', { line: sentenceOf(line) })}</small>;
}

function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={css.labelled}>
      <span className={css.label} aria-hidden="true">
        {text}
      </span>
      {children}
    </div>
  );
}
