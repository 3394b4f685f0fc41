import { formatTime, formatPrice } from '../format/format.ts';
import classes from './candle-chart.module.css';
import type { ChartTimer } from '@exchange/core/candle.ts';
import { type ReactNode, useRef, useState } from 'react';
import { useWords, useLocale } from '../i18n/words.ts';
import type { CandleSource, LoadState } from './candle-loader.ts';
import { rememberKind, rememberedKind } from './chart-kind.ts';
import { ChartToolbar, useFullScreen } from './chart-toolbar.tsx';
import { DrawingBar, type DrawingControl, SelectedDrawing, useDrawings } from './drawing-controls.tsx';
import type { ShownDrawing } from './drawings.ts';
import type { ChartFill } from './fill-marks.ts';
import {
  type ChosenParameters,
  type IndicatorName,
  rememberParameters,
  rememberedParameters,
} from './indicator-parameters.ts';
import { rememberIndicators, rememberedIndicators } from './indicators.ts';
import { type ChartActions, useChartLines } from './line-handles.ts';
import { PlacePrice } from './place-price.tsx';
import {
  type ChartOrder,
  type ChartPosition,
  type PriceLine,
  type ResultOf,
  useLineWords,
} from './price-lines.ts';
import { useCandles, useLibraryChart } from './use-candles.ts';

interface CandleChartProps {
  /** Pair symbol in lower case, such as `btcusdt`. */
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly onTimerChange: (timer: ChartTimer) => void;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  /** Source of the candles, usually `candleSource` of the `market` folder. */
  readonly source: CandleSource;
  readonly orders?: readonly ChartOrder[];
  readonly fills?: readonly ChartFill[];
  /** Prices of the user's price alerts. */
  readonly alerts?: readonly string[];
  /** The user's average purchase price in the pair, drawn as a line. */
  readonly position?: ChartPosition | undefined;
  /** Formats the estimated result of an order at a price, shown on its line. */
  readonly resultOf?: ResultOf | undefined;
  /** Actions on orders that the user can take in the chart; without them the order lines are read-only. */
  readonly actions?: ChartActions | undefined;
  /** Content at the chart's lower edge, such as order changes that are not sent yet. */
  readonly notice?: ReactNode;
  /** Height in pixels; by default the chart fills its parent. */
  readonly height?: number;
  /** Whether to show the buttons for intervals, indicators, drawing tools and full screen; true by default. */
  readonly toolbar?: boolean;
}

const NONE: readonly never[] = [];

/** Live candle chart with history, indicators, drawing tools, the user's orders as lines and fills as marks. */
export function CandleChart({
  orders = NONE,
  fills = NONE,
  alerts = NONE,
  toolbar = true,
  height,
  position,
  resultOf,
  actions,
  notice,
  ...props
}: CandleChartProps) {
  const t = useWords('chart');
  const frame = useRef<HTMLElement>(null);
  const view = useChosenView();
  const lineWords = useLineWords();
  const fullScreen = useFullScreen(frame);
  const libraryChart = useLibraryChart();
  const { canvas, chart } = libraryChart;
  const digits = props.pricePrecision;
  const { lines, handling, freePriceAt } = useChartLines(
    libraryChart,
    { orders, alerts, position, resultOf },
    { actions, digits, lineWords },
  );
  const { state, marked, retry } = useCandles(libraryChart, {
    ...props,
    lines,
    lineWords,
    handling,
    fills,
    indicators: view.indicators,
    parameters: view.parameters,
    kind: view.kind,
  });
  const drawings = useDrawings(chart, props.symbol, state === 'shown');

  return (
    <section
      ref={frame}
      className={classes.frame}
      data-full={fullScreen.isOwn || undefined}
      style={height === undefined ? undefined : { height }}
      aria-label={t('chartOf', { symbol: props.symbol.toUpperCase() })}
      onKeyDown={drawings.onKeyDown}
    >
      {toolbar && (
        <ChartToolbar
          timer={props.timer}
          onTimerChange={props.onTimerChange}
          {...view}
          isFullScreen={fullScreen.isFull}
          onToggleFullScreen={fullScreen.toggle}
        />
      )}
      <div className={classes.body}>
        {toolbar && <DrawingBar drawings={drawings} />}
        <div className={classes.stage}>
          <div ref={canvas} className={classes.canvas} data-chart="" />
          {actions !== undefined && state === 'shown' && (
            <PlacePrice
              drawn={libraryChart}
              freePriceAt={freePriceAt}
              digits={digits}
              onPlace={actions.place}
            />
          )}
          {notice}
          <ChartAlternatives drawings={drawings} lines={lines} fills={marked} priceDigits={digits} />
          <LoadCover state={state} retry={retry} />
        </div>
      </div>
    </section>
  );
}

