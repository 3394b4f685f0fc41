import { Decimal } from '@exchange/core/decimal.ts';
import { fundSellProblem, saleOf, thresholdOf, UNIT_PLACES, type Sale } from '@exchange/core/fund.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { ReactNode } from 'react';
import { useBalance } from '../balance/balances.ts';
import { AmountField } from '../form/amount-field.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { DecimalField } from '../form/decimal-field.tsx';
import { decimalProblem, typedAmount } from '../form/decimal-text.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import type { StepUp } from '../form/step-up.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { SegmentedControl } from '../ui/choice.tsx';
import css from './fund.module.css';
import { Fact, VALUE_DIGITS } from './parts.tsx';
import { addMargin, sell, useFundRecord, useFundValue, type FundRecord } from './queries.ts';

interface DeedFormProps {
  readonly record: FundRecord;
  readonly passwordHint: ReactNode | undefined;
  readonly onDone: () => void;
}

const SHARES = [25, 50, 75, 100] as const;
const SELL_TYPES = [
  { value: '1', word: 'marketSell' },
  { value: '2', word: 'limitSell' },
] as const;
const PROOFS = ['assetsPwd'] as const;
/** Number of decimal places of a quantity of fund units. */
const QUANTITY_PLACES = 4;

/**
 * Form that sells units of a fund position, either at the fund's next unit value, or with a limit price at the first
 * unit value that is at least this price.
 */
export function SellForm({ record: shownRecord, onDone }: Omit<DeedFormProps, 'passwordHint'>) {
  const t = useWords('fund');
  const record = useFundRecord(shownRecord);
  const value = useFundValue(record.fundId, record.marketPrice);
  const form = useForm({ quantity: '', price: '', type: '1' }, (values) => sellProblems(values, record));
  const { quantity, price, type } = form.values;
  const { act, unanswered } = useHoldingAction({
    form: `fund sell ${record.id}`,
    title: `${t('sell')} ${record.name}`,
    send: sell,
    done: t(type === '1' ? 'sellAccepted' : 'limitPlaced'),
    onDone,
  });
  return (
    <ConfirmForm
      consequence={
        <div className={css.form}>
          <SegmentedControl<string>
            label={t('sellType')}
            value={type}
            onChange={(nextType) => form.set('type', nextType)}
            options={SELL_TYPES.map(({ value: type, word }) => ({ value: type, label: t(word) }))}
          />
          <AmountField
            label={t('quantity')}
            coin={t('unitName')}
            value={quantity}
            onChange={(text) => form.set('quantity', text)}
            places={QUANTITY_PLACES}
            available={record.free}
            error={form.errorOf('quantity')}
          />
          <Shares record={record} onTake={(units) => form.set('quantity', units)} />
          {type === '2' ? (
            <DecimalField
              label={t('salePrice')}
              value={price}
              onChange={(text) => form.set('price', text)}
              places={UNIT_PLACES}
              unit={record.currency}
              error={form.errorOf('price')}
            />
          ) : null}
          <p className={css.hint}>{t(type === '1' ? 'marketHint' : 'limitHint')}</p>
          <SaleFacts
            record={record}
            value={value}
            quantity={quantity}
            limit={type === '2' ? price : undefined}
          />
          <UnansweredNote unanswered={unanswered} />
        </div>
      }
      button={t('sell')}
      check={form.check}
      refuse={form.refuse}
      act={() =>
        act(JSON.stringify([quantity, type, price]), () => ({
          id: record.id,
          quantity,
          sellType: type === '1' ? '1' : '2',
          ...(type === '2' ? { salePrice: price } : {}),
        }))
      }
      onDone={() => undefined}
    />
  );
}

interface SaleFactsProps {
  readonly record: FundRecord;
  /** The fund's current unit value; undefined while the fund has none. */
  readonly value: string | undefined;
  readonly quantity: string;
  /** The limit price that the user has typed; undefined for a sale at the fund's next unit value. */
  readonly limit: string | undefined;
}

