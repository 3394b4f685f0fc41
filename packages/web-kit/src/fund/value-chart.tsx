import type { CandleTimer } from '@exchange/core/candle.ts';
import { useState } from 'react';
import { digitsOf, multiples, niceStep, zoneOfCandles } from '../chart/ticks.ts';
import { formatTime, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { SegmentedControl, Tabs } from '../ui/choice.tsx';
import css from './fund.module.css';
import { useFundCandles, type FundCandle } from './queries.ts';

const TIMERS = ['1min', '15min', '60min', '4hour', '1day'] as const satisfies readonly CandleTimer[];
const WIDTH = 720;
const HEIGHT = 280;
const EDGE = 16;
const SHOWN_DIGITS = 4;
/** Maximum number of intervals between the labels of the value axis, which can have one label more than intervals. */
const VALUE_LABELS_MAX = 8;
const TIME_LABELS_MAX = 5;

type Look = 'line' | 'candles';

/** Chart of a fund's unit value, as a line or as candles. */
export function ValueChart({ id, value }: { readonly id: string; readonly value: string | undefined }) {
  const t = useWords('fund');
  const [timer, setTimer] = useState<(typeof TIMERS)[number]>('60min');
  const [style, setStyle] = useState<Look>('line');
  const { data = [], isPending, error, refetch } = useFundCandles(id, timer);
  return (
    <section className={css.panel} aria-label={t('chart')}>
      <div className={css.chartHead}>
        <Tabs<(typeof TIMERS)[number]>
          label={t('interval')}
          value={timer}
          onChange={setTimer}
          options={TIMERS.map((option) => ({ value: option, label: t(`timer.${option}`) }))}
        />
        <SegmentedControl<Look>
          label={t('look')}
          value={style}
          onChange={setStyle}
          options={(['line', 'candles'] as const).map((option) => ({ value: option, label: t(option) }))}
        />
      </div>
      <ListBody
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        isEmpty={data.length === 0}
        empty={t('noValues')}
        skeletonRows={6}
      >
        <Chart candles={withLive(data, value)} look={style} timer={timer} />
      </ListBody>
    </section>
  );
}

/**
 * Returns the candles with the fund's current unit value as the close of the newest one, whose high and low are
 * extended if necessary. Returns them unchanged while there is no value or no candle.
 */
function withLive(candles: readonly FundCandle[], value: string | undefined): readonly FundCandle[] {
  const lastCandle = candles.at(-1);
  if (lastCandle === undefined || value === undefined) return candles;
  const high = Number(value) > Number(lastCandle.high) ? value : lastCandle.high;
  const low = Number(value) < Number(lastCandle.low) ? value : lastCandle.low;
  return [...candles.slice(0, -1), { ...lastCandle, high, low, close: value }];
}

interface ChartProps {
  readonly candles: readonly FundCandle[];
  readonly look: Look;
  readonly timer: CandleTimer;
}

function Chart({ candles, look, timer }: ChartProps) {
  const t = useWords('fund');
  const locale = useLocale();
  // Floating-point numbers are precise enough here, because they only determine positions in the chart.
  const low = Math.min(...candles.map((candle) => Number(candle.low)));
  const high = Math.max(...candles.map((candle) => Number(candle.high)));
  const span = Math.max(high - low, high * 0.000_05);
  const step = WIDTH / candles.length;
  const x = (at: number) => (at + 0.5) * step;
  const y = (value: string | number) => EDGE + ((high - Number(value)) / span) * (HEIGHT - 2 * EDGE);
  const gridStep = niceStep(span / VALUE_LABELS_MAX);
  const grid = multiples(gridStep, low, high);
  const line = candles.map(
    ({ close }, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(close).toFixed(1)}`,
  );
  const [firstCandle, lastCandle] = [candles[0]!, candles.at(-1)!];
  const isUp = Number(lastCandle.close) >= Number(firstCandle.open);
  const zone = zoneOfCandles(timer);
  const style = zone !== undefined ? 'date' : timer === '4hour' ? 'dated' : 'minute';
  return (
    <div className={css.chart}>
      <div className={css.plot}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('chartLabel', { value: formatPrice(lastCandle.close, locale, SHOWN_DIGITS) })}
          data-way={isUp ? 'up' : 'down'}
        >
          {grid.map((value) => (
            <line key={value} className={css.gridLine} x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
          ))}
          {look === 'line' ? (
            <>
              <path
                className={css.area}
                d={`${line.join('')}L${x(candles.length - 1).toFixed(1)} ${HEIGHT}L${x(0).toFixed(1)} ${HEIGHT}Z`}
              />
              <path className={css.line} d={line.join('')} />
            </>
          ) : (
            candles.map((candle, at) => (
              <g key={candle.id} data-way={Number(candle.close) >= Number(candle.open) ? 'up' : 'down'}>
                <line className={css.wick} x1={x(at)} x2={x(at)} y1={y(candle.high)} y2={y(candle.low)} />
                <rect
                  className={css.body}
                  x={x(at) - step * 0.32}
                  width={step * 0.64}
                  y={Math.min(y(candle.open), y(candle.close))}
                  height={Math.max(1, Math.abs(y(candle.open) - y(candle.close)))}
                />
              </g>
            ))
          )}
        </svg>
        <div className={css.times}>
          {timeLabelIndices(candles).map((id) => (
            <span key={id}>{formatTime(id * 1_000, locale, style, zone)}</span>
          ))}
        </div>
      </div>
      <Scale values={grid} digits={digitsOf(gridStep)} placeOf={(value) => y(value) / HEIGHT} />
    </div>
  );
}

/**
 * Returns the opening times, in seconds since 1970 UTC, of the candles whose times are labelled: evenly
 * spaced, including the first and the last.
 */
function timeLabelIndices(candles: readonly FundCandle[]): readonly number[] {
  const count = Math.min(TIME_LABELS_MAX, candles.length);
  const places = Array.from({ length: count }, (_, at) =>
    Math.round((at * (candles.length - 1)) / Math.max(1, count - 1)),
  );
  return places.flatMap((index) => candles[index]?.id ?? []);
}

interface ScaleProps {
  readonly values: readonly number[];
  readonly digits: number;
  /** Vertical position of a value in the chart, from 0 at the top to 1 at the bottom. */
  readonly placeOf: (value: number) => number;
}

/** The value labels beside the horizontal grid lines. */
function Scale({ values, digits, placeOf }: ScaleProps) {
  const locale = useLocale();
  const shownDigits = Math.min(SHOWN_DIGITS, Math.max(2, digits));
  return (
    <div className={css.scale} aria-hidden="true">
      {values.map((value) => (
        <span key={value} style={{ top: `${100 * placeOf(value)}%` }}>
          {formatPrice(value.toFixed(shownDigits), locale, shownDigits)}
        </span>
      ))}
    </div>
  );
}
