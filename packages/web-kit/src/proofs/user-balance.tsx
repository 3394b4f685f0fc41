import { checkLeaves, LEAF_CHECKS, type LeafCheck } from '@exchange/core/proofs.ts';
import { useState } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { saveFile } from '../save-file.ts';
import { useSession } from '../session/session-store.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useInclusion, type Inclusion } from './queries.ts';
import css from './proofs.module.css';

/**
 * The signed-in user's balance in the newest snapshot of liabilities, with a button that verifies its inclusion on this
 * device; for visitors, a link to the login.
 */
export function UserBalanceCard({ loginPath }: { readonly loginPath: string }) {
  const t = useWords('proofs');
  const tShell = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <section className={`${css.card} ${css.own}`} aria-labelledby="own-balance">
      <h2 id="own-balance">{t('own')}</h2>
      {isSignedIn ? (
        <UserBalance />
      ) : (
        <>
          <p className={css.note}>{t('ownVisitor')}</p>
          <div className={css.buttons}>
            <ButtonLink to={loginPath}>{tShell('login')}</ButtonLink>
          </div>
        </>
      )}
    </section>
  );
}

function UserBalance() {
  const t = useWords('proofs');
  const { data, isPending, error, refetch } = useInclusion();
  return (
    <ListBody
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      isEmpty={data !== undefined && data.leaf === undefined}
      empty={t('ownNone')}
    >
      {data?.leaf === undefined ? null : (
        <Checked key={data.snapshot.day} snapshot={data.snapshot} leaf={data.leaf} />
      )}
    </ListBody>
  );
}

type LeafResult = Readonly<Record<LeafCheck, boolean>>;

function Checked({ snapshot, leaf }: { readonly snapshot: Inclusion['snapshot'] } & LeafProps) {
  const t = useWords('proofs');
  const userId = useSession(({ session }) => session?.userId);
  const [result, setResult] = useState<LeafResult>();
  const check = () => {
    const { amounts, ...checks } = checkLeaves(snapshot, leaf);
    // The server could send the leaf of another user, whose correct proof would say nothing about this user's
    // balance, so the leaf's user ID is compared too.
    setResult({ ...checks, amounts: amounts && leaf.user === userId });
  };
  const isCounted = result !== undefined && LEAF_CHECKS.every((check) => result[check]);
  return (
    <>
      <p className={css.note}>{t('ownText')}</p>
      <div className={css.amounts} tabIndex={0} role="group" aria-label={t('own')}>
        <ul>
          {leaf.amounts.map(({ currency, amount }) => (
            <li key={currency}>
              <span className={css.coin}>
                <CoinIcon coin={currency} size={20} />
                {currency}
              </span>
              <Amount value={amount} />
            </li>
          ))}
        </ul>
      </div>
      <div aria-live="polite">
        {result === undefined ? null : (
          <div className={css.result} data-counted={isCounted}>
            <p>{t(isCounted ? 'counted' : 'notCounted')}</p>
            <ul>
              {LEAF_CHECKS.map((check) => (
                <li key={check} data-holds={result[check]}>
                  <span aria-hidden="true">{result[check] ? '✓' : '✗'}</span> {t(`check.${check}`)}
                  <span className="visually-hidden">: {t(result[check] ? 'holds' : 'fails')}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div className={css.buttons}>
        <Button onClick={check}>{t(result === undefined ? 'check' : 'checkAgain')}</Button>
        <Button look="secondary" onClick={() => saveProof({ snapshot, leaf }, '-mine')}>
          {t('downloadOwn')}
        </Button>
      </div>
    </>
  );
}

interface LeafProps {
  readonly leaf: NonNullable<Inclusion['leaf']>;
}

/** Saves the user's proof of inclusion as a file that the program `tools/verify/proofs.mjs` verifies. */
export function saveProof(inclusion: Inclusion, suffix = ''): void {
  const file = new Blob([JSON.stringify(inclusion)], { type: 'application/json' });
  saveFile(file, `liabilities-${inclusion.snapshot.day}${suffix}.json`);
}
