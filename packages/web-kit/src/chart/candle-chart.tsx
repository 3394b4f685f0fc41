import type { CandleTimer } from '@exchange/core/candle.ts';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import classes from './candle-chart.module.css';
import type { CandleSource } from './candle-source.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import type { ChartFill, ChartOrder } from './chart-marks.ts';
import { DrawingBar } from './drawing-bar.tsx';
import { FillList } from './fill-list.tsx';
import { rememberedIndicators, rememberIndicators, type IndicatorName } from './indicators.ts';
import { useCandles } from './use-candles.ts';

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
  toolbar = true,
  height,
  ...props
}: CandleChartProps) {
  const t = useWords('chart');
  const frame = useRef<HTMLElement>(null);
  const [indicators, setIndicators] = useState(rememberedIndicators);
  const isFullScreen = useFullScreen(frame);
  const { canvas, state, marked, retry, chart } = useCandles({ ...props, orders, fills, indicators });

  const choose = (names: readonly IndicatorName[]): void => {
    setIndicators(names);
    rememberIndicators(names);
  };
  const toggleFullScreen = (): void => {
    // Refused where the page may not go full screen; the chart then simply stays where it is.
    if (isFullScreen) void document.exitFullscreen().catch(() => undefined);
    else void frame.current?.requestFullscreen().catch(() => undefined);
  };

  return (
    <section
      ref={frame}
      className={classes.frame}
      style={height === undefined ? undefined : { height }}
      aria-label={t('chartOf', { symbol: props.symbol.toUpperCase() })}
    >
      {toolbar && (
        <ChartToolbar
          timer={props.timer}
          onTimerChange={props.onTimerChange}
          indicators={indicators}
          onIndicatorsChange={choose}
          isFullScreen={isFullScreen}
          onToggleFullScreen={toggleFullScreen}
        />
      )}
      <div className={classes.body}>
        {toolbar && <DrawingBar chart={chart} />}
        <div className={classes.stage}>
          <div ref={canvas} className={classes.canvas} />
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

function useFullScreen(frame: React.RefObject<HTMLElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = (): void =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, [frame]);
  return isFull;
}
