import { proofTape } from '@exchange/wire/proof.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { Skeleton } from '../ui/parts.tsx';
import { parsePoint, type LinePoint } from './index-line.ts';
import { pathOf, thinPoints } from './index-plot.ts';
import { digitsOf } from './positions.tsx';
import type { SecondsOrder } from './queries.ts';
import css from './results.module.css';

/**
 * Maximum time in the chart, in milliseconds. The server returns at most one hour of index prices per request, so the
 * chart of a longer position shows only its last hour.
 */
const SHOWN_MS = 3_599_000;
const POINTS_MAX = 600;
const SECOND_MS = 1_000;
const SIZE = 1_000;
/** Margin above and below the index line, as a fraction of the chart's height. */
const MARGIN = 0.12;

interface ResultPlot {
  readonly path: string;
  readonly entryY: number | undefined;
  readonly settleY: number | undefined;
}

/**
 * Computes the layout of the index prices of a position from `from` to `until` (milliseconds UTC), with its entry and
 * settlement price. Undefined when no second in this time has a price.
 */
export function resultPlot(
  points: readonly LinePoint[],
  { from, until, entry, settle }: { from: number; until: number; entry?: string; settle?: string },
): ResultPlot | undefined {
  const everyMs = Math.max(1, Math.ceil((until - from) / SECOND_MS / POINTS_MAX)) * SECOND_MS;
  const drawnPoints = thinPoints(
    points.filter(({ t }) => t >= from && t <= until),
    everyMs,
  );
  const prices = [...drawnPoints.map(({ price }) => price), entry, settle].flatMap((price) =>
    price === null || price === undefined ? [] : [Number(price)],
  );
  if (!drawnPoints.some(({ price }) => price !== null)) return undefined;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const height = Math.max(high - low, high * 0.00001);
  const x = (t: number) => (t - from) / Math.max(1, until - from);
  const y = (price: number) => 0.5 - ((price - (low + high) / 2) / height) * (1 - 2 * MARGIN);
  return {
    path: pathOf(drawnPoints, everyMs, x, y),
    entryY: entry === undefined ? undefined : SIZE * y(Number(entry)),
    settleY: settle === undefined ? undefined : SIZE * y(Number(settle)),
  };
}

/**
 * Chart of the index price from a position's entry to its expiry, at most its last hour, with a line at the entry price
 * and a dot at the settlement price; a note instead if the prices cannot be loaded or there are none.
 */
export function ResultChart({ order }: { readonly order: SecondsOrder }) {
  const t = useWords('seconds');
  const locale = useLocale();
  const { id, symbol, entryTime, expireTime, buyPrice, settlePrice, tradeType } = order;
  const from = Math.max(entryTime, expireTime - SHOWN_MS);
  const tape = useRead({
    queryKey: ['seconds', 'result', id],
    queryFn: async ({ signal }) =>
      (await call(proofTape, { symbol, from, to: expireTime }, { signal })).lines.map(parsePoint),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (tape.data === undefined)
    return tape.error === null ? <Skeleton width="100%" height={96} /> : <p>{t('resultNoChart')}</p>;
  const plot = resultPlot(tape.data, {
    from,
    until: expireTime,
    ...(buyPrice === undefined ? {} : { entry: buyPrice }),
    ...(settlePrice === undefined ? {} : { settle: settlePrice }),
  });
  if (plot === undefined) return <p>{t('resultNoChart')}</p>;
  const price = (text: string | undefined) =>
    text === undefined ? '–' : formatPrice(text, locale, digitsOf(text));
  return (
    <svg
      className={css.chart}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('resultChart', { entry: price(buyPrice), settlement: price(settlePrice) })}
    >
      <path d={plot.path} />
      {plot.entryY === undefined ? null : (
        <line
          className={tradeType === 1 ? css.wayUp : css.wayDown}
          x1={0}
          x2={SIZE}
          y1={plot.entryY}
          y2={plot.entryY}
        />
      )}
      {plot.settleY === undefined ? null : (
        // A line of zero length with round caps draws a dot; a circle would be distorted by the stretched view box.
        <line className={css.dot} x1={SIZE} x2={SIZE} y1={plot.settleY} y2={plot.settleY} />
      )}
    </svg>
  );
}
