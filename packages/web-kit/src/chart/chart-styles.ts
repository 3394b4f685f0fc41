import type { DeepPartial, OverlayStyle, Styles } from 'klinecharts';
import { type RefObject, useEffect, useState } from 'react';

/** What the canvas writes in. */
export const CHART_FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif';
/** Indicator lines that read on dark and light alike. */
const LINES = ['#e0a526', '#9d6bff', '#2f9be8', '#e2679b', '#3aa88c'];

interface LegendValue {
  readonly title: string;
  readonly value: string;
}

/** Open, high, low, close, each as one letter. */
const LEGEND: readonly LegendValue[] = [
  { title: 'O ', value: '{open}' },
  { title: 'H ', value: '{high}' },
  { title: 'L ', value: '{low}' },
  { title: 'C ', value: '{close}' },
];

/** A line of a narrow chart has room for three values; the open is the one that can be seen. */
const NARROW_LEGEND: readonly LegendValue[] = [...LEGEND.slice(1), { title: '', value: '' }];

/** The library writes into the lists it was given and keeps the tail of a longer one: each call gets a new list, all of one length. */
function legendOf(isNarrow: boolean): LegendValue[] {
  return (isNarrow ? NARROW_LEGEND : LEGEND).map((value) => ({ ...value }));
}

/** The look of a chart in the theme's colours; a narrow one has shorter legends. */
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
      bars: [{ style: 'fill', ...direction, upColor: faded(up), downColor: faded(down) }],
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
  const look = () => ({ line: { color: textSoft, dashedValue: [3, 3] }, text: { ...label } });
  return { horizontal: look(), vertical: look() };
}

/** The line of an area and a wash below it, in the accent. */
function areaStyles(accent: string) {
  return {
    lineColor: accent,
    backgroundColor: washed(accent),
    point: { color: accent, rippleColor: faded(accent) },
  };
}

/** Drawings by hand carry the accent. */
function drawingStyles({ accent }: ChartColours): DeepPartial<OverlayStyle> {
  return {
    point: {
      color: accent,
      borderColor: faded(accent),
      activeColor: accent,
      activeBorderColor: faded(accent),
    },
    line: { color: accent, size: 1.5 },
    text: { color: '#ffffff', backgroundColor: accent, borderColor: accent, size: 11, family: CHART_FONT },
    rect: { color: faded(accent), borderColor: accent },
    polygon: { color: faded(accent), borderColor: accent },
  };
}

/** A `#rrggbb` colour at half strength; other notations stay as they are. */
function faded(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}80` : colour;
}

/** A `#rrggbb` colour as thin as a wash; other notations are left out. */
function washed(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}1f` : 'transparent';
}

/** The theme's colours as the canvas needs them. */
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

/** Reads the tokens in force at `element`: a canvas cannot follow CSS variables by itself. */
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

/** The theme's colours at an element, read again whenever the page changes scheme or up/down colours. */
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