/**
 * Shows the fund's current unit value and the expected proceeds of a sale: released margin, profit, costs, and their
 * total.
 */
function SaleFacts({ record, value, quantity, limit }: SaleFactsProps) {
  const t = useWords('fund');
  const { digits, currency } = record;
  const sale = estimatedSale(record, quantity, limit ?? value);
  return (
    <>
      <dl className={css.facts}>
        <Fact name={t('value')}>
          <Amount value={value} digits={VALUE_DIGITS} coin={currency} />
        </Fact>
        <Fact name={t('sellMargin')}>
          <Amount value={sale?.margin.toString()} digits={digits} coin={currency} />
        </Fact>
        <Fact name={t('sellProfit')}>
          <Amount value={sale?.profit.toString()} digits={digits} coin={currency} signed />
        </Fact>
        <Fact name={t('sellCosts')}>
          <Amount value={sale?.costs.negated().toString()} digits={digits} coin={currency} />
        </Fact>
        <Fact name={t('sellProceeds')}>
          <Amount value={sale?.payout.toString()} digits={digits} coin={currency} />
        </Fact>
      </dl>
      <p className={css.hint}>{t(limit === undefined ? 'sellEstimate' : 'sellEstimateLimit')}</p>
    </>
  );
}

/**
 * Estimates the proceeds of selling fund units at a price, with the formula of the settlement; undefined
 * while the position's purchase is pending, or if units or price are not positive numbers or there is no
 * price.
 */
export function estimatedSale(
  record: FundRecord,
  units: string,
  price: string | undefined,
): Sale | undefined {
  const quantity = Decimal.tryParse(units);
  const value = price === undefined ? undefined : Decimal.tryParse(price);
  if (record.buyPrice === undefined || quantity?.isPositive() !== true || value?.isPositive() !== true)
    return undefined;
  return saleOf(holdingOf(record, record.buyPrice), quantity, value);
}

function holdingOf({ quantity, margin, cost, leverage }: FundRecord, buyPrice: string) {
  return {
    quantity: Decimal.parse(quantity),
    buyPrice: Decimal.parse(buyPrice),
    margin: Decimal.parse(margin),
    costs: Decimal.parse(cost),
    leverage,
  };
}

interface SharesProps {
  readonly record: FundRecord;
  readonly onTake: (units: string) => void;
}

/**
 * Buttons that set the quantity to sell to a share of the position's units that are in no open sell order
 * (`free`), rounded down to the fund's quantity step.
 */
function Shares({ record, onTake }: SharesProps) {
  const t = useWords('finance');
  const step = Decimal.parse(record.step);
  const setShare = (percent: number) => {
    const steps = Decimal.parse(record.free)
      .times(Decimal.ofScaled(BigInt(percent), 2), 'down')
      .over(step, 'down', 0);
    onTake(steps.timesExact(step).toString());
  };
  return (
    <div className={css.shares}>
      {SHARES.map((percent) => (
        <button
          key={percent}
          type="button"
          aria-label={t('shareOf', { percent })}
          onClick={() => setShare(percent)}
        >
          {percent}%
        </button>
      ))}
    </div>
  );
}

interface SellValues {
  readonly quantity: string;
  readonly price: string;
  readonly type: string;
}

/** Validation errors of a sale of fund units, by field. */
export function sellProblems(
  { quantity: text, price, type }: SellValues,
  record: FundRecord,
): { readonly quantity?: Refusal; readonly price?: Refusal } {
  const typed = typedAmount('quantity', text, QUANTITY_PLACES);
  if (!typed.ok) return { quantity: typed.refusal };
  const limits = {
    free: Decimal.parse(record.free),
    step: Decimal.parse(record.step),
    isLimit: type === '2',
  };
  const mistyped = limits.isLimit ? decimalProblem('salePrice', price, UNIT_PLACES) : undefined;
  if (mistyped !== undefined) return { price: mistyped };
  const problem = fundSellProblem({ quantity: typed.value, price: Decimal.tryParse(price) }, limits);
  if (problem === undefined) return {};
  return problem.parameters?.['field'] === 'salePrice' ? { price: problem } : { quantity: problem };
}

