import { useState, type ReactNode } from 'react';
import { AgreementText } from '../form/agreement-text.tsx';
import { AmountField } from '../form/amount-field.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { formatDecimal, formatTime } from '../format/format.ts';
import { Amount, Percent } from '../format/numbers.tsx';
import { useLocale } from '../i18n/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Lock } from 'lucide-react';
import { useEarn, useEarnWords } from './earn.ts';
import css from './finance.module.css';
import { TimeInTwoZones } from './time-in-two-zones.tsx';
import { FixedRate } from './product-parts.tsx';
import { maxPurchaseOf, shareOfAvailable, type PurchaseResult } from './purchase.ts';
import type { Product } from './shapes.ts';
import type { PurchaseControl } from './use-purchase.ts';

interface PurchaseFormProps {
  readonly product: Product;
  readonly control: PurchaseControl;
  /** Link to the pages where the user can deposit or buy the coin; visitors see no link. */
  readonly funds: ReactNode;
  /**
   * Text and link for the first thing that the user must do before buying; undefined if nothing is missing or it is
   * unknown yet.
   */
  readonly gate: ReactNode | undefined;
  readonly passwordHint: ReactNode | undefined;
}

const SHARES = [25, 50, 75, 100] as const;

/**
 * Form to buy an earn product; shows the amounts and dates of the purchase. With `gate`, that element is shown in place
 * of the agreement and the button.
 */
export function PurchaseForm({ product, control, funds, gate, passwordHint }: PurchaseFormProps) {
  const t = useEarnWords();
  const { form, context, result } = control;
  const consequence = (
    <div className={css.purchase}>
      <AmountPart product={product} control={control} funds={funds} />
      <Calculator product={product} result={result} />
      <Schedule product={product} result={result} />
      <section className={css.source}>
        <h3>{t('source')}</h3>
        <FixedRate />
        <p>{product.source}</p>
      </section>
      <Locked product={product} result={result} />
      {gate === undefined ? <Agreement control={control} /> : <div className={css.gate}>{gate}</div>}
      <UnansweredNote unanswered={control.unanswered} />
    </div>
  );
  if (gate !== undefined) return consequence;
  return (
    <ConfirmForm
      consequence={consequence}
      button={t('confirm')}
      stepUp={PROOFS}
      {...(passwordHint === undefined ? {} : { passwordHint })}
      isIdle={context.product.status !== 1 || context.product.selling === 0}
      check={form.check}
      refuse={form.refuse}
      act={control.submit}
      onDone={done}
    />
  );
}

const PROOFS = ['assetsPwd'] as const;
/** Does nothing after a purchase: the parent component shows the result as soon as the order exists. */
const done = (): void => undefined;

function AmountPart({ product, control, funds }: Pick<PurchaseFormProps, 'product' | 'control' | 'funds'>) {
  const t = useEarnWords();
  const locale = useLocale();
  const { form, context, setShare } = control;
  const coin = product.currency;
  const maximum = maxPurchaseOf(product);
  return (
    <section className={css.amountPart}>
      <AmountField
        label={t('amount')}
        coin={coin}
        value={form.values.amount}
        onChange={(amount) => form.set('amount', amount)}
        places={product.digits}
        available={context.available?.toString()}
        most={shareOfAvailable(100, context)}
        error={form.errorOf('amount')}
      />
      <div className={css.shares}>
        {SHARES.map((percent) => (
          <button
            key={percent}
            type="button"
            disabled={context.available?.isPositive() !== true}
            aria-label={t('shareOf', { percent })}
            onClick={() => setShare(percent)}
          >
            {percent}%
          </button>
        ))}
      </div>
      <p className={css.limits}>
        <span>
          {t('limits', {
            min: formatDecimal(product.startAmount, locale),
            max: formatDecimal(maximum.toString(), locale),
            coin,
          })}
        </span>
        {funds}
      </p>
    </section>
  );
}

interface ResultProps {
  readonly product: Product;
  readonly result: PurchaseResult | undefined;
}

