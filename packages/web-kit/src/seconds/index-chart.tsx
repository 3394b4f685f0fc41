import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { LINE_SECONDS, type LinePoint } from './index-line.ts';
import css from './seconds.module.css';

/** An open position as a line of the chart. */
export interface EntryMark {
  readonly id: string;
  readonly price: string;
  readonly isUp: boolean;
}

interface IndexChartProps {
  readonly points: readonly LinePoint[];
  readonly marks: readonly EntryMark[];
  /** Of prices as shown. */
  readonly digits: number;
}

const WIDTH = 720;
const HEIGHT = 260;
const SIDE = 92;
const EDGE = 18;

/** The index second by second, gaps left open, with the entries of open positions and the current price as lines. */
export function IndexChart({ points, marks, digits }: IndexChartProps) {
  const t = useWords('seconds');
  const locale = useLocale();
  const last = points.findLast(({ price }) => price !== null);
  if (last === undefined || last.price === null)
    return <div className={css.chartEmpty}>{t('waitingForIndex')}</div>;
  // Where on screen a price lies decides about no money.
  const figures = [...points.map(({ price }) => price), ...marks.map(({ price }) => price)]
    .filter((price) => price !== null)
    .map(Number);
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const span = Math.max(high - low, high * 0.00005);
  const middle = (low + high) / 2;
  const end = points.at(-1)!.t;
  const x = (at: number) => (1 - (end - at) / (LINE_SECONDS * 1_000)) * (WIDTH - SIDE);
  const y = (price: string) => HEIGHT / 2 - ((Number(price) - middle) / span) * (HEIGHT - 2 * EDGE);
  const share = (price: string) => `${(100 * y(price)) / HEIGHT}%`;
  const label = formatPrice(last.price, locale, digits);
  return (
    <div className={css.frame}>
      <svg
        className={css.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('chartLabel', { price: label })}
        preserveAspectRatio="none"
      >
        <path className={css.line} d={pathOf(points, x, y)} />
        {marks.map(({ id, price, isUp }) => (
          <g key={id} className={isUp ? css.markUp : css.markDown}>
            <line x1={0} x2={WIDTH - SIDE} y1={y(price)} y2={y(price)} />
          </g>
        ))}
        <line className={css.now} x1={0} x2={WIDTH - SIDE} y1={y(last.price)} y2={y(last.price)} />
      </svg>
      {marks.map(({ id, price, isUp }) => (
        <span
          key={id}
          aria-hidden="true"
          className={`${css.mark} ${isUp ? css.up : css.down}`}
          style={{ top: share(price) }}
        >
          {isUp ? '▲' : '▼'} {formatPrice(price, locale, digits)}
        </span>
      ))}
      <span aria-hidden="true" className={css.tag} style={{ top: share(last.price) }}>
        {label}
      </span>
    </div>
  );
}

/** A path that breaks where a second has no price or is missing. */
function pathOf(
  points: readonly LinePoint[],
  x: (t: number) => number,
  y: (price: string) => number,
): string {
  let before = 0;
  return points
    .map(({ t, price }) => {
      if (price === null) {
        before = 0;
        return '';
      }
      const step = `${before === t - 1_000 ? 'L' : 'M'}${x(t).toFixed(1)} ${y(price).toFixed(1)}`;
      before = t;
      return step;
    })
    .join('');
}
