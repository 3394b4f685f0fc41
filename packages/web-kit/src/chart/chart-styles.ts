import type { DeepPartial, OverlayStyle, Styles } from 'klinecharts';
import { type RefObject, useEffect, useState } from 'react';

/** Font of all text in the chart. */
export const CHART_FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif';
/** Colours of indicator lines, legible in the light and the dark theme. */
const LINES = ['#e0a526', '#9d6bff', '#2f9be8', '#e2679b', '#3aa88c'];

interface LegendValue {
  readonly title: string;
  readonly value: string;
}

/** Values in the legend of the candle under the crosshair: open, high, low and close. */
const LEGEND: readonly LegendValue[] = [
  { title: 'O ', value: '{open}' },
  { title: 'H ', value: '{high}' },
  { title: 'L ', value: '{low}' },
  { title: 'C ', value: '{close}' },
];

/** A narrow chart has room for three values, so the opening price is omitted. */
const NARROW_LEGEND: readonly LegendValue[] = [...LEGEND.slice(1), { title: '', value: '' }];

/**
 * Returns the values of the legend. The list is new at every call, because the chart library modifies it. It has the
 * same length for narrow and wide charts: the library overwrites its previous list entry by entry, so a shorter list
 * would leave the previous list's last entries.
 */
function legendOf(isNarrow: boolean): LegendValue[] {
  return (isNarrow ? NARROW_LEGEND : LEGEND).map((value) => ({ ...value }));
}

/**
 * Returns the styles of the chart library in the theme's colours. In a narrow chart the legends have a
 * smaller font and omit the opening price.
 */
export function chartStyles(colours: ChartColours, isNarrow: boolean): DeepPartial<Styles> {
  const { up, down, accent, textSoft, line, lineStrong } = colours;
  const direction = { upColor: up, downColor: down, noChangeColor: textSoft };
  const legend = {
    size: isNarrow ? 10 : 11,
    family: CHART_FONT,
    color: textSoft,
    weight: 'normal',
    marginLeft: 0,
    marginRight: isNarrow ? 4 : 12,
  };
  const offsetLeft = isNarrow ? 4 : 8;
  const axis = {
    axisLine: { color: line },
    tickLine: { show: false },
    tickText: { color: textSoft, size: 11, family: CHART_FONT },
  };
  return {
    grid: { horizontal: { color: line, style: 'solid' }, vertical: { color: line, style: 'solid' } },
    candle: {
      bar: {
        ...direction,
        upBorderColor: up,
        downBorderColor: down,
        noChangeBorderColor: textSoft,
        upWickColor: up,
        downWickColor: down,
        noChangeWickColor: textSoft,
      },
      area: areaStyles(accent),
      priceMark: {
        high: { color: textSoft, textFamily: CHART_FONT, textSize: 11 },
        low: { color: textSoft, textFamily: CHART_FONT, textSize: 11 },
        last: { ...direction, text: { size: 11, family: CHART_FONT, borderRadius: 2, color: '#ffffff' } },
      },
      tooltip: {
        offsetLeft,
        offsetTop: 6,
        title: { show: false },
        legend: { ...legend, defaultValue: '–', template: legendOf(isNarrow) },
      },
    },
    indicator: {
      ohlc: direction,
      bars: [{ style: 'fill', ...direction, upColor: halfTransparent(up), downColor: halfTransparent(down) }],
      lines: LINES.map((color) => ({ color, size: 1, style: 'solid' as const, smooth: false })),
      tooltip: {
        offsetLeft,
        offsetTop: 4,
        title: { ...legend },
        legend: { ...legend, defaultValue: '–' },
      },
    },
    xAxis: axis,
    yAxis: axis,
    separator: { size: 1, color: line, activeBackgroundColor: lineStrong },
    crosshair: crosshairStyles(colours),
    overlay: drawingStyles(colours),
  };
}

function crosshairStyles({ text, textSoft, paper }: ChartColours) {
  const label = {
    color: paper,
    backgroundColor: text,
    borderColor: text,
    borderRadius: 2,
    size: 11,
    family: CHART_FONT,
  };
  const styles = () => ({ line: { color: textSoft, dashedValue: [3, 3] }, text: { ...label } });
  return { horizontal: styles(), vertical: styles() };
}

/** Styles of the line and the background of an area chart, in the accent colour. */
function areaStyles(accent: string) {
  return {
    lineColor: accent,
    backgroundColor: faint(accent),
    point: { color: accent, rippleColor: halfTransparent(accent) },
  };
}

/** Styles of the user's drawings, in the accent colour. */
function drawingStyles({ accent }: ChartColours): DeepPartial<OverlayStyle> {
  return {
    point: {
      color: accent,
      borderColor: halfTransparent(accent),
      activeColor: accent,
      activeBorderColor: halfTransparent(accent),
    },
    line: { color: accent, size: 1.5 },
    text: { color: '#ffffff', backgroundColor: accent, borderColor: accent, size: 11, family: CHART_FONT },
    rect: { color: halfTransparent(accent), borderColor: accent },
    polygon: { color: halfTransparent(accent), borderColor: accent },
  };
}

/** Returns a `#rrggbb` colour with 50 % opacity. A colour in another format is returned unchanged. */
function halfTransparent(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}80` : colour;
}

/** Returns a `#rrggbb` colour with 12 % opacity. A colour in another format becomes transparent. */
function faint(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}1f` : 'transparent';
}

/** Colours of the current theme that are used to draw on the canvas. */
export interface ChartColours {
  readonly up: string;
  readonly down: string;
  readonly accent: string;
  readonly paper: string;
  readonly text: string;
  readonly textSoft: string;
  readonly line: string;
  readonly lineStrong: string;
}

/** Reads the theme's colours from the CSS variables at `element`, because a canvas cannot use CSS variables. */
export function coloursAt(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    up: token('--up'),
    down: token('--down'),
    accent: token('--accent'),
    paper: token('--surface-1'),
    text: token('--text-1'),
    textSoft: token('--text-2'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
  };
}

/**
 * Returns the chart's colours in the theme at an element; undefined until the element exists. They are updated when the
 * theme or the colours for up and down change.
 */
export function useChartColours(element: RefObject<Element | null>): ChartColours | undefined {
  const [colours, setColours] = useState<ChartColours>();
  useEffect(() => {
    const read = (): void => {
      if (element.current !== null) setColours(coloursAt(element.current));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true });
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', read);
    return () => {
      observer.disconnect();
      media.removeEventListener('change', read);
    };
  }, [element]);
  return colours;
}
