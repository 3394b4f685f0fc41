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
  /** Code of the pair, such as `btcusdt`. */
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly onTimerChange: (timer: ChartTimer) => void;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  /** Source of the candles. The screens pass `candleSource` from the `market` folder. */
  readonly source: CandleSource;
  readonly orders?: readonly ChartOrder[];
  readonly fills?: readonly ChartFill[];
  /** Prices of the user's price alerts on the pair, in the quote coin. */
  readonly alerts?: readonly string[];
  /** The user's holding of the pair's base coin; undefined draws no line for it. */
  readonly position?: ChartPosition | undefined;
  /**
   * Formats the estimated profit or loss of an order if it is filled at a price. The text is part of the label of the
   * order's line; without this function the label contains no estimate.
   */
  readonly resultOf?: ResultOf | undefined;
  /**
   * What the user can do with orders in the chart, e.g. move or cancel them. Without it the order lines are read-only.
   */
  readonly actions?: ChartActions | undefined;
  /** Content that is shown at the chart's lower edge, such as order changes that are not sent yet. */
  readonly notice?: ReactNode;
  /** Height in pixels; by default the chart fills its parent. */
  readonly height?: number;
  /** True (the default) to show the toolbar and the buttons of the drawing tools. */
  readonly toolbar?: boolean;
}

const NONE: readonly never[] = [];

/**
 * Live candle chart with history, indicators and drawing tools. The user's open orders, price alerts and position are
 * lines, and the fills are marks.
 */
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

/**
 * The indicators, their parameters and the drawing style that the user has selected for charts, with the
 * functions that change them. They are stored on this device.
 */
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

/** State of a setting. Its value is read from this device and stored there when it changes. */
function useRemembered<T>(read: () => T, store: (chosen: T) => void): readonly [T, (chosen: T) => void] {
  const [value, setValue] = useState(read);
  const choose = (chosen: T): void => {
    setValue(() => chosen);
    store(chosen);
  };
  return [value, choose];
}

/**
 * Overlay over the chart as long as no candles are shown. While candles are loading it only hides the empty chart. If
 * there are none it says so, and if loading failed it offers a retry.
 */
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
 * Lists of the chart's content for users of a screen reader or a keyboard, and the controls of the selected drawing.
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

/** List from which the user can select a drawing by keyboard. It is visible only while it has the focus. */
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

/** List of the user's fills in the chart, for screen readers. */
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

/** List of the price lines in the chart, for screen readers. */
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
