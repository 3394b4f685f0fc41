import { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import { Activity, ArrowRight, Hourglass, Receipt, Scale, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { formatTime, formatPercent } from '../format/format.ts';
import { formatLength } from '../format/format-remaining.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { useIndexSources, usePair } from '../market/queries.ts';
import { Skeleton } from '../ui/parts.tsx';
import { useLatestSnapshot } from './queries.ts';
import css from './trust-cards.module.css';

const SYMBOL = 'btcusdt';
const FRESH_MS = 60_000;
const ROOT_DIGITS = 8;

interface TrustCardsProps {
  /** Paths of the pages that the cards link to, by card. */
  readonly paths: Readonly<Record<'times' | 'sources' | 'proofs' | 'fees', string>>;
}

/**
 * Cards with live figures from which users can judge whether the exchange is trustworthy; each links to a page that
 * proves its figure.
 */
export function TrustCards({ paths }: TrustCardsProps) {
  return (
    <div className={css.cards}>
      <Times to={paths.times} />
      <Sources to={paths.sources} />
      <Proof to={paths.proofs} />
      <Fees to={paths.fees} />
    </div>
  );
}

interface CardProps {
  readonly Icon: LucideIcon;
  readonly title: string;
  /** The figure of the card; undefined while it is loading, null when there is none. */
  readonly figure: ReactNode;
  /** Text that explains the figure, or why there is none. */
  readonly note: string;
  readonly text: string;
  readonly link: string;
  readonly to: string;
}

function Card({ Icon, title, figure, note, text, link, to }: CardProps) {
  return (
    <article className={css.card}>
      <Icon size={22} aria-hidden="true" />
      <h3>{title}</h3>
      <p className={css.figure}>
        {figure === undefined ? <Skeleton width={120} height={24} /> : (figure ?? UNKNOWN)}
      </p>
      <p className={css.note}>{figure === undefined ? <Skeleton width={160} height={14} /> : note}</p>
      <p className={css.text}>{text}</p>
      <Link to={to}>
        {link} <ArrowRight size={14} aria-hidden="true" />
      </Link>
    </article>
  );
}

/**
 * Returns the figure that `figureIn` computes from the data of a query; undefined while the query is loading,
 * null when it failed or contains no figure.
 */
function figureOf<Data>(
  { data, isPending }: { readonly data: Data | undefined; readonly isPending: boolean },
  figureIn: (data: Data) => ReactNode,
): ReactNode {
  if (data !== undefined) return figureIn(data);
  return isPending ? undefined : null;
}

function Times({ to }: { readonly to: string }) {
  const t = useWords('home');
  const locale = useLocale();
  const read = useRead({
    queryKey: ['proofs', 'withdrawal times'],
    queryFn: async ({ signal }) => (await call(withdrawalStats, {}, { signal })).withdrawals,
    staleTime: FRESH_MS,
  });
  return (
    <Card
      Icon={Hourglass}
      title={t('trustTimes')}
      figure={figureOf(read, ({ finished, medianSeconds }) =>
        finished === 0 ? null : formatLength(medianSeconds, locale),
      )}
      note={t(read.data?.finished === 0 ? 'trustTimesNone' : 'trustTimesNote')}
      text={t('trustTimesText')}
      link={t('trustTimesLink')}
      to={to}
    />
  );
}

function Sources({ to }: { readonly to: string }) {
  const t = useWords('home');
  const locale = useLocale();
  const read = useIndexSources(SYMBOL);
  const time = read.data?.time ?? null;
  const hasIndex = read.data !== undefined && read.data.index !== '' && time !== null;
  return (
    <Card
      Icon={Activity}
      title={t('trustPrice')}
      figure={figureOf(read, ({ sources }) =>
        t('trustPriceFigure', {
          count: sources.filter(({ state }) => state === 'counts').length,
          all: sources.length,
        }),
      )}
      note={hasIndex ? t('trustPriceNote', { time: formatTime(time, locale, 'time') }) : t('trustPriceNone')}
      text={t('trustPriceText')}
      link={t('trustPriceLink')}
      to={to}
    />
  );
}

function Proof({ to }: { readonly to: string }) {
  const t = useWords('home');
  const locale = useLocale();
  const read = useLatestSnapshot();
  const { data } = read;
  return (
    <Card
      Icon={Scale}
      title={t('trustLedger')}
      figure={figureOf(read, (snapshot) =>
        snapshot === null ? null : <code title={snapshot.root}>{snapshot.root.slice(0, ROOT_DIGITS)}…</code>,
      )}
      note={
        data ? t('trustLedgerNote', { time: formatTime(data.time, locale, 'minute') }) : t('trustLedgerNone')
      }
      text={t('trustLedgerText')}
      link={t('trustLedgerLink')}
      to={to}
    />
  );
}

function Fees({ to }: { readonly to: string }) {
  const t = useWords('home');
  const locale = useLocale();
  const read = usePair(SYMBOL);
  const rate = (fee: { toString(): string } | undefined) =>
    fee === undefined ? UNKNOWN : formatPercent(String(fee), locale);
  return (
    <Card
      Icon={Receipt}
      title={t('trustFees')}
      figure={figureOf(read, (pair) => (pair === null ? null : rate(pair.takerFee)))}
      note={t('trustFeesNote', { maker: rate(read.data?.makerFee) })}
      text={t('trustFeesText')}
      link={t('trustFeesLink')}
      to={to}
    />
  );
}
