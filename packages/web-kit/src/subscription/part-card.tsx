import { Decimal } from '@exchange/core/decimal.ts';
import { allocate } from '@exchange/core/subscription.ts';
import { useState } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { sha256 } from '../sha256.ts';
import { Badge } from '../ui/parts.tsx';
import { Button } from '../ui/button.tsx';
import { Fact } from './parts.tsx';
import { claimReleased, useProject, type Part, loadFile, loadPart } from './queries.ts';
import css from './subscription.module.css';

/**
 * Card of one of the user's commitments to token sales: the allocated tokens, those that the user can claim, and once
 * the sale is settled a button that verifies the commitment in the public files.
 */
export function PartCard({ part }: { readonly part: Part }) {
  const t = useWords('subscription');
  const { symbol, quoteCoin } = part;
  const isSettled = part.settled === 1;
  const isRefunded = part.allocated === '0';
  const money = (value: string) => <Amount value={value} coin={quoteCoin} />;
  const tokens = (value: string) => <Amount value={value} coin={symbol} />;
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `subscription claim ${part.id}`,
    title: t('claim', { amount: part.claimable, coin: symbol }),
    send: claimReleased,
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
      <UnansweredNote unanswered={unanswered} />
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
  const [checks, setChecks] = useState<LineChecks>();
  const check = async () => {
    try {
      setChecks(await verifyLine(await loadPart(part.id), data?.commitmentHash));
    } catch (error) {
      notify.failure(error);
    }
  };
  return (
    <div className={css.check}>
      <Button look="secondary" size="s" disabled={data === undefined} onClick={() => void check()}>
        {t('check')}
      </Button>
      {checks === undefined ? null : (
        <ul role="status">
          {(['isAnnounced', 'isMineThere', 'isRecomputed', 'isReceived'] as const).map((check) => (
            <li key={check} data-good={checks[check] || undefined}>
              {checks[check] ? '✓' : '✗'} {t(check)}
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

interface Result {
  readonly isRefunded: boolean;
  readonly commitmentHash: string;
  readonly terms: {
    readonly issueAmount: string;
    readonly ratio: string;
    readonly hardCapUser: string;
    readonly tokenDigits: number;
  };
  readonly results: readonly { readonly line: string; readonly amount: string; readonly allocated: string }[];
}

/**
 * Results of verifying a commitment of the user in the public files of a token sale; all are true if the sale was
 * correct.
 */
interface LineChecks {
  /** True if the hash of the commitments file equals the hash that was announced before the allocation. */
  readonly isAnnounced: boolean;
  /** True if the commitments file contains the user's line with the amount of the user's commitment. */
  readonly isMineThere: boolean;
  /** True if, for every line, the allocation formula yields the allocation in the result file. */
  readonly isRecomputed: boolean;
  /** True if the user's line in the result file equals the allocation that the account has received. */
  readonly isReceived: boolean;
}

/**
 * Loads the commitments file and the result file of a token sale and verifies the user's commitment against
 * them in the browser; resolves to the result of each check, also if a check fails.
 */
async function verifyLine(part: Part, commitmentHash: string | undefined): Promise<LineChecks> {
  const [commitments, result] = await Promise.all([
    loadFile(part.projectId, 'commitments'),
    loadFile(part.projectId, 'result'),
  ]);
  const file = JSON.parse(commitments.content) as {
    readonly commitments: readonly { readonly line: string; readonly amount: string }[];
  };
  const published = JSON.parse(result.content) as Result;
  const userLine = file.commitments.find(({ line }) => line === part.line);
  const { issueAmount, ratio, hardCapUser, tokenDigits } = published.terms;
  const terms = {
    issueAmount: Decimal.parse(issueAmount),
    ratio: Decimal.parse(ratio),
    hardCapUser: Decimal.parse(hardCapUser),
    tokenDigits,
  };
  const amounts = file.commitments.map(({ amount }) => Decimal.parse(amount));
  const allocations = published.isRefunded ? amounts.map(() => Decimal.zero) : allocate(amounts, terms);
  const publishedByLine = new Map(published.results.map(({ line, allocated }) => [line, allocated]));
  const hash = await sha256(commitments.content);
  return {
    isAnnounced: hash === commitmentHash && hash === published.commitmentHash,
    isMineThere: userLine?.amount === part.committed,
    isRecomputed:
      publishedByLine.size === allocations.length &&
      file.commitments.every(({ line }, at) => publishedByLine.get(line) === allocations[at]!.toString()),
    isReceived: publishedByLine.get(part.line) === part.allocated,
  };
}