/** Chart settings chosen by the user and stored on this device. */
function useChosenView() {
  const [indicators, onIndicatorsChange] = useRemembered<readonly IndicatorName[]>(
    rememberedIndicators,
    rememberIndicators,
  );
  const [parameters, onParametersChange] = useRemembered<ChosenParameters>(
    rememberedParameters,
    rememberParameters,
  );
  const [kind, onKindChange] = useRemembered(rememberedKind, rememberKind);
  return { indicators, onIndicatorsChange, parameters, onParametersChange, kind, onKindChange };
}

/** State of a setting that is stored on this device. */
function useRemembered<T>(read: () => T, store: (chosen: T) => void): readonly [T, (chosen: T) => void] {
  const [value, setValue] = useState(read);
  const choose = (chosen: T): void => {
    setValue(() => chosen);
    store(chosen);
  };
  return [value, choose];
}

/** Covers the chart until candles are shown, and explains why there are none. */
function LoadCover({ state, retry }: { readonly state: LoadState; readonly retry: () => void }) {
  const t = useWords('chart');
  if (state === 'shown') return null;
  return (
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
  );
}

interface ChartAlternativesProps {
  readonly drawings: DrawingControl;
  readonly lines: readonly PriceLine[];
  readonly fills: readonly ChartFill[];
  readonly priceDigits: number;
}

/**
 * Lists with the chart's content for screen readers and keyboard users, and the controls of the selected
 * drawing.
 */
function ChartAlternatives({ drawings, lines, fills, priceDigits }: ChartAlternativesProps) {
  const selected = drawings.shown.find(({ isSelected }) => isSelected);
  return (
    <>
      {selected !== undefined && <SelectedDrawing tool={selected.tool} onRemove={drawings.remove} />}
      <DrawingList drawings={drawings.shown} priceDigits={priceDigits} onSelect={drawings.select} />
      <LineList lines={lines} priceDigits={priceDigits} />
      <FillList fills={fills} priceDigits={priceDigits} />
    </>
  );
}

interface DrawingListProps {
  readonly drawings: readonly ShownDrawing[];
  readonly priceDigits: number;
  readonly onSelect: (index: number) => void;
}

/** List of drawings that can be selected by keyboard; visible while focused. */
function DrawingList({ drawings, priceDigits, onSelect }: DrawingListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (drawings.length === 0) return null;
  const nameOf = ({ tool, price }: ShownDrawing): string =>
    price === undefined
      ? t(tool)
      : t('drawingAt', {
          drawing: t(tool),
          price: formatPrice(price.toFixed(priceDigits), locale, priceDigits),
        });
  return (
    <ul className={classes.list} aria-label={t('ownDrawings')}>
      {drawings.map((drawing, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a drawing has no name of its own that lasts
        <li key={index}>
          <button
            type="button"
            className={classes.drawing}
            aria-pressed={drawing.isSelected}
            onClick={() => onSelect(index)}
          >
            {nameOf(drawing)}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FillListProps {
  readonly fills: readonly ChartFill[];
  readonly priceDigits: number;
}

/** The user's fills in the chart as text for screen readers. */
function FillList({ fills, priceDigits }: FillListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (fills.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('ownFills')}>
      {fills.map(({ tradeId, tradeType, price, ts }) => (
        <li key={`${tradeId} ${tradeType}`}>
          {t(tradeType === 1 ? 'boughtAt' : 'soldAt', {
            price: formatPrice(price, locale, priceDigits),
            time: formatTime(ts, locale, 'minute'),
          })}
        </li>
      ))}
    </ul>
  );
}

interface LineListProps {
  readonly lines: readonly PriceLine[];
  readonly priceDigits: number;
}

/** The price lines in the chart as text for screen readers. */
function LineList({ lines, priceDigits }: LineListProps) {
  const t = useWords('chart');
  const locale = useLocale();
  if (lines.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('ownOrders')}>
      {lines.map(({ key, label, price }) => (
        <li key={key}>{t('orderAt', { order: label, price: formatPrice(price, locale, priceDigits) })}</li>
      ))}
    </ul>
  );
}
