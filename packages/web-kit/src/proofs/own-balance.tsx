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

/** What the newest snapshot owes who is signed in, and a button that has it recomputed on this device. */
export function OwnBalance({ loginPath }: { readonly loginPath: string }) {
  const t = useWords('proofs');
  const tShell = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <section className={`${css.card} ${css.own}`} aria-labelledby="own-balance">
      <h2 id="own-balance">{t('own')}</h2>
      {isSignedIn ? (
        <Owed />
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

function Owed() {
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

type Found = Readonly<Record<LeafCheck, boolean>>;

function Checked({ snapshot, leaf }: { readonly snapshot: Inclusion['snapshot'] } & LeafOf) {
  const t = useWords('proofs');
  const userId = useSession(({ session }) => session?.userId);
  const [found, setFound] = useState<Found>();
  const check = () => {
    const { amounts, ...rest } = checkLeaves(snapshot, leaf);
    // Leaves of another user prove nothing to this one.
    setFound({ ...rest, amounts: amounts && leaf.user === userId });
  };
  const isCounted = found !== undefined && LEAF_CHECKS.every((one) => found[one]);
  return (
    <>
      <p className={css.note}>{t('ownText')}</p>
      <ul className={css.amounts}>
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
      <div aria-live="polite">
        {found === undefined ? null : (
          <div className={css.result} data-counted={isCounted}>
            <p>{t(isCounted ? 'counted' : 'notCounted')}</p>
            <ul>
              {LEAF_CHECKS.map((one) => (
                <li key={one} data-holds={found[one]}>
                  <span aria-hidden="true">{found[one] ? '✓' : '✗'}</span> {t(`check.${one}`)}
                  <span className="visually-hidden">: {t(found[one] ? 'holds' : 'fails')}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div className={css.buttons}>
        <Button onClick={check}>{t(found === undefined ? 'check' : 'checkAgain')}</Button>
        <Button look="secondary" onClick={() => save({ snapshot, leaf }, '-mine')}>
          {t('downloadOwn')}
        </Button>
      </div>
    </>
  );
}

interface LeafOf {
  readonly leaf: NonNullable<Inclusion['leaf']>;
}

/** Gives what was published, or what it says of somebody, as a file that `tools/verify/proofs.mjs` reads. */
export function save(said: Inclusion, what = ''): void {
  const file = new Blob([JSON.stringify(said)], { type: 'application/json' });
  saveFile(file, `liabilities-${said.snapshot.day}${what}.json`);
}
