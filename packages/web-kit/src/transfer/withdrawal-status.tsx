import { Check, Clock3, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ShortCode } from '../form/copy-button.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { cancel, useWithdrawal, type WithdrawalRow } from './queries.ts';
import css from './withdrawal-status.module.css';
import { CoinAmount } from './parts.tsx';

const CLOCK_MS = 10_000;

interface StatusProps {
  /** The withdrawal in the response to the request that created it. */
  readonly request: WithdrawalRow;
  readonly onAgain: () => void;
}

/**
 * Status of a withdrawal that was requested: its progress, its promised completion time, and the button that cancels it
 * while that is possible.
 */
export function WithdrawalStatus({ request, onAgain }: StatusProps) {
  const t = useWords('transfer');
  const row = useWithdrawal(request);
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the heading, because the form that had the focus was replaced by this status.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={css.status}>
      <h2 ref={heading} tabIndex={-1}>
        {t(row.status === 0 || row.status === 3 ? 'requested' : `withdrawal${row.status}`)}
      </h2>
      <p className={css.amount}>
        <CoinAmount coin={row.currency} value={isUnpaid(row) ? row.amount : row.realAmount} />
      </p>
      <Stages row={row} />
      <Clock row={row} />
      <dl className={css.facts}>
        <div>
          <dt>{t('network')}</dt>
          <dd>{row.network}</dd>
        </div>
        <div>
          <dt>{t('address')}</dt>
          <dd>
            <ShortCode text={row.address} copyLabel={t('copyAddress')} />
          </dd>
        </div>
        {row.txid === undefined ? null : (
          <div>
            <dt>{t('txid')}</dt>
            <dd>
              <ShortCode text={row.txid} copyLabel={t('copyTxid')} explorer={row.explorer} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('fee')}</dt>
          <dd>
            <Amount value={row.fee} coin={row.currency} />
          </dd>
        </div>
      </dl>
      <div className={css.buttons}>
        {row.status === 0 ? <CancelButton id={row.id} /> : null}
        <Button onClick={onAgain}>{t('newWithdrawal')}</Button>
      </div>
    </section>
  );
}

