import { checkSettlement, contentsOf, PROOF_CHECKS, type ProofCheck } from '@exchange/core/seconds-proof.ts';
import { useState } from 'react';
import { Amount, Percent, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { saveFile } from '../save-file.ts';
import { sha256 } from '../sha256.ts';
import { Button } from '../ui/button.tsx';
import { useSettlement, type Settlement } from './queries.ts';
import { digitsOf } from './positions.tsx';
import css from './seconds.module.css';

/** The settlement record of a position, with a button that recomputes the position's result on this device. */
export function ProofView({ id }: { readonly id: string }) {
  const t = useWords('seconds');
  const settlement = useSettlement(id);
  return (
    <ListBody
      isLoading={settlement.isPending}
      error={settlement.error}
      onRetry={() => void settlement.refetch()}
      isEmpty={settlement.data === undefined}
      empty={t('noneOver')}
      skeletonRows={8}
    >
      {settlement.data === undefined ? null : <Proof settlement={settlement.data} />}
    </ListBody>
  );
}

function Proof({ settlement }: { readonly settlement: Settlement }) {
  const t = useWords('seconds');
  const { terms, result, entryPrice, settlePrice, credited } = settlement;
  const [results, setResults] = useState<Readonly<Record<ProofCheck, boolean>>>();
  const verify = async () => {
    try {
      setResults(await verifySettlement(settlement));
    } catch (cause) {
      notify.failure(cause);
    }
  };
  return (
    <div className={css.proof}>
      <p className={css.verdict}>
        {t('verdict', { result: t(result ?? 'holding') })} <Amount value={credited} coin={terms.asset} />
      </p>
      {settlement.reason === undefined ? null : (
        <p className={css.quiet}>
          {t(`reason.${settlement.reason as 'interval'}`)} {settlement.interval?.reason}
        </p>
      )}
      {settlement.refund === undefined ? null : (
        <p className={css.quiet}>
          {t('refunded')} <Amount value={settlement.refund.amount} coin={terms.asset} /> ·{' '}
          <When at={settlement.refund.at} />: {settlement.refund.reason}
        </p>
      )}
      <dl className={css.facts}>
        <Row title={t('direction')}>{t(terms.direction)}</Row>
        <Row title={t('stake')}>
          <Amount value={terms.stake} coin={terms.asset} />
        </Row>
        <Row title={t('rate')}>
          <Percent value={terms.profitRate} />
        </Row>
        <Row title={t('accepted')}>
          <When at={terms.acceptedAt} />
        </Row>
        <Row title={t('entryPrice')}>
          <Price value={entryPrice} digits={Math.max(terms.digits, digitsOf(entryPrice))} />
        </Row>
        <Row title={t('settlePrice')}>
          <Price value={settlePrice} digits={Math.max(terms.digits, digitsOf(settlePrice))} />
        </Row>
        <Row title={t('window')}>{t('points', { count: terms.window })}</Row>
        <Row title={t('checkpoint')}>
          {settlement.checkpoint === undefined ? t('soon') : `#${settlement.checkpoint.seq}`}
        </Row>
      </dl>
      {results === undefined ? null : (
        <ul className={css.checks} aria-live="polite">
          {PROOF_CHECKS.map((check) => (
            <li key={check} className={results[check] ? css.up : css.down}>
              <span aria-hidden="true">{results[check] ? '✓' : '✗'}</span> {t(`check.${check}`)}
              <span className="visually-hidden">: {t(results[check] ? 'holds' : 'fails')}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={css.sides}>
        <Button onClick={() => void verify()}>{t('verify')}</Button>
        <Button look="secondary" onClick={() => save(settlement)}>
          {t('download')}
        </Button>
      </div>
      <OfflineHint />
    </div>
  );
}

/**
 * Path of the program that recomputes the result from a downloaded settlement record; the build bundles the
 * program from `tools/verify` and adds it to the site at this path.
 */
const VERIFIER = '/verify/verify.mjs';

function OfflineHint() {
  const t = useWords('seconds');
  return (
    <p className={css.quiet}>
      {t('proofHint')}{' '}
      <a href={VERIFIER} download>
        {t('verifier')}
      </a>
    </p>
  );
}

function Row({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * Recomputes the result of a position from public data; resolves to the outcome of each check. Rejects when the browser
 * has no `crypto.subtle`, as on pages over plain HTTP.
 */
export async function verifySettlement(
  settlement: Settlement,
): Promise<Readonly<Record<ProofCheck, boolean>>> {
  return checkSettlement(settlement, await Promise.all(contentsOf(settlement).map(sha256)));
}

/** Saves a position's settlement record as a file that the program `tools/verify/verify.mjs` verifies. */
function save(settlement: Settlement): void {
  saveFile(
    new Blob([JSON.stringify(settlement)], { type: 'application/json' }),
    `settlement-${settlement.terms.id}.json`,
  );
}
