import { useState, type ReactNode } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { ShortCode } from '../form/copy-button.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import { CoinAmount } from './parts.tsx';
import {
  withdrawReport,
  useDeposits,
  useProofs,
  useWithdrawals,
  type DepositRow,
  type ProofRow,
  type WithdrawalRow,
} from './queries.ts';
import css from './transfer.module.css';
import { CancelButton, isReturned, isUnpaid, promiseState } from './withdrawal-status.tsx';

const CLOCK_MS = 30_000;

/**
 * The user's deposit reports, if there are any, and below them the user's deposits, newest first; the numbers of
 * confirmations are updated live.
 */
export function DepositRecords() {
  const t = useWords('transfer');
  const proofs = useProofs();
  const deposits = useDeposits();
  return (
    <>
      {proofs.rows.length === 0 ? null : (
        <section className={css.reported}>
          <h3>{t('proofs')}</h3>
          {proofs.rows.map((row) => (
            <Reported key={row.id} row={row} />
          ))}
          <ListEnd list={proofs} />
        </section>
      )}
      <ListBody
        isLoading={deposits.isLoading}
        error={deposits.error}
        onRetry={() => void deposits.reload()}
        isEmpty={deposits.rows.length === 0 && proofs.rows.length === 0}
        empty={t('noDeposits')}
      >
        {deposits.rows.map((row) => (
          <Deposit key={row.id} row={row} />
        ))}
        <ListEnd list={deposits} />
      </ListBody>
    </>
  );
}

const PROOF_TONES: readonly Tone[] = ['warning', 'good', 'bad', 'neutral'];

function Reported({ row }: { readonly row: ProofRow }) {
  const t = useWords('transfer');
  const [isBusy, setBusy] = useState(false);
  const cancel = () => {
    setBusy(true);
    withdrawReport(row.id)
      .catch((error: unknown) => notify.failure(error))
      .finally(() => setBusy(false));
  };
  return (
    <article className={css.row}>
      <CoinAmount coin={row.currency} value={row.realAmount ?? row.amount} />
      <span className={css.end}>
        <Badge tone={PROOF_TONES[row.status]}>{t(`proof${row.status}`)}</Badge>
        {row.status === 0 ? (
          <Button look="quiet" size="s" busy={isBusy} onClick={cancel}>
            {t('proofCancel')}
          </Button>
        ) : null}
      </span>
      <small className={css.when}>
        {row.network} · <When at={row.createTime} look="dated" />
      </small>
      <small className={css.end}>
        {row.reason === undefined ? row.remark : t(`proofReason.${row.reason}`)}
      </small>
    </article>
  );
}

function Deposit({ row }: { readonly row: DepositRow }) {
  const t = useWords('transfer');
  const tones: readonly Tone[] = ['accent', 'good', 'bad'];
  return (
    <article className={css.row}>
      <CoinAmount coin={row.currency} value={row.amount} />
      <span className={css.end}>
        {row.status === 0 && row.belowMinimum === 0 ? (
          <small>{t('confirming', { done: row.confirm, all: row.needConfirm })}</small>
        ) : null}
        {row.belowMinimum === 1 ? (
          <span title={t('belowHint', { least: row.minAmount, coin: row.currency })}>
            <Badge tone="warning">{t('belowMinimum')}</Badge>
          </span>
        ) : (
          <Badge tone={tones[row.status]}>{t(`deposit${row.status}`)}</Badge>
        )}
      </span>
      <small>
        {row.network} · <When at={row.createTime} look="dated" />
      </small>
      <small className={css.end}>{row.remark}</small>
      {row.gone === 1 && row.status !== 1 ? <small className={css.hint}>{t('gone')}</small> : null}
      <dl className={css.codes}>
        <Code name={t('txid')}>
          <ShortCode text={row.txid} copyLabel={t('copyTxid')} explorer={row.explorer} />
        </Code>
      </dl>
    </article>
  );
}

function Code({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Withdrawal stages for which a record shows an explanation. */
type ExplainedStage = 'returning' | 'byHand' | 'paused' | 'refused';

function isExplained(stage: WithdrawalRow['stage']): stage is ExplainedStage {
  return stage === 'returning' || stage === 'byHand' || stage === 'paused' || stage === 'refused';
}

const WITHDRAWAL_TONES: readonly Tone[] = ['warning', 'good', 'bad', 'accent', 'bad', 'neutral', 'neutral'];

/** The user's withdrawals, newest first; one with a promised completion time shows the time that remains. */
export function WithdrawalRecords() {
  const t = useWords('transfer');
  const withdrawals = useWithdrawals();
  return (
    <ListBody
      isLoading={withdrawals.isLoading}
      error={withdrawals.error}
      onRetry={() => void withdrawals.reload()}
      isEmpty={withdrawals.rows.length === 0}
      empty={t('noWithdrawals')}
    >
      {withdrawals.rows.map((row) => (
        <Withdrawal key={row.id} row={row} />
      ))}
      <ListEnd list={withdrawals} />
    </ListBody>
  );
}

function Withdrawal({ row }: { readonly row: WithdrawalRow }) {
  const t = useWords('transfer');
  const now = useNow(CLOCK_MS);
  const promise = promiseState(row, now);
  return (
    <article className={css.row}>
      <CoinAmount coin={row.currency} value={row.amount} />
      <span className={css.end}>
        {row.status === 3 && row.txid !== undefined && row.stage !== 'returning' ? (
          <small>{t('confirming', { done: row.confirm, all: row.needConfirm })}</small>
        ) : null}
        <Badge tone={WITHDRAWAL_TONES[row.status]}>
          {t(row.stage === 'returning' ? 'returning' : `withdrawal${row.status}`)}
        </Badge>
        {row.status === 0 ? <CancelButton id={row.id} size="s" /> : null}
      </span>
      <small className={css.when}>
        {row.network} · <When at={row.createTime} look="dated" />
      </small>
      <small className={css.end}>
        {row.reason === undefined ? null : t(`reason.${row.reason}`)}
        {isUnpaid(row) ? null : (
          <>
            {t('arrives')} <Amount value={row.realAmount} coin={row.currency} />
          </>
        )}
      </small>
      {promise === 'overdue' ? <small className={css.whole}>{t('overdue')}</small> : null}
      {promise === 'running' ? (
        <small className={css.whole}>
          {t('within')}&nbsp;
          <Remaining until={row.promiseTime} />
        </small>
      ) : null}
      {row.status === 0 && row.addressTime !== undefined && row.addressTime > now ? (
        <small className={css.whole}>
          {t('leavesFrom')}&nbsp;
          <When at={row.addressTime} look="dated" />
        </small>
      ) : null}
      {row.status === 4 ? <small className={css.hint}>{t('failedHint')}</small> : null}
      {isExplained(row.stage) ? <small className={css.hint}>{t(`progress.${row.stage}`)}</small> : null}
      {isReturned(row.status) ? <small className={css.hint}>{t('returnedHint')}</small> : null}
      <dl className={css.codes}>
        <Code name={t('address')}>
          <ShortCode text={row.address} copyLabel={t('copyAddress')} />
        </Code>
        {row.txid === undefined ? null : (
          <Code name={t('txid')}>
            <ShortCode text={row.txid} copyLabel={t('copyTxid')} explorer={row.explorer} />
          </Code>
        )}
      </dl>
    </article>
  );
}
