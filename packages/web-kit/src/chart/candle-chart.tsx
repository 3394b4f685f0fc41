import type { CandleTimer } from '@exchange/core/candle.ts';
import { useMemo, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import classes from './candle-chart.module.css';
import type { CandleSource } from './candle-source.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import { DrawingBar } from './drawing-bar.tsx';
import { FillList } from './fill-list.tsx';
import type { ChartFill } from './fill-marks.ts';
import { rememberedIndicators, rememberIndicators, type IndicatorName } from './indicators.ts';
import { LineList } from './line-list.tsx';
import { linesOf, type ChartOrder } from './price-lines.ts';
import { useCandles } from './use-candles.ts';
import { useDrawings } from './use-drawings.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useLineWords } from './use-line-words.ts';

export interface CandleChartProps {
  /** Lower case, e.g. `btcusdt`. */
  readonly symbol: string;
  readonly timer: CandleTimer;
  readonly onTimerChange: (timer: CandleTimer) => void;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  /** Where candles come from: `{ load: loadCandles, follow: followCandle }` of web-kit's market. */
  readonly source: CandleSource;
  readonly orders?: readonly ChartOrder[];
  readonly fills?: readonly ChartFill[];
  /** Prices at which somebody wants to be told. */
  readonly alerts?: readonly string[];
  /** Pixels; without it the chart fills its parent. */
  readonly height?: number;
  /** Intervals, indicators, drawing tools and full screen around the candles. */
  readonly toolbar?: boolean;
}

const NONE: readonly never[] = [];

/** Live candles with history, indicators, drawing tools, own orders as lines and own fills as marks. */
export function CandleChart({
  orders = NONE,
  fills = NONE,
  alerts = NONE,
  toolbar = true,
  height,
  ...props
}: CandleChartProps) {
  const t = useWords('chart');
  const frame = useRef<HTMLElement>(null);
  const [indicators, setIndicators] = useState(rememberedIndicators);
  const words = useLineWords();
  const lines = useMemo(() => linesOf(orders, alerts, words), [orders, alerts, words]);
  const fullScreen = useFullScreen(frame);
  const { canvas, state, marked, retry, chart } = useCandles({ ...props, lines, fills, indicators });
  const drawings = useDrawings(chart, props.symbol, state === 'shown');

  const choose = (names: readonly IndicatorName[]): void => {
    setIndicators(names);
    rememberIndicators(names);
  };

  return (
    <section
      ref={frame}
      className={classes.frame}
      data-full={fullScreen.isOwn || undefined}
      style={height === undefined ? undefined : { height }}
      aria-label={t('chartOf', { symbol: props.symbol.toUpperCase() })}
    >
      {toolbar && (
        <ChartToolbar
          timer={props.timer}
          onTimerChange={props.onTimerChange}
          indicators={indicators}
          onIndicatorsChange={choose}
          isFullScreen={fullScreen.isFull}
          onToggleFullScreen={fullScreen.toggle}
        />
      )}
      <div className={classes.body}>
        {toolbar && <DrawingBar drawings={drawings} />}
        <div className={classes.stage}>
          <div ref={canvas} className={classes.canvas} />
          <LineList lines={lines} priceDigits={props.pricePrecision} />
          <FillList fills={marked} priceDigits={props.pricePrecision} />
          {state !== 'shown' && (
            <div className={classes.cover} data-state={state}>
              {state === 'empty' && <p>{t('empty')}</p>}
              {state === 'failed' && (
                <p role="alert">
                  {t('failed')}{' '}
                  <button type="button" className={classes.retry} onClick={retry}>
                    {t('retry')}
                  </button>
                </p>
              )}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