/** Calculation of the interest for the typed amount, updated while the user types. */
function Calculator({ product, result }: ResultProps) {
  const t = useEarnWords();
  const coin = product.currency;
  const line = (name: string, value: string | undefined, look?: 'sum') => (
    <div className={css.line} data-look={look}>
      <dt>{name}</dt>
      <dd>
        <Amount value={value} coin={coin} kind="fee" />
      </dd>
    </div>
  );
  return (
    <dl className={css.calculator}>
      <div className={css.line}>
        <dt>
          {t('dailyRate')} · <abbr title={t('aprHint')}>{t('apr')}</abbr>
        </dt>
        <dd>
          <Percent value={product.dailyRate} digits={4} /> · <Percent value={product.apr} />
        </dd>
      </div>
      {line(t('perDay'), result?.daily.toString())}
      {line(t('interest'), result?.total.toString())}
      {line(t('totalBack'), result?.back.toString(), 'sum')}
    </dl>
  );
}

/**
 * Dates of the earn order that the purchase would create: the first interest day, the payments if interest is paid
 * daily, and the return of the principal. Renders nothing without a valid amount.
 */
function Schedule({ product, result }: ResultProps) {
  const t = useEarnWords();
  const locale = useLocale();
  const coin = product.currency;
  if (result === undefined) return null;
  const { startAt, endAt, payments, daily, principal, total } = result;
  const isDaily = product.payMode === 2;
  const plain = (value: { toString(): string }) => formatDecimal(value.toString(), locale);
  return (
    <section>
      <h3 className={css.heading}>{t('schedule')}</h3>
      <ol className={css.schedule}>
        <li>
          <b>{t('scheduleStart')}</b>
          <TimeInTwoZones at={startAt} />
        </li>
        {isDaily ? (
          <li>
            <b>{t('schedulePayment')}</b>
            <TimeInTwoZones at={payments[0]?.at ?? endAt} />
            <p>{t('schedulePayments', { count: payments.length, amount: plain(daily), coin })}</p>
            <details className={css.payments}>
              <summary>{t('allPayments')}</summary>
              <div className={css.allPayments} tabIndex={0} role="group" aria-label={t('allPayments')}>
                <ol>
                  {payments.map(({ at, interest }) => (
                    <li key={at}>
                      <TimeInTwoZones at={at} />
                      <Amount value={interest.toString()} coin={coin} />
                    </li>
                  ))}
                </ol>
              </div>
            </details>
          </li>
        ) : null}
        <li>
          <b>{t('scheduleEnd')}</b>
          <TimeInTwoZones at={endAt} />
          <p>
            {isDaily
              ? t('endPrincipal', { principal: plain(principal), coin })
              : t('endBoth', { principal: plain(principal), interest: plain(total), coin })}
          </p>
        </li>
      </ol>
      <p className={css.hint}>{t(product.manual === 1 ? 'manualRelease' : 'automatic')}</p>
    </section>
  );
}

function Locked({ product, result }: ResultProps) {
  const t = useEarnWords();
  const locale = useLocale();
  return (
    <div className={css.locked} role="note">
      <Lock size={18} aria-hidden="true" />
      <div>
        <b>{t('lockedTitle')}</b>
        <p>
          {result === undefined
            ? t('lockedTextOpen')
            : t('lockedText', {
                amount: formatDecimal(result.principal.toString(), locale),
                coin: product.currency,
                date: formatTime(result.endAt, locale, 'dated'),
              })}
        </p>
      </div>
    </div>
  );
}

/** Checkbox by which the user accepts the purchase agreement; the agreement's text opens below it. */
function Agreement({ control: { form } }: { readonly control: PurchaseControl }) {
  const t = useEarnWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.agreement}>
      <div className={css.agree}>
        <Checkbox
          label={t('agree')}
          checked={form.values.agree}
          onChange={(agree) => form.set('agree', agree)}
          error={form.errorOf('agree') === undefined ? undefined : t('agreeFirst')}
        />
        <button type="button" className={css.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'hideAgreement' : 'readAgreement')}
        </button>
      </div>
      {isOpen ? <Text /> : null}
    </div>
  );
}

/** Text of the agreement that the user accepts with every purchase. */
function Text() {
  const t = useEarnWords();
  const { part } = useEarn();
  return (
    <div className={css.agreementText} tabIndex={0} role="region" aria-label={t('agreement')}>
      <AgreementText name={part} />
    </div>
  );
}
