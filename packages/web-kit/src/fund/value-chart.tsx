import type { CandleTimer } from '@exchange/core/candle.ts';
import { useState } from 'react';
import { digitsOf, multiples, niceStep, zoneOfCandles } from '../chart/ticks.ts';
import { formatMoment, formatPrice } from '../format/format.ts';
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
/** At most so many values stand at lines of the grid, and so many moments below it. */
const LINES = 8;
const MOMENTS = 5;

type Look = 'line' | 'candles';

/** A fund's unit value over time, as a line or candles. */
export function ValueChart({ id, value }: { readonly id: string; readonly value: string | undefined }) {
  const t = useWords('fund');
  const [timer, setTimer] = useState<(typeof TIMERS)[number]>('60min');
  const [look, setLook] = useState<Look>('line');
  const { data = [], isPending, error, refetch } = useFundCandles(id, timer);
  return (
    <section className={css.panel} aria-label={t('chart')}>
      <div className={css.chartHead}>
        <Tabs<(typeof TIMERS)[number]>
          label={t('interval')}
          value={timer}
          onChange={setTimer}
          options={TIMERS.map((one) => ({ value: one, label: t(`timer.${one}`) }))}
        />
        <SegmentedControl<Look>
          label={t('look')}
          value={look}
          onChange={setLook}
          options={(['line', 'candles'] as const).map((one) => ({ value: one, label: t(one) }))}
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
        <Drawn candles={withLive(data, value)} look={look} timer={timer} />
      </ListBody>
    </section>
  );
}

/** The last candle goes on with the value of this second. */
function withLive(candles: readonly FundCandle[], value: string | undefined): readonly FundCandle[] {
  const last = candles.at(-1);
  if (last === undefined || value === undefined) return candles;
  const high = Number(value) > Number(last.high) ? value : last.high;
  const low = Number(value) < Number(last.low) ? value : last.low;
  return [...candles.slice(0, -1), { ...last, high, low, close: value }];
}

interface DrawnProps {
  readonly candles: readonly FundCandle[];
  readonly look: Look;
  readonly timer: CandleTimer;
}

function Drawn({ candles, look, timer }: DrawnProps) {
  const t = useWords('fund');
  const locale = useLocale();
  // Where on screen a value lies decides about no money.
  const low = Math.min(...candles.map((one) => Number(one.low)));
  const high = Math.max(...candles.map((one) => Number(one.high)));
  const span = Math.max(high - low, high * 0.000_05);
  const step = WIDTH / candles.length;
  const x = (at: number) => (at + 0.5) * step;
  const y = (value: string | number) => EDGE + ((high - Number(value)) / span) * (HEIGHT - 2 * EDGE);
  const gridStep = niceStep(span / LINES);
  const grid = multiples(gridStep, low, high);
  const line = candles.map(
    ({ close }, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(close).toFixed(1)}`,
  );
  const [first, last] = [candles[0]!, candles.at(-1)!];
  const isUp = Number(last.close) >= Number(first.open);
  const zone = zoneOfCandles(timer);
  const style = zone !== undefined ? 'date' : timer === '4hour' ? 'dated' : 'minute';
  return (
    <div className={css.chart}>
      <div className={css.plot}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('chartLabel', { value: formatPrice(last.close, locale, SHOWN_DIGITS) })}
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
          {momentsOf(candles).map((id) => (
            <span key={id}>{formatMoment(id * 1_000, locale, style, zone)}</span>
          ))}
        </div>
      </div>
      <Scale values={grid} digits={digitsOf(gridStep)} placeOf={(value) => y(value) / HEIGHT} />
    </div>
  );
}

/** Candles from the first to the last, evenly apart, whose moments stand below the chart. */
function momentsOf(candles: readonly FundCandle[]): readonly number[] {
  const count = Math.min(MOMENTS, candles.length);
  const places = Array.from({ length: count }, (_, at) =>
    Math.round((at * (candles.length - 1)) / Math.max(1, count - 1)),
  );
  return places.flatMap((place) => candles[place]?.id ?? []);
}

interface ScaleProps {
  readonly values: readonly number[];
  readonly digits: number;
  /** From the top, 0 to 1. */
  readonly placeOf: (value: number) => number;
}

/** The values at the lines of the grid. */
function Scale({ values, digits, placeOf }: ScaleProps) {
  const locale = useLocale();
  const shown = Math.min(SHOWN_DIGITS, Math.max(2, digits));
  return (
    <div className={css.scale} aria-hidden="true">
      {values.map((value) => (
        <span key={value} style={{ top: `${100 * placeOf(value)}%` }}>
          {formatPrice(value.toFixed(shown), locale, shown)}
        </span>
      ))}
    </div>
  );
}
