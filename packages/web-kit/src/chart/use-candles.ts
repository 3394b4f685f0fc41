import type { ChartTimer } from '@exchange/core/candle.ts';
import { type Chart, type FormatDate, dispose, init, utils, registerLocale } from 'klinecharts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { drawSoon } from '../feed/draw-queue.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { type CandleSource, type LoadState, barTimeOf, candleLoader, periodOf } from './candle-loader.ts';
import { type ChartKind, candleTypeOf } from './chart-kind.ts';
import { type ChartColours, chartStyles, useChartColours } from './chart-styles.ts';
import { type ChartFill, drawFills, registerFillMark } from './fill-marks.ts';
import type { ChosenParameters, IndicatorName } from './indicator-parameters.ts';
import { CANDLE_PANE, chartAmount, showIndicators } from './indicators.ts';
import { type LineHandling, drawLines, registerPriceLines } from './price-line-overlay.ts';
import type { LineWords, PriceLine } from './price-lines.ts';
import { registerQuickFigures } from './quick-drawing.ts';
import { zoneOfCandles } from './ticks.ts';

interface ChartContent {
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly pricePrecision: number;
  readonly amountPrecision: number;
  readonly source: CandleSource;
  readonly lines: readonly PriceLine[];
  readonly lineWords: LineWords;
  /**
   * Determines which of the chart's price lines the pointer can move or cancel. When another object is passed, the
   * lines are drawn again.
   */
  readonly handling?: LineHandling | undefined;
  readonly fills: readonly ChartFill[];
  readonly indicators: readonly IndicatorName[];
  readonly parameters: ChosenParameters;
  readonly kind: ChartKind;
}

interface Candles {
  readonly state: LoadState;
  /** Those of the requested fills that the chart has marked. */
  readonly marked: readonly ChartFill[];
  readonly retry: () => void;
}

/**
 * Number format of the chart library, equal to that of the rest of the page: the leading zeros of small prices are
 * written out instead of abbreviated.
 */
const NUMBERS = { thousandsSeparator: { sign: ',' }, decimalFold: { threshold: 12 } };

/** Space in pixels between the newest candle and the price axis. */
const RIGHT_SPACE_PX = 56;

/** Vertical padding that keeps the candles below the chart's legends, as fractions of the pane. */
const LEGEND_GAP = { top: 0.25, bottom: 0.1 };

/** Charts narrower than this many pixels have legends in a smaller font and without the opening price. */
const NARROW_PX = 420;

/** An instance of the chart library and the element that contains it. */
interface LibraryChart {
  readonly canvas: RefObject<HTMLDivElement | null>;
  readonly chart: Chart | undefined;
  /** Whether the chart is narrower than `NARROW_PX`; its legends then omit the opening price. */
  readonly isNarrow: boolean;
}

/** Creates an instance of the chart library while its element is mounted. */
export function useLibraryChart(): LibraryChart {
  const canvas = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart>();
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    registerChartLocales();
    registerQuickFigures();
    registerFillMark();
    registerPriceLines();
    const created = init(element, NUMBERS) ?? undefined;
    created?.setOffsetRightDistance(RIGHT_SPACE_PX);
    created?.overrideYAxis({ paneId: CANDLE_PANE, gap: LEGEND_GAP });
    // The chart library sets a positive tabindex on its elements, which puts them before everything else in the tab
    // order of the page; 0 restores the document order.
    for (const part of element.querySelectorAll<HTMLElement>('[tabindex]')) part.tabIndex = 0;
    setChart(created);
    const observer = new ResizeObserver(() => {
      created?.resize();
      setNarrow(element.clientWidth < NARROW_PX);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      dispose(element);
      setChart(undefined);
    };
  }, []);
  return { canvas, chart, isNarrow };
}

/**
 * Shows the given pair and interval in the chart, with the given indicators, price lines and fills. Returns
 * the loading state, the fills that are marked, and a function that loads the candles again.
 */
