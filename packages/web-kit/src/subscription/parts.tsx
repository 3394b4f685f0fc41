import { Decimal } from '@exchange/core/decimal.ts';
import type { ReactNode } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { formatDecimal } from '../format/format.ts';
import { Amount, When } from '../format/numbers.tsx';
import { Remaining, useNow } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Badge, type Tone } from '../ui/parts.tsx';
import { phaseOf, useIsTraded, type Phase } from './phase.ts';
import type { Project } from './queries.ts';
import css from './subscription.module.css';

const TONES: Readonly<Record<Phase, Tone>> = {
  upcoming: 'accent',
  onSale: 'good',
  ended: 'neutral',
  distributing: 'warning',
  listed: 'good',
};
const CLOCK_MS = 30_000;

/**
 * Shows the phase of a token sale. Before the sale also the time until it begins, and during the sale the time until it
 * ends. After the sale it renders `StateAfterSale`, except for a refunded sale, for which it shows only that it was
 * refunded.
 */
export function ProjectState({ project }: { readonly project: Project }) {
  const t = useWords('subscription');
  const { status, stage } = project;
  if (status > 1 && stage !== 'refunded') return <StateAfterSale project={project} />;
  const phase = phaseOf(project, false);
  return (
    <span className={css.state}>
      <Badge tone={TONES[phase]}>{t(stage === 'refunded' ? 'refunded' : phase)}</Badge>
      {status > 1 ? null : (
        <small>
          {t(status === 0 ? 'startsIn' : 'endsIn')}{' '}
          <Remaining until={status === 0 ? project.startTime : project.endTime} />
        </small>
      )}
    </span>
  );
}

/**
 * Shows the phase of a token sale that has ended, and until the token is traded the time until its trading begins. If
 * that time has passed and the token is not traded, a text says that the token is not listed yet.
 */
function StateAfterSale({ project }: { readonly project: Project }) {
  const t = useWords('subscription');
  const phase = phaseOf(project, useIsTraded()(project.symbol));
  const now = useNow(CLOCK_MS);
  const isDated = project.listTime > now;
  return (
    <span className={css.state}>
      <Badge tone={TONES[phase]}>{t(phase)}</Badge>
      {phase === 'listed' ? null : (
        <small>
          {t(isDated ? 'listedIn' : 'notListed')} {isDated ? <Remaining until={project.listTime} /> : null}
        </small>
      )}
    </span>
  );
}

/**
 * The date on which trading of the token begins or began; if the date has passed and the token is not traded, a note
 * instead.
 */
export function ListingDate({ project }: { readonly project: Pick<Project, 'symbol' | 'listTime'> }) {
  const t = useWords('subscription');
  const isTraded = useIsTraded()(project.symbol);
  const now = useNow(CLOCK_MS);
  if (!isTraded && project.listTime <= now) return t('notListed');
  return <When at={project.listTime} look="dated" />;
}

/** Card of a token sale; `link` leads to its page. */
export function ProjectCard({ project, link }: { readonly project: Project; readonly link?: ReactNode }) {
  const t = useWords('subscription');
  const locale = useLocale();
  const { quoteCoin, symbol } = project;
  return (
    <article className={css.card} aria-label={project.name}>
      <header>
        <CoinIcon coin={symbol} size={40} />
        <span className={css.name}>
          <b>{project.name}</b>
          <small>{symbol}</small>
        </span>
        <ProjectState project={project} />
      </header>
      <dl className={css.facts}>
        <Fact name={t('ratio')}>
          1 {quoteCoin} = {formatDecimal(project.ratio, locale)} {symbol}
        </Fact>
        <Fact name={t('issueAmount')}>
          <Amount value={project.issueAmount} coin={symbol} />
        </Fact>
        <Fact name={t('window')}>
          <span className={css.moment}>
            <When at={project.startTime} look="dated" /> –
          </span>{' '}
          <When className={css.moment} at={project.endTime} look="dated" />
        </Fact>
        <Fact name={t('participants')}>{formatDecimal(String(project.participants), locale)}</Fact>
      </dl>
      <div className={css.way}>
        <Progress project={project} />
        {link}
      </div>
    </article>
  );
}

/** Bar that shows the total of all commitments relative to the value of all offered tokens. */
export function Progress({ project }: { readonly project: Project }) {
  const t = useWords('subscription');
  const locale = useLocale();
  const worth = Decimal.parse(project.issueAmount).over(Decimal.parse(project.ratio), 'up', 2);
  const times = Decimal.parse(project.committed).over(worth, 'down', 4);
  const share = Math.min(1, Number(times.toString()));
  const text = t('committedOf', {
    committed: formatDecimal(project.committed, locale),
    coin: project.quoteCoin,
    all: formatDecimal(worth.toString(), locale),
  });
  return (
    <div className={css.progress}>
      <span
        className={css.meter}
        role="meter"
        aria-label={t('committed')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={text}
      >
        <span style={{ transform: `scaleX(${share})` }} />
      </span>
      <small>{text}</small>
    </div>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
