import { Decimal } from '@exchange/core/decimal.ts';
import { cliffOf, releasedAt } from '@exchange/core/subscription.ts';
import { instant } from '@exchange/core/time.ts';
import type { ReactNode } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { formatDecimal, formatPercent } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { CommitPanel, CommittedPanel } from './commit-form.tsx';
import { Fact, ListingDate, Progress, ProjectState } from './parts.tsx';
import { PHASES, phaseOf, useIsTraded } from './phase.ts';
import { loadFile, type ProjectDetail } from './queries.ts';
import css from './subscription.module.css';

interface ProjectViewProps {
  readonly project: ProjectDetail;
  readonly gate: ReactNode | undefined;
  readonly passwordHint: ReactNode | undefined;
}

/**
 * Fraction of the offered tokens from which the sale counts as sold out; rounding each allocation to the token's
 * decimals leaves a small remainder.
 */
const ALL_SOLD = Decimal.parse('0.9999');

/**
 * Page of a token sale: phase, terms, texts, rules and files, during the sale the form for the user's commitment, and
 * after it the user's commitment, if there is one.
 */
export function ProjectView({ project, gate, passwordHint }: ProjectViewProps) {
  const t = useWords('subscription');
  const { symbol, status } = project;
  const step = PHASES.indexOf(phaseOf(project, useIsTraded()(symbol)));
  return (
    <div className={css.view}>
      <header className={css.head}>
        <CoinIcon coin={symbol} size={48} />
        <span className={css.name}>
          <h1>{project.name}</h1>
          <small>{symbol}</small>
        </span>
        <ProjectState project={project} />
      </header>
      <ol className={css.steps} aria-label={t('states')}>
        {PHASES.map((name, at) => (
          <li key={name} data-done={at < step || undefined} aria-current={at === step ? 'step' : undefined}>
            {t(name)}
          </li>
        ))}
      </ol>
      <div className={css.columns}>
        <div className={css.main}>
          <section className={css.panel}>
            <Progress project={project} />
            <Terms project={project} />
            <PartSold project={project} />
          </section>
          <Text title={t('about')} text={project.about} />
          <Text title={t('tokenomics')} text={project.tokenomics} />
          <section className={css.panel}>
            <h2>{t('rules')}</h2>
            <p>{t('rulesText')}</p>
            <p className={css.hint}>{t('rulesExample')}</p>
          </section>
          <Files project={project} />
        </div>
        {status === 1 ? (
          <CommitPanel project={project} gate={gate} passwordHint={passwordHint} />
        ) : status > 1 && Decimal.parse(project.myCommitted).isPositive() ? (
          <CommittedPanel project={project} />
        ) : null}
      </div>
    </div>
  );
}

/** The terms of a token sale, and the dates on which the allocated tokens are released. */
function Terms({ project }: Pick<ProjectViewProps, 'project'>) {
  const t = useWords('subscription');
  const locale = useLocale();
  const { symbol, quoteCoin } = project;
  const vesting = {
    listAt: instant(project.listTime),
    lockDays: project.lockDays,
    linearDays: project.linearDays,
  };
  const plain = (text: string) => formatDecimal(text, locale);
  return (
    <dl className={css.facts}>
      <Fact name={t('ratio')}>
        1 {quoteCoin} = {plain(project.ratio)} {symbol}
      </Fact>
      <Fact name={t('totalSupply')}>
        <Amount value={project.totalSupply} coin={symbol} />
      </Fact>
      <Fact name={t('issueAmount')}>
        <Amount value={project.issueAmount} coin={symbol} />
      </Fact>
      <Fact name={t('purchaseLimit')}>
        {t('limitsEach', { min: project.minAmount, max: project.maxAmount, coin: quoteCoin })}
      </Fact>
      <Fact name={t('hardCap')}>
        <Amount value={project.hardCapUser} coin={symbol} />
      </Fact>
      <Fact name={t('softCap')}>
        {project.softCap === undefined ? t('none') : <Amount value={project.softCap} coin={quoteCoin} />}
      </Fact>
      <Fact name={t('participants')}>{plain(String(project.participants))}</Fact>
      <Fact name={t('starts')}>
        <When at={project.startTime} look="dated" />
      </Fact>
      <Fact name={t('ends')}>
        <When at={project.endTime} look="dated" />
      </Fact>
      <Fact name={t('listing')}>
        <ListingDate project={project} />
      </Fact>
      <Fact name={t('lock')}>
        {t('lockDays', { count: project.lockDays })} · <When at={cliffOf(vesting)} look="dated" />
      </Fact>
      <Fact name={t('fullRelease')}>
        <When at={releasedAt(vesting)} look="dated" />
      </Fact>
      {project.sold === undefined ? null : (
        <Fact name={t('sold')}>
          <Amount value={project.sold} coin={symbol} />
        </Fact>
      )}
    </dl>
  );
}

/**
 * Explains why tokens remained unsold: no user receives more than the maximum per user, or more than the commitment
 * pays for. Renders nothing for a sale that sold at least `ALL_SOLD` of its tokens, for a refunded sale, and until the
 * number of sold tokens is known.
 */
function PartSold({ project }: Pick<ProjectViewProps, 'project'>) {
  const t = useWords('subscription');
  const locale = useLocale();
  const { sold, symbol } = project;
  if (sold === undefined || project.stage === 'refunded') return null;
  const issued = Decimal.parse(project.issueAmount);
  const share = Decimal.parse(sold).over(issued, 'down', 4);
  if (!share.isLess(ALL_SOLD)) return null;
  return (
    <p className={css.hint}>
      {t('partSold', {
        share: formatPercent(share.toString(), locale, { digits: 0 }),
        cap: formatDecimal(project.hardCapUser, locale),
        coin: symbol,
        left: formatDecimal(issued.minus(Decimal.parse(sold)).toString(), locale),
      })}
    </p>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className={css.panel}>
      <h2>{title}</h2>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </section>
  );
}

/**
 * Buttons that download the whitepaper and, after their publication, the two public files of a token sale, each with
 * its hash.
 */
function Files({ project }: Pick<ProjectViewProps, 'project'>) {
  const t = useWords('subscription');
  const { id, symbol, whitepaper, commitmentHash, announceTime, resultHash, allocateTime } = project;
  const save = async (kind: 'commitments' | 'result') => {
    const { content } = await loadFile(id, kind);
    saveFile(new Blob([content], { type: 'application/json' }), `${symbol.toLowerCase()}-${kind}.json`);
  };
  const file = (kind: 'commitments' | 'result', hash: string | undefined, at: number | undefined) =>
    hash === undefined ? null : (
      <div className={css.file}>
        <b>{t(kind)}</b>
        {at === undefined ? null : <When at={at} look="dated" />}
        <code>{hash}</code>
        <Button look="secondary" size="s" onClick={() => void save(kind)}>
          {t('download')}
        </Button>
      </div>
    );
  return (
    <section className={css.panel}>
      <h2>{t('files')}</h2>
      <div className={css.file}>
        <b>{t('whitepaper')}</b>
        <Button
          look="secondary"
          size="s"
          onClick={() =>
            saveFile(
              new Blob([whitepaper], { type: 'text/plain;charset=utf-8' }),
              `${symbol.toLowerCase()}-whitepaper.txt`,
            )
          }
        >
          {t('download')}
        </Button>
      </div>
      {file('commitments', commitmentHash, announceTime)}
      {file('result', resultHash, allocateTime)}
      {commitmentHash === undefined ? <p className={css.hint}>{t('filesLater')}</p> : null}
    </section>
  );
}