/** Form that adds margin to a fund position and shows the resulting liquidation price. */
export function MarginForm({ record: shownRecord, passwordHint, onDone }: DeedFormProps) {
  const t = useWords('fund');
  const record = useFundRecord(shownRecord);
  const balance = useBalance(record.currency);
  const form = useForm({ amount: '' }, ({ amount: text }) => {
    const problem = marginProblem(text, record, balance?.availableCurrency);
    return problem === undefined ? {} : { amount: problem };
  });
  const { amount } = form.values;
  const { act, unanswered } = useHoldingAction({
    form: `fund margin ${record.id}`,
    title: `${t('addMargin')}: ${record.name}`,
    send: addMargin,
    done: t('marginAdded'),
    onDone,
  });
  return (
    <ConfirmForm
      consequence={
        <div className={css.form}>
          <AmountField
            label={t('amount')}
            coin={record.currency}
            value={amount}
            onChange={(text) => form.set('amount', text)}
            places={record.digits}
            available={balance?.availableCurrency}
            error={form.errorOf('amount')}
          />
          <dl className={css.facts}>
            <Fact name={t('liqPrice')}>
              <Price value={record.liqPrice} digits={VALUE_DIGITS} />
            </Fact>
            <Fact name={t('liqAfter')}>
              <Price value={liqAfter(record, amount)} digits={VALUE_DIGITS} />
            </Fact>
          </dl>
          <UnansweredNote unanswered={unanswered} />
        </div>
      }
      button={t('addMargin')}
      stepUp={PROOFS}
      {...(passwordHint === undefined ? {} : { passwordHint })}
      check={form.check}
      refuse={form.refuse}
      act={({ assetsPwd }: Partial<StepUp>) =>
        // The request is identified by the margin at the time when the form was opened, not by the current margin: if
        // an earlier request got no response, it may already have raised the margin, and sending it again must count as
        // the same request.
        act(JSON.stringify([shownRecord.margin, amount]), () => ({
          id: record.id,
          amount,
          ...(assetsPwd === undefined ? {} : { assetsPwd }),
        }))
      }
      onDone={() => undefined}
    />
  );
}

/**
 * Returns the reason why the typed margin cannot be added; undefined if it can. The available balance is
 * checked only once it has loaded.
 */
export function marginProblem(
  text: string,
  { digits, currency }: Pick<FundRecord, 'digits' | 'currency'>,
  available: string | undefined,
): Refusal | undefined {
  const field = 'amount';
  const typed = typedAmount(field, text, digits);
  if (!typed.ok) return typed.refusal;
  if (!typed.value.isPositive()) return refusal('invalidField', 'l.field_positive', { field });
  if (available === undefined) return undefined;
  return shortOf({ needed: typed.value, available: Decimal.parse(available), asset: currency, field });
}

/**
 * The liquidation price of a fund position after adding the typed margin; `0` if the position then cannot be
 * liquidated. Undefined when the amount is no positive number or the position has no purchase price yet.
 */
export function liqAfter(record: FundRecord, text: string): string | undefined {
  const amount = Decimal.tryParse(text);
  if (amount?.isPositive() !== true || record.buyPrice === undefined) return undefined;
  const holding = holdingOf(record, record.buyPrice);
  return (
    thresholdOf({ ...holding, margin: holding.margin.plus(amount) }, Decimal.parse(record.mmr))
      ?.rounded(UNIT_PLACES, 'up')
      .toString() ?? '0'
  );
}

interface HoldingAction<Payload> {
  readonly form: string;
  readonly title: string;
  readonly send: (attempt: KeyedSubmission<Payload>) => Promise<unknown>;
  readonly done: string;
  readonly onDone: () => void;
}

function useHoldingAction<Payload>({ form, title, send, done, onDone }: HoldingAction<Payload>) {
  return useKeyedSubmit({
    form,
    title,
    send,
    onAnswered: () => {
      notify.success(done);
      onDone();
    },
  });
}