export function useCandles({ canvas, chart, isNarrow }: LibraryChart, content: ChartContent): Candles {
  const [state, setState] = useState<LoadState>('loading');
  const [markedFills, setMarkedFills] = useState<readonly ChartFill[]>([]);
  const locale = useLocale();
  const colours = useChartColours(canvas);
  const t = useWords('chart');

  useChartLook(chart, locale, colours, isNarrow);
  useEffect(() => chart?.setStyles({ candle: { type: candleTypeOf(content.kind) } }), [chart, content.kind]);
  const { indicators, parameters } = content;
  useEffect(() => {
    if (chart !== undefined) showIndicators(chart, indicators, { parameters, volume: t('volume') });
  }, [chart, indicators, parameters, t]);

  const { symbol, timer, pricePrecision, amountPrecision, source } = content;
  useEffect(() => {
    if (chart === undefined) return undefined;
    const { loader, stop } = candleLoader({
      source,
      symbol,
      timer,
      onState: setState,
      onLost: () => chart.resetData(),
    });
    // The chart library requests data on each of the calls `setSymbol`, `setPeriod` and `setTimezone`; only after the
    // last of them it gets the loader that returns candles.
    chart.setDataLoader({ getBars: () => undefined });
    chart.setSymbol({ ticker: symbol, pricePrecision, volumePrecision: amountPrecision });
    chart.setPeriod(periodOf(timer));
    // The time zone is set for candles of a day or longer. For shorter ones it is empty, so the chart library
    // uses the device's time zone.
    chart.setTimezone(zoneOfCandles(timer) ?? '');
    chart.setDataLoader(loader);
    return stop;
  }, [chart, symbol, timer, pricePrecision, amountPrecision, source]);

  const isDrawn = state === 'shown';
  useOwnLines(isDrawn ? chart : undefined, colours, content);
  useEffect(() => {
    const firstBar = chart?.getDataList()[0];
    if (chart === undefined || colours === undefined || !isDrawn || firstBar === undefined) return;
    const acceptedFills = drawFills(
      chart,
      content.fills,
      colours,
      (fill) => t(fill.tradeType === 1 ? 'buyLetter' : 'sellLetter'),
      (atMs) => barTimeOf(timer, atMs, firstBar.timestamp),
    );
    // oxlint-disable-next-line react/set-state-in-effect -- which fills the canvas took is known only after drawing
    setMarkedFills(acceptedFills);
  }, [chart, colours, isDrawn, content.fills, timer, t]);

  return { state, marked: markedFills, retry: () => chart?.resetData() };
}

/**
 * Draws the price lines through the draw queue, because drawing them inside a React effect would force a layout of the
 * whole page.
 */
function useOwnLines(
  chart: Chart | undefined,
  colours: ChartColours | undefined,
  { lines, lineWords, handling }: Pick<ChartContent, 'lines' | 'lineWords' | 'handling'>,
): void {
  useEffect(() => {
    if (chart === undefined || colours === undefined) return undefined;
    let isShown = true;
    drawSoon(() => {
      if (isShown) drawLines(chart, lines, { colours, words: lineWords, handling });
    });
    return () => {
      isShown = false;
    };
  }, [chart, colours, lines, lineWords, handling]);
}

/** Applies the number and time formats of the interface language and the theme's colours to the chart. */
function useChartLook(
  chart: Chart | undefined,
  locale: string,
  colours: ChartColours | undefined,
  isNarrow: boolean,
): void {
  useEffect(() => {
    chart?.setLocale(locale);
    chart?.setFormatter({
      formatBigNumber: (value) => chartAmount(value, locale),
      formatDate: cachedDateFormat(),
    });
  }, [chart, locale]);
  useEffect(() => {
    if (colours !== undefined) chart?.setStyles(chartStyles(colours, isNarrow));
  }, [chart, colours, isNarrow]);
}

/** Maximum number of formatted dates in the cache; more than the axis labels of several screens. */
const REMEMBERED_MOST = 500;

/** The chart library's date formatter with a cache. */
export function cachedDateFormat(): FormatDate {
  const texts = new Map<string, string>();
  let writtenFor: Intl.DateTimeFormat | undefined;
  return ({ dateTimeFormat, timestamp, template }) => {
    if (writtenFor !== dateTimeFormat || texts.size > REMEMBERED_MOST) texts.clear();
    writtenFor = dateTimeFormat;
    const key = `${template} ${timestamp}`;
    const text = texts.get(key) ?? utils.formatDate(dateTimeFormat, timestamp, template);
    texts.set(key, text);
    return text;
  };
}

/**
 * Registers Korean and Japanese words with the chart library, which lacks them and fails in these languages
 * otherwise.
 */
export function registerChartLocales(): void {
  registerLocale('ko-KR', {
    time: '시간: ',
    open: '시가: ',
    high: '고가: ',
    low: '저가: ',
    close: '종가: ',
    volume: '거래량: ',
    turnover: '거래대금: ',
    change: '등락률: ',
    second: '초',
    minute: '분',
    hour: '시간',
    day: '일',
    week: '주',
    month: '개월',
    year: '년',
  });
  registerLocale('ja-JP', {
    time: '時刻：',
    open: '始値：',
    high: '高値：',
    low: '安値：',
    close: '終値：',
    volume: '出来高：',
    turnover: '売買代金：',
    change: '変動率：',
    second: '秒',
    minute: '分',
    hour: '時間',
    day: '日',
    week: '週',
    month: 'か月',
    year: '年',
  });
}
