import { formatTime, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { LinePoint, PastPoint } from './index-line.ts';
import { plotOf, tagPlaces, type EntryMark, type Plot, type Span } from './index-plot.ts';
import css from './index-chart.module.css';

interface IndexChartProps {
  readonly points: readonly LinePoint[];
  /** Generated prices of the demo market for the time before the index's first price; by default none. */
  readonly past?: readonly PastPoint[];
  readonly marks: readonly EntryMark[];
  readonly span: Span;
  /** Number of decimals with which prices are displayed. */
  readonly digits: number;
}

const SIZE = 1_000;
/**
 * Half the height, as a fraction of the chart's height, of the zone around the tag of the newest index price
 * in which axis labels are omitted, because the tag would cover them.
 */
const TAG_ROOM = 0.07;
const percent = (fraction: number) => `${100 * Math.min(1, Math.max(0, fraction))}%`;

/**
 * Chart of a pair's index price per second, in which gaps stay open, with the newest index price and a line
 * for each open position from its entry to its expiry. `past` is drawn before the first index price. Until
 * there is an index price, a note instead.
 */
export function IndexChart({ points, past, marks, span, digits }: IndexChartProps) {
  const t = useWords('seconds');
  const locale = useLocale();
  const plot = plotOf(points, marks, span, past);
  const lastPoint = points.findLast(({ price }) => price !== null);
  if (plot === undefined || lastPoint === undefined || lastPoint.price === null)
    return <div className={css.empty}>{t('waitingForIndex')}</div>;
  const now = formatPrice(lastPoint.price, locale, digits);
  const nowAt = plot.y(lastPoint.price);
  return (
    <div className={css.frame}>
      <div className={css.plot}>
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          role="img"
          aria-label={t('chartLabel', { minutes: span / 60, price: now })}
          preserveAspectRatio="none"
        >
          <Grid plot={plot} />
          {plot.pastPath === '' ? null : <path className={css.past} d={plot.pastPath} />}
          <path className={css.line} d={plot.path} />
          {marks.map((mark) => (
            <Position key={mark.id} mark={mark} plot={plot} />
          ))}
          <line
            className={css.now}
            x1={0}
            x2={SIZE}
            y1={SIZE * plot.y(lastPoint.price)}
            y2={SIZE * plot.y(lastPoint.price)}
          />
        </svg>
        {plot.pastPath === '' ? null : <p className={css.legend}>{t('simulatedPast')}</p>}
        <span
          aria-hidden="true"
          className={css.point}
          style={{ left: percent(plot.x(lastPoint.t)), top: percent(plot.y(lastPoint.price)) }}
        />
        <Tags marks={marks} plot={plot} digits={digits} />
      </div>
      <div className={css.prices} aria-hidden="true">
        {plot.prices
          .filter(({ at }) => Math.abs(at - nowAt) > TAG_ROOM)
          .map(({ key, at, value }) => (
            <span key={key} style={{ top: percent(at) }}>
              {formatPrice(value.toFixed(plot.priceDigits), locale, plot.priceDigits)}
            </span>
          ))}
        <b style={{ top: percent(nowAt) }}>{now}</b>
      </div>
      <div className={css.times} aria-hidden="true">
        {plot.times.map(({ key, at, value }) => (
          <span key={key} style={{ left: percent(at) }}>
            {formatTime(value, locale, 'time').slice(0, 5)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Grid({ plot }: { readonly plot: Plot }) {
  return (
    <g className={css.grid}>
      {plot.prices.map(({ key, at }) => (
        <line key={key} x1={0} x2={SIZE} y1={SIZE * at} y2={SIZE * at} />
      ))}
      {plot.times.map(({ key, at }) => (
        <line key={key} x1={SIZE * at} x2={SIZE * at} y1={0} y2={SIZE} />
      ))}
    </g>
  );
}

/**
 * An open position in the chart: a horizontal line at the entry price from entry to expiry, with a vertical line at the
 * expiry.
 */
function Position({ mark, plot }: { readonly mark: EntryMark; readonly plot: Plot }) {
  const { price, isUp, from, until } = mark;
  const [x1, x2, y] = [SIZE * plot.x(from), SIZE * plot.x(until), SIZE * plot.y(price)];
  return (
    <g className={isUp ? css.wayUp : css.wayDown}>
      <line x1={x1} x2={x2} y1={y} y2={y} />
      <line className={css.end} x1={x2} x2={x2} y1={0} y2={SIZE} />
    </g>
  );
}

/** Tags with the entry prices, at the left end of their lines, because the right end shows the current price. */
function Tags({ marks, plot, digits }: Pick<IndexChartProps, 'marks' | 'digits'> & { readonly plot: Plot }) {
  const locale = useLocale();
  const places = tagPlaces(marks.map(({ price }) => plot.y(price)));
  return marks.map(({ id, price, isUp, from }, index) => {
    const x = plot.x(from);
    const extendsLeft = x > 0.5;
    return (
      <span
        key={id}
        aria-hidden="true"
        className={css.tag}
        data-before={extendsLeft || undefined}
        style={{ top: percent(places[index]!) }}
      >
        <span style={{ flexBasis: percent(extendsLeft ? 1 - x : x) }} />
        <span className={`${css.mark} ${isUp ? css.up : css.down}`}>
          {isUp ? '▲' : '▼'} {formatPrice(price, locale, digits)}
        </span>
      </span>
    );
  });
}
