import { Decimal } from '@exchange/core/decimal.ts';
import { purchaseFor, dailyCost, fundBuyProblem, thresholdOf, type FundOnSale } from '@exchange/core/fund.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { ReactNode } from 'react';
import { useBalance } from '../balance/balances.ts';
import { AmountField } from '../form/amount-field.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { typedAmount } from '../form/decimal-text.ts';
import type { StepUp } from '../form/step-up.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useForm, type FormState } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount, Percent, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { SegmentedControl } from '../ui/choice.tsx';
import css from './fund.module.css';
import { Fact, VALUE_DIGITS } from './parts.tsx';
import { buy, useFundValue, type Fund } from './queries.ts';

interface TicketFormProps {
  readonly fund: Fund;
  /**
   * Text and link for the first thing that the user must do before buying; undefined if nothing is missing or it is
   * unknown yet.
   */
  readonly gate: ReactNode | undefined;
  readonly passwordHint: ReactNode | undefined;
  /** Called after the server has accepted a purchase. */
  readonly onBought: () => void;
}

const PROOFS = ['assetsPwd'] as const;

/** Order ticket to buy fund units: margin, leverage, the expected result, and the possible loss. */
export function FundTicketForm({ fund, gate, passwordHint, onBought }: TicketFormProps) {
  const t = useWords('fund');
  const balance = useBalance(fund.currency);
  const value = useFundValue(fund.id, fund.nav);
  const available = balance === undefined ? undefined : Decimal.parse(balance.availableCurrency);
  const form = useForm<FundTicket>({ margin: '', leverage: String(fund.leverages[0] ?? 1) }, (values) =>
    ticketProblems(values, fund, available),
  );
  const { act, unanswered } = usePurchase(fund, form, onBought);
  const result = ticketResult(form.values, fund, value);
  const isClosed = fund.status !== 1;
  const consequence = (
    <div className={css.form}>
      <AmountField
        label={t('margin')}
        coin={fund.currency}
        value={form.values.margin}
        onChange={(margin) => form.set('margin', margin)}
        places={fund.digits}
        available={balance?.availableCurrency}
        error={form.errorOf('margin')}
      />
      <SegmentedControl<string>
        label={t('leverage')}
        value={form.values.leverage}
        onChange={(leverage) => form.set('leverage', leverage)}
        options={fund.leverages.map((leverage) => ({ value: String(leverage), label: `${leverage}×` }))}
      />
      <Preview fund={fund} result={result} />
      <p className={css.risk} role="note">
        <Risk isPlain={form.values.leverage === '1'} result={result} coin={fund.currency} />
      </p>
      {isClosed ? <p className={css.hint}>{t('takesNone')}</p> : null}
      {fund.status === 1 && (value === undefined || fund.degraded === 1) ? (
        <p className={css.hint}>{t('waitsForValue')}</p>
      ) : null}
      <UnansweredNote unanswered={unanswered} />
      {gate === undefined || isClosed ? null : <div className={css.gate}>{gate}</div>}
    </div>
  );
  if (gate !== undefined || isClosed) return consequence;
  return (
    <ConfirmForm
      consequence={consequence}
      button={t('buy')}
      stepUp={PROOFS}
      {...(passwordHint === undefined ? {} : { passwordHint })}
      check={form.check}
      refuse={form.refuse}
      act={act}
      onDone={() => undefined}
    />
  );
}

function usePurchase(fund: Fund, form: FormState<FundTicket>, onBought: () => void) {
  const t = useWords('fund');
  const submission = useKeyedSubmit({
    form: `fund buy ${fund.id}`,
    title: `${t('buy')} ${fund.name}`,
    send: buy,
    onAnswered: () => {
      form.set('margin', '');
      notify.success(t('accepted'));
      onBought();
    },
  });
  const act = ({ assetsPwd }: Partial<StepUp>): Promise<boolean> => {
    const { margin, leverage } = form.values;
    const proof = assetsPwd === undefined ? {} : { assetsPwd };
    return submission.act(JSON.stringify([margin, leverage, fund.version]), () => ({
      id: fund.id,
      margin,
      leverage,
      version: String(fund.version),
      ...proof,
    }));
  };
  return { act, unanswered: submission.unanswered };
}

