import { Decimal } from '@exchange/core/decimal.ts';
import { refusal } from '@exchange/core/refusal.ts';
import {
  allocationRange,
  commitProblem,
  reduceProblem,
  type AllocationRange,
} from '@exchange/core/subscription.ts';
import { useState, type ReactNode } from 'react';
import { useBalance } from '../balance/balances.ts';
import { AgreementText } from '../form/agreement-text.tsx';
import { AmountField } from '../form/amount-field.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { typedAmount } from '../form/decimal-text.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import type { StepUp } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { formatDecimal } from '../format/format.ts';
import { Amount } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Tabs } from '../ui/choice.tsx';
import { Fact } from './parts.tsx';
import { commit, lowerCommitment, type ProjectDetail } from './queries.ts';
import css from './subscription.module.css';

interface CommitFormProps {
  readonly project: ProjectDetail;
  /**
   * Text and link for the first thing that the user must do before committing an amount; undefined if nothing is
   * missing or it is unknown yet.
   */
  readonly gate: ReactNode | undefined;
  readonly passwordHint: ReactNode | undefined;
}

type Way = 'raise' | 'lower';

/**
 * Form with which the user raises or lowers the amount committed to a token sale; shows the estimated allocation of
 * tokens and its range.
 */
export function CommitPanel(props: CommitFormProps) {
  const t = useWords('subscription');
  const { project } = props;
  const [direction, setDirection] = useState<Way>('raise');
  const [changes, setChanges] = useState(0);
  const has = Decimal.parse(project.myCommitted).isPositive();
  return (
    <CommittedPanel project={project} hasEstimate>
      {has ? <Range project={project} mine={Decimal.parse(project.myCommitted)} /> : null}
      {has ? (
        <Tabs<Way>
          label={t('mine')}
          value={direction}
          onChange={setDirection}
          options={(['raise', 'lower'] as const).map((value) => ({ value, label: t(value) }))}
        />
      ) : null}
      <ChangeForm
        key={`${has ? direction : 'raise'} ${changes}`}
        {...props}
        way={has ? direction : 'raise'}
        onChanged={() => setChanges(changes + 1)}
      />
    </CommittedPanel>
  );
}

interface CommittedPanelProps extends Pick<CommitFormProps, 'project'> {
  /** Whether the estimated allocation of tokens is shown; an estimate exists only until the sale ends. */
  readonly hasEstimate?: boolean;
  readonly children?: ReactNode;
}

/**
 * Panel with the amount that the user has committed to a token sale, the estimated allocation if `hasEstimate` is true,
 * and `children` below.
 */
export function CommittedPanel({ project, hasEstimate = false, children }: CommittedPanelProps) {
  const t = useWords('subscription');
  return (
    <section className={css.panel} aria-label={t('mine')}>
      <h2>{t('mine')}</h2>
      <dl className={css.facts}>
        <Fact name={t('committed')}>
          <Amount value={project.myCommitted} coin={project.quoteCoin} />
        </Fact>
        {hasEstimate ? (
          <Fact name={t('estimate')}>
            <Amount value={project.estimate} coin={project.symbol} />
          </Fact>
        ) : null}
      </dl>
      {children}
    </section>
  );
}

interface ChangeFormProps extends CommitFormProps {
  readonly way: Way;
  /** Called after the server has changed the commitment; the form is then reset. */
  readonly onChanged: () => void;
}

/** State of a change of the user's commitment: the input and the request. */
function useChange({ project, way, onChanged }: ChangeFormProps) {
  const t = useWords('subscription');
  const isRaise = way === 'raise';
  const { quoteCoin, quoteDigits } = project;
  const balance = useBalance(quoteCoin);
  const committed = Decimal.parse(project.myCommitted);
  const limits = {
    quote: quoteCoin,
    quoteDigits,
    minAmount: Decimal.parse(project.minAmount),
    maxAmount: Decimal.parse(project.maxAmount),
  };
  const available = isRaise ? balance?.availableCurrency : project.myCommitted;
  const form = useForm({ amount: '', agree: false }, ({ amount: text, agree }) => {
    const typed = typedAmount('amount', text, quoteDigits);
    const problem = !typed.ok
      ? typed.refusal
      : isRaise
        ? commitProblem(limits, typed.value, {
            mine: committed,
            available: balance === undefined ? typed.value : Decimal.parse(balance.availableCurrency),
          })
        : reduceProblem(limits, typed.value, committed);
    return {
      ...(problem === undefined ? {} : { amount: problem }),
      ...(isRaise && !agree
        ? { agree: refusal('invalidField', 'l.agree_required', { field: 'agree' }) }
        : {}),
    };
  });
  const submission = useKeyedSubmit({
    form: `subscription ${way} ${project.id}`,
    title: `${t(isRaise ? 'commit' : 'lower')}: ${project.name}`,
    send: (attempt: Parameters<typeof commit>[0]) => {
      const { id, amount } = attempt.payload;
      return isRaise ? commit(attempt) : lowerCommitment({ ...attempt, payload: { id, amount } });
    },
    onAnswered: ({ myCommitted }) => {
      onChanged();
      notify.success(t('nowCommitted', { amount: myCommitted, coin: quoteCoin }));
    },
  });
  const { amount } = form.values;
  const act = ({ assetsPwd }: Partial<StepUp>) => {
    const { id, agreementVersion, version } = project;
    const proof = assetsPwd === undefined ? {} : { assetsPwd };
    const payload = { id, amount, agree: '1', agreementVersion, version: String(version), ...proof } as const;
    return submission.act(JSON.stringify([way, amount, project.myCommitted]), () => payload);
  };
  return { form, mine: committed, available, act, unanswered: submission.unanswered };
}

