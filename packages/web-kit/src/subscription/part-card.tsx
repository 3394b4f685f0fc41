import { useState } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Badge } from '../ui/parts.tsx';
import { Button } from '../ui/button.tsx';
import { checkLine, type Checked } from './check.ts';
import { Fact } from './parts.tsx';
import { claim, useProject, type Part } from './queries.ts';
import css from './subscription.module.css';

/** One own commitment: what came of it, what can be claimed, and the check of its line. */
export function PartCard({ part }: { readonly part: Part }) {
  const t = useWords('subscription');
  const { symbol, quoteCoin } = part;
  const isSettled = part.settled === 1;
  const isRefunded = part.allocated === '0';
  const money = (value: string) => <Amount value={value} coin={quoteCoin} />;
  const tokens = (value: string) => <Amount value={value} coin={symbol} />;
  const { submit, isBusy } = useKeyedSubmit({
    form: `subscription claim ${part.id}`,
    send: claim,
    onAnswered: ({ released }) => notify.success(t('claimed', { amount: released, coin: symbol })),
  });
  return (
    <article className={css.card} aria-label={part.name}>
      <header>
        <CoinIcon coin={symbol} size={32} />
        <span className={css.name}>
          <b>{part.name}</b>
          <small>{symbol}</small>
        </span>
        <Badge tone={isSettled ? (isRefunded ? 'neutral' : 'good') : 'accent'}>
          {t(isSettled ? (isRefunded ? 'refunded' : 'settled') : 'waiting')}
        </Badge>
      </header>
      <dl className={css.facts}>
        <Fact name={t('committed')}>{money(part.committed)}</Fact>
        {isSettled ? (
          <>
            <Fact name={t('allocated')}>{tokens(part.allocated)}</Fact>
            <Fact name={t('cost')}>{money(part.cost)}</Fact>
            <Fact name={t('refund')}>{money(part.refund)}</Fact>
          </>
        ) : null}
        {part.allocated === '0' ? null : (
          <>
            <Fact name={t('unlocked')}>{tokens(part.unlocked)}</Fact>
            <Fact name={t('released')}>{tokens(part.released)}</Fact>
            <Fact name={t('lockUntil')}>
              <When at={part.lockUntil} look="dated" />
            </Fact>
            <Fact name={t('fullRelease')}>
              <When at={part.unlockedTime} look="dated" />
            </Fact>
          </>
        )}
      </dl>
      <div className={css.way}>
        {part.claimable === '0' ? null : (
          <Button busy={isBusy} onClick={() => void submit('claim', () => ({ id: part.id }))}>
            {t('claim', { amount: part.claimable, coin: symbol })}
          </Button>
        )}
        {isSettled ? <Check part={part} /> : null}
      </div>
    </article>
  );
}

function Check({ part }: { readonly part: Part }) {
  const t = useWords('subscription');
  const { data } = useProject(part.projectId);
  const [found, setFound] = useState<Checked>();
  const check = async () => {
    try {
      setFound(await checkLine(part, data?.commitmentHash));
    } catch (error) {
      // Reason: the files did not come through; nothing was found, which is said.
      notify.failure(error);
    }
  };
  return (
    <div className={css.check}>
      <Button look="secondary" size="s" disabled={data === undefined} onClick={() => void check()}>
        {t('check')}
      </Button>
      {found === undefined ? null : (
        <ul role="status">
          {(['isAnnounced', 'isMineThere', 'isRecomputed', 'isReceived'] as const).map((one) => (
            <li key={one} data-good={found[one] || undefined}>
              {found[one] ? '✓' : '✗'} {t(one)}
            </li>
          ))}
        </ul>
      )}
      <details className={css.text}>
        <summary>{t('line')}</summary>
        <p>
          <code>{part.line}</code>
        </p>
        <p>
          {t('salt')}: <code>{part.salt}</code>
        </p>
      </details>
    </div>
  );
}