/** Button that cancels a withdrawal. */
export function CancelButton({ id, size }: { readonly id: string; readonly size?: 's' }) {
  const t = useWords('transfer');
  const [isBusy, setBusy] = useState(false);
  const cancelWithdrawal = () => {
    setBusy(true);
    cancel(id)
      .then(
        () => notify.success(t('cancelled')),
        (error: unknown) => notify.failure(error),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Button look="secondary" size={size} busy={isBusy} onClick={cancelWithdrawal}>
      {t('cancel')}
    </Button>
  );
}

/**
 * Returns the state of the promised completion time of a withdrawal at `now` (milliseconds UTC). `none`: the
 * withdrawal has ended or is being returned; `overdue`: the time has passed. Before that time `running`, or
 * `none` while the network refuses the withdrawal or sending is paused, because the end of that is unknown.
 */
export function promiseState(
  { status, stage, promiseTime }: Pick<WithdrawalRow, 'status' | 'stage' | 'promiseTime'>,
  now: number,
): 'running' | 'overdue' | 'none' {
  const isOpen = status === 0 || status === 3;
  if (!isOpen || stage === 'returning') return 'none';
  if (promiseTime <= now) return 'overdue';
  return stage === 'refused' || stage === 'paused' ? 'none' : 'running';
}

/**
 * Countdown to the promised completion time of a withdrawal; after that time, an apology. Renders nothing without a
 * promise.
 */
function Clock({ row }: { readonly row: WithdrawalRow }) {
  const t = useWords('transfer');
  const now = useNow(CLOCK_MS);
  const promise = promiseState(row, now);
  if (promise === 'none') return null;
  return (
    <p className={css.clock}>
      <Clock3 size={16} aria-hidden="true" />
      <span>{t(promise === 'overdue' ? 'overdue' : 'within')}</span>
      {promise === 'running' ? <Remaining until={row.promiseTime} /> : null}
    </p>
  );
}

const MARKS = {
  done: <Check size={14} aria-hidden="true" />,
  now: <i />,
  ended: <X size={14} aria-hidden="true" />,
  open: null,
} as const satisfies Readonly<Record<StageState, unknown>>;

function Stages({ row }: { readonly row: WithdrawalRow }) {
  const t = useWords('transfer');
  const states = stagesOf(row);
  return (
    <ol className={css.stages} aria-label={t('stages')}>
      {STAGES.map((stage, at) => {
        const state = states[at]!;
        return (
          <li key={stage} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className={css.mark}>{MARKS[state]}</span>
            <b>{t(state === 'now' ? `running.${stage}` : `stage.${stage}`)}</b>
            <StageNote row={row} stage={stage} state={state} />
          </li>
        );
      })}
    </ol>
  );
}

interface NoteProps {
  readonly row: WithdrawalRow;
  readonly stage: Stage;
  readonly state: StageState;
}

/** Note below a stage of a withdrawal; the text depends on the state of the stage. Not every state has a note. */
function StageNote({ row, stage, state }: NoteProps) {
  const t = useWords('transfer');
  const now = useNow(CLOCK_MS);
  if (state === 'ended')
    return (
      <>
        <small>{endOf(row, t)}</small>
        {isReturned(row.status) ? <small>{t('returnedHint')}</small> : null}
      </>
    );
  if (stage === 'requested') return <When at={row.createTime} look="dated" className={css.note} />;
  if (stage === 'checked' && state === 'now' && row.stage === 'paused')
    return <small>{t('progress.paused')}</small>;
  if (stage === 'checked' && state === 'now')
    return row.addressTime !== undefined && row.addressTime > now ? (
      <small>
        {t('leavesFrom')} <When at={row.addressTime} look="dated" />
      </small>
    ) : (
      <small>{t('checkNote')}</small>
    );
  if (stage === 'sent' && state === 'now') {
    const { stage: progress } = row;
    const isNamed = progress !== undefined && progress !== 'approved' && progress !== 'sent';
    return isNamed ? <small>{t(`progress.${progress}`)}</small> : null;
  }
  if (stage === 'confirmed' && state === 'now')
    return <small>{t('confirming', { done: row.confirm, all: row.needConfirm })}</small>;
  if (stage === 'confirmed' && state === 'done' && row.finishTime !== undefined)
    return <When at={row.finishTime} look="dated" className={css.note} />;
  return null;
}

/**
 * Returns true for a rejected, cancelled or returned withdrawal, whose whole amount was credited back to the
 * user.
 */
export function isReturned(status: WithdrawalRow['status']): boolean {
  return status === 2 || status === 5 || status === 6;
}

/** Returns true if a withdrawal has ended without a payment to the recipient, or is being returned. */
export function isUnpaid({ status, stage }: Pick<WithdrawalRow, 'status' | 'stage'>): boolean {
  return isReturned(status) || status === 4 || stage === 'returning';
}

/** Returns the text that says why a withdrawal ended without a payment to the recipient. */
function endOf({ status, reason }: WithdrawalRow, t: ReturnType<typeof useWords<'transfer'>>): string {
  if (status === 4) return t('failedHint');
  return reason === undefined ? t(`withdrawal${status}`) : t(`reason.${reason}`);
}

/** Stages of a withdrawal in sequence, from the request to the last confirmation. */
const STAGES = ['requested', 'checked', 'approved', 'sent', 'confirmed'] as const;
type Stage = (typeof STAGES)[number];
/**
 * State of a stage of a withdrawal: `done`; `now` for the current stage; `open` if not reached yet; `ended` for the
 * stage at which the withdrawal ended without a payment to the recipient.
 */
type StageState = 'done' | 'now' | 'ended' | 'open';

/** Returns the state of each stage of a withdrawal, in the sequence of the stages. */
export function stagesOf({
  status,
  txid,
  stage: progress,
}: Pick<WithdrawalRow, 'status' | 'txid' | 'stage'>): readonly StageState[] {
  const isSent = txid !== undefined && (progress === undefined || progress === 'sent');
  const { at, isEnded } = progressOf(status, isSent);
  return STAGES.map((_, stage) => (stage < at ? 'done' : stage > at ? 'open' : isEnded ? 'ended' : 'now'));
}

function progressOf(status: WithdrawalRow['status'], isSent: boolean): { at: number; isEnded: boolean } {
  const indexOf = (stage: Stage) => STAGES.indexOf(stage);
  switch (status) {
    case 0:
      return { at: indexOf('checked'), isEnded: false };
    case 1:
      return { at: STAGES.length, isEnded: false };
    case 3:
      return { at: indexOf(isSent ? 'confirmed' : 'sent'), isEnded: false };
    case 4:
    case 6:
      return { at: indexOf('sent'), isEnded: true };
    default:
      return { at: indexOf('checked'), isEnded: true };
  }
}
