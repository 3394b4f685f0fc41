import { instant, startOfDay } from '@exchange/core/time.ts';
import { useEffect, useId, useState, type PointerEvent } from 'react';
import { refetchActive } from '../api/query-client.ts';
import { TOTAL_ASSETS_KEYS } from '../balance/balances.ts';
import { sparkPath } from '../chart/sparkline.tsx';
import { formatTime, formatPrice, signOf, directionOfPercent } from '../format/format.ts';
import { Amount, Change, HIDDEN_AMOUNT } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { SegmentedControl } from '../ui/choice.tsx';
import { LoadFailed } from '../list/load-failed.tsx';
import { Skeleton } from '../ui/parts.tsx';
import { type CurvePoint, profitBetween, profitUpTo } from './curve.ts';
import { CURVE_DAYS, useValueHistory, type CurveDays } from './portfolio.ts';
import { useSnapshot } from './queries.ts';
import css from './value-curve.module.css';

const WIDTH = 600;
const HEIGHT = 112;

/**
 * Chart of the total value of the user's accounts in USDT at the end of each UTC day in the selected period,
 * and now. The pointer shows the value of a single day.
 */
export function ValueCurve({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('assets');
  const [days, setDays] = useState<CurveDays>('30');
  const past = useValueHistory(days);
  const now = useSnapshot();
  const error = past.error ?? now.error;
  const isBehind =
    past.data !== undefined && now.data !== undefined && now.data.last?.time !== past.data.list.at(-1)?.time;
  // If the newest day of the snapshot differs from the last day of the fetched history, a UTC day has ended since the
  // fetch. The history is then fetched again, because the snapshot's net deposits are those since the end of its newest
  // day.
  useEffect(() => {
    if (isBehind) refetchActive(TOTAL_ASSETS_KEYS.forCurrentUser('history'));
  }, [isBehind]);
  const points =
    past.data === undefined || now.data === undefined
      ? undefined
      : [
          ...past.data.list,
          { time: 0, total: now.data.total, netDeposits: now.data.last?.netDeposits ?? '0' },
        ];
  return (
    <div className={css.curve}>
      <header>
        <h2>{t('curve')}</h2>
        <SegmentedControl<CurveDays>
          label={t('curve')}
          className={css.days}
          value={days}
          onChange={setDays}
          options={CURVE_DAYS.map((value) => ({ value, label: t('lastDays', { days: value }) }))}
        />
      </header>
      {error !== null ? (
        <LoadFailed error={error} onRetry={() => void Promise.all([past.refetch(), now.refetch()])} />
      ) : points === undefined ? (
        <div className={css.body}>
          <Skeleton height="100%" />
        </div>
      ) : (
        <div className={css.body}>
          {points.length < 2 ? (
            <p className={css.soon}>{t('curveSoon')}</p>
          ) : (
            <Chart points={points} days={days} hidden={hidden} />
          )}
        </div>
      )}
    </div>
  );
}

interface ChartProps {
  readonly points: readonly CurvePoint[];
  readonly days: CurveDays;
  readonly hidden: boolean;
}

function Chart({ points, days, hidden }: ChartProps) {
  const t = useWords('assets');
  const locale = useLocale();
  const gradient = useId();
  const [pointed, setPointed] = useState<number>();
  const firstPoint = points[0]!;
  const lastPoint = points.at(-1)!;
  const selected = points[pointed ?? points.length - 1] ?? lastPoint;
  const { amount, fraction, netDeposits } = profitUpTo(points, pointed ?? points.length - 1);
  const path = sparkPath(
    points.map(({ total }) => Number(total)),
    WIDTH,
    HEIGHT,
  );
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.round(((clientX - left) / width) * (points.length - 1));
    setPointed(Math.min(points.length - 1, Math.max(0, at)));
  };
  const text = (value: string) => (hidden ? HIDDEN_AMOUNT : formatPrice(value, locale, 2));
  return (
    <>
      <p className={css.reading}>
        <span>{selected.time === 0 ? t('now') : formatTime(selected.time - 1, locale, 'date', 'UTC')}</span>
        <Amount value={selected.total} kind="worth" coin="USDT" hidden={hidden} />
        <span className={css.change} data-way={directionOfPercent(amount)} title={t('curveHint')}>
          <Amount value={amount} signed kind="worth" hidden={hidden} />{' '}
          {fraction === undefined ? null : <Change value={fraction} />}
        </span>
      </p>
      <div
        className={css.plot}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('curveOf', { days, from: text(firstPoint.total), to: text(lastPoint.total) })}
          data-way={directionOfPercent(profitUpTo(points, points.length - 1).amount)}
        >
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="currentColor" stopOpacity="0.2" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </linearGradient>
          <path d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} fill={`url(#${gradient})`} />
          <path d={path} className={css.line} vectorEffect="non-scaling-stroke" />
        </svg>
        {pointed === undefined ? null : (
          <span className={css.cross} style={{ left: `${(pointed / (points.length - 1)) * 100}%` }} />
        )}
      </div>
      <p className={css.ends} aria-hidden="true">
        <span>{formatTime(firstPoint.time - 1, locale, 'date', 'UTC')}</span>
        <span>{t('now')}</span>
      </p>
      {signOf(netDeposits) === 0 ? null : (
        <p className={css.net}>
          {t(signOf(netDeposits) > 0 ? 'curveDeposited' : 'curveWithdrawn', {
            amount: text(netDeposits.replace('-', '')),
          })}
        </p>
      )}
    </>
  );
}

/**
 * Shows the user's profit since the last UTC midnight in USDT and in percent. Renders nothing if the value at
 * midnight is unknown.
 */
export function TodaysChange({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('assets');
  const { data: snapshot } = useSnapshot();
  const midnight = snapshot?.last;
  if (snapshot === undefined || midnight === undefined || midnight === null) return null;
  // The newest stored value is not that of the last UTC midnight, for example because no server was running
  // at that time. The profit since midnight is then unknown, and nothing is rendered.
  if (midnight.time !== startOfDay(instant(snapshot.time))) return null;
  const { amount, fraction } = profitBetween(midnight.total, snapshot.total, midnight.netDeposits);
  return (
    <span className={css.today} title={t('changeTodayHint')}>
      {t('changeToday')}{' '}
      <span className={css.change} data-way={directionOfPercent(amount)}>
        <Amount value={amount} signed kind="worth" hidden={hidden} />{' '}
      </span>
      <Change value={fraction} />
    </span>
  );
}