function Preview({ fund, result }: { readonly fund: Fund; readonly result: TicketResult | undefined }) {
  const t = useWords('fund');
  const coin = fund.currency;
  return (
    <dl className={css.facts}>
      <Fact name={t('quantity')}>
        <Amount value={result?.quantity} coin={t('unitName')} />
      </Fact>
      <Fact name={t('usedMargin')}>
        <Amount value={result?.usedMargin} coin={coin} />
      </Fact>
      <Fact name={t('notional')}>
        <Amount value={result?.notional} coin={coin} />
      </Fact>
      <Fact name={t('liqPrice')}>
        {result !== undefined && result.liqPrice === undefined ? (
          t('never')
        ) : (
          <>
            <Price value={result?.liqPrice} digits={VALUE_DIGITS} />{' '}
            {result?.room === undefined ? null : (
              <small>
                (<Percent value={result.room} signed />)
              </small>
            )}
          </>
        )}
      </Fact>
      <Fact name={t('dailyCost')}>
        <Amount value={result?.dailyCost} coin={coin} />
      </Fact>
    </dl>
  );
}

interface RiskProps {
  /** True for a purchase without leverage, for which the user borrows nothing. */
  readonly isPlain: boolean;
  readonly result: TicketResult | undefined;
  readonly coin: string;
}

/** Describes in words the maximum loss of a fund purchase. */
function Risk({ isPlain, result, coin }: RiskProps) {
  const t = useWords('fund');
  if (result === undefined) return t(isPlain ? 'riskPlainOpen' : 'riskOpen');
  return t(isPlain ? 'riskPlain' : 'risk', { margin: result.usedMargin, coin });
}

/** Values of the fund order ticket. The trade password is a field of the form that contains the ticket. */
interface FundTicket {
  readonly margin: string;
  readonly leverage: string;
}

/** Validation errors of the fund order ticket by field. */
function ticketProblems(
  { margin: text, leverage }: FundTicket,
  fund: Fund,
  available: Decimal | undefined,
): { readonly margin?: Refusal } {
  const typed = typedAmount('margin', text, fund.digits);
  if (!typed.ok) return { margin: typed.refusal };
  const margin = typed.value;
  // While the balance is unknown, the form assumes that the balance suffices; the server checks it.
  const problem = fundBuyProblem(onSale(fund), { margin, leverage: Number(leverage) }, available ?? margin);
  return problem === undefined ? {} : { margin: problem };
}

/**
 * Estimate of a fund purchase: the units that the typed margin buys at the current unit value, and in the
 * fund's coin the used margin, the notional, the cost per day and the unit value at which the position is
 * liquidated (`liqPrice`; undefined if no unit value would liquidate it).
 */
interface TicketResult {
  readonly quantity: string;
  readonly usedMargin: string;
  readonly notional: string;
  readonly dailyCost: string;
  readonly liqPrice: string | undefined;
  /**
   * The change of the unit value that would liquidate the position, as a negative fraction; undefined if no change
   * would.
   */
  readonly room: string | undefined;
}

/**
 * Estimates a fund purchase with the formulas of the server; undefined while the fund has no unit value, and
 * when the margin is no positive number or buys no unit. The limits of a purchase are not checked here.
 */
function ticketResult(
  { margin: text, leverage: leverageText }: FundTicket,
  fund: Fund,
  value: string | undefined,
): TicketResult | undefined {
  const margin = Decimal.tryParse(text);
  if (margin?.isPositive() !== true || value === undefined) return undefined;
  const leverage = Number(leverageText);
  const nav = Decimal.parse(value);
  const { quantity, usedMargin, notional } = purchaseFor(margin, leverage, nav, Decimal.parse(fund.step));
  if (!quantity.isPositive()) return undefined;
  const holding = { quantity, buyPrice: nav, margin: usedMargin, costs: Decimal.zero, leverage };
  const [mmr, liqFee] = [Decimal.parse(fund.mmr), Decimal.parse(fund.liqFee)];
  const rates = {
    manageRate: Decimal.parse(fund.manageRate),
    financeRate: Decimal.parse(fund.financeRate),
  };
  const threshold = thresholdOf(holding, mmr);
  return {
    quantity: quantity.toString(),
    usedMargin: usedMargin.toString(),
    notional: notional.toString(),
    dailyCost: dailyCost(holding, nav, { ...rates, mmr, liqFee }).toString(),
    liqPrice: threshold?.rounded(8, 'up').toString(),
    room: threshold && threshold.minus(nav).over(nav, 'halfEven', 4).toString(),
  };
}

const STATUSES = { 1: 'open', 2: 'stopped', 3: 'closed' } as const;

function onSale(fund: Fund): FundOnSale {
  return {
    asset: fund.currency,
    digits: fund.digits,
    minAmount: Decimal.parse(fund.minAmount),
    leverages: fund.leverages,
    step: Decimal.parse(fund.step),
    status: STATUSES[fund.status],
    coverable: Decimal.parse(fund.coverable),
  };
}
