import { formatMoment, formatPrice } from '../format/format.ts';
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
  /** Lower case, e.g. `btcusdt`. */
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly onTimerChange: (timer: ChartTimer) => void;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  /** Where candles come from: `{ load: loadCandles, follow: followCandle }` of web-kit's market. */
  readonly source: CandleSource;
  readonly orders?: readonly ChartOrder[];
  readonly fills?: readonly ChartFill[];
  /** Prices at which somebody wants to be notified. */
  readonly alerts?: readonly string[];
  /** Own coins of the pair, drawn at what they cost on average. */
  readonly position?: ChartPosition | undefined;
  /** What an order would earn at a price, written on its line. */
  readonly resultOf?: ResultOf | undefined;
  /** What the pointer may do to orders in the chart; without it lines are only shown. */
  readonly actions?: ChartActions | undefined;
  /** What lies at the chart's lower edge, such as changes that are about to be sent. */
  readonly notice?: ReactNode;
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
  const drawn = useLibraryChart();
  const { canvas, chart } = drawn;
  const digits = props.pricePrecision;
  const { lines, handling, freePriceAt } = useChartLines(
    drawn,
    { orders, alerts, position, resultOf },
    { actions, digits, lineWords },
  );
  const { state, marked, retry } = useCandles(drawn, {
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
            <PlacePrice drawn={drawn} freePriceAt={freePriceAt} digits={digits} onPlace={actions.place} />
          )}
          {notice}
          <ChartInWords drawings={drawings} lines={lines} fills={marked} priceDigits={digits} />
          <LoadCover state={state} retry={retry} />
        </div>
      </div>
    </section>
  );
}

/** How the chart looks, as this device last chose. */
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

/** A choice that this device keeps. */
function useRemembered<T>(read: () => T, keep: (chosen: T) => void): readonly [T, (chosen: T) => void] {
  const [value, setValue] = useState(read);
  const choose = (chosen: T): void => {
    setValue(() => chosen);
    keep(chosen);
  };
  return [value, choose];
}

/** What lies over the canvas until there are candles, and why there are none. */
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

interface ChartInWordsProps {
  readonly drawings: DrawingControl;
  readonly lines: readonly PriceLine[];
  readonly fills: readonly ChartFill[];
  readonly priceDigits: number;
}

/** What the canvas draws, for those who do not see it or do not point at it, and what is selected on it. */
function ChartInWords({ drawings, lines, fills, priceDigits }: ChartInWordsProps) {
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
  readonly onSelect: (place: number) => void;
}

/** The drawings for those who choose one without pointing at the canvas; seen while the keys are in it. */
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
      {drawings.map((drawing, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a drawing has no name of its own that lasts
        <li key={place}>
          <button
            type="button"
            className={classes.drawing}
            aria-pressed={drawing.isSelected}
            onClick={() => onSelect(place)}
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

/** The own fills that the canvas marks, in words, for those who cannot see the canvas. */
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
            time: formatMoment(ts, locale, 'minute'),
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

/** The lines that the canvas draws, in words, for those who cannot see the canvas. */
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