function ChangeForm(props: ChangeFormProps) {
  const { project, gate, passwordHint, way } = props;
  const t = useWords('subscription');
  const locale = useLocale();
  const isRaise = way === 'raise';
  const { form, mine, available, act, unanswered } = useChange(props);
  const { quoteCoin, quoteDigits } = project;
  const { amount } = form.values;
  const typed = Decimal.tryParse(amount);
  const after = typed?.isPositive() === true && isRaise ? mine.plus(typed) : undefined;
  const consequence = (
    <div className={css.form}>
      <AmountField
        label={t('amount')}
        coin={quoteCoin}
        value={amount}
        onChange={(text) => form.set('amount', text)}
        places={quoteDigits}
        available={available}
        most={available}
        error={form.errorOf('amount')}
      />
      <p className={css.hint}>
        {t('limits', { min: project.minAmount, max: project.maxAmount, coin: quoteCoin })}
      </p>
      {after === undefined ? null : (
        <>
          <p className={css.hint}>
            {t('wouldReceive', {
              amount: formatDecimal(rangeOf(project, after).estimate.toString(), locale),
              coin: project.symbol,
            })}
          </p>
          <Range project={project} mine={after} />
        </>
      )}
      {isRaise && gate === undefined ? <Agree form={form} /> : null}
      <UnansweredNote unanswered={unanswered} />
      {gate === undefined || !isRaise ? null : <div className={css.gate}>{gate}</div>}
    </div>
  );
  if (gate !== undefined && isRaise) return consequence;
  return (
    <ConfirmForm
      consequence={consequence}
      button={t(isRaise ? 'commit' : 'lower')}
      stepUp={isRaise ? PROOFS : NO_PROOFS}
      {...(passwordHint === undefined ? {} : { passwordHint })}
      check={form.check}
      refuse={form.refuse}
      act={act}
      onDone={() => undefined}
    />
  );
}

const PROOFS = ['assetsPwd'] as const;
const NO_PROOFS = [] as const;

/**
 * Returns the allocation of tokens for a commitment of `committed` (in the quote coin) in place of the user's
 * current one: the expected allocation, the allocation if the total of all commitments doubles (`ifDoubled`),
 * and the maximum (`most`).
 */
function rangeOf(project: ProjectDetail, committed: Decimal): AllocationRange {
  const otherCommitments = Decimal.parse(project.committed).minus(Decimal.parse(project.myCommitted));
  return allocationRange(committed, otherCommitments.plus(committed), {
    issueAmount: Decimal.parse(project.issueAmount),
    ratio: Decimal.parse(project.ratio),
    hardCapUser: Decimal.parse(project.hardCapUser),
    tokenDigits: project.tokenDigits,
  });
}

/**
 * Shows the range of the allocation of tokens for a commitment of `mine`, in tokens. The lower end is the allocation if
 * the total of all commitments doubles, the upper end is the maximum. If both are equal, a text says that the
 * allocation is fixed.
 */
function Range({ project, mine }: { readonly project: ProjectDetail; readonly mine: Decimal }) {
  const t = useWords('subscription');
  const locale = useLocale();
  const { ifDoubled, most } = rangeOf(project, mine);
  if (!ifDoubled.isLess(most)) return <p className={css.hint}>{t('rangeFixed')}</p>;
  return (
    <p className={css.hint}>
      {t('range', {
        low: formatDecimal(ifDoubled.toString(), locale),
        most: formatDecimal(most.toString(), locale),
        coin: project.symbol,
      })}
    </p>
  );
}

function Agree({ form }: { readonly form: ReturnType<typeof useForm<{ amount: string; agree: boolean }>> }) {
  const t = useWords('subscription');
  return (
    <div>
      <Checkbox
        label={t('agree')}
        checked={form.values.agree}
        onChange={(agree) => form.set('agree', agree)}
        error={form.errorOf('agree') === undefined ? undefined : t('agreeFirst')}
      />
      <details className={css.text}>
        <summary>{t('readAgreement')}</summary>
        <AgreementText name="subscription" />
      </details>
    </div>
  );
}
