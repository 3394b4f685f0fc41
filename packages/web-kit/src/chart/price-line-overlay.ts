import { registerOverlay, utils, type Chart, type OverlayFigure } from 'klinecharts';
import { CHART_FONT, type ChartColours } from './chart-styles.ts';
import { CANDLE_PANE } from './indicators.ts';
import { sharedLabel, type LineWords, type PriceLine } from './price-lines.ts';
import {
  type Legends,
  type PlacedTag,
  TAG_HEIGHT_PX,
  TAG_PADDING_PX,
  TAG_SLOT_PX,
  TAG_TEXT_PX,
  placeTagsBesideLegends,
  levelsWithTags,
  tagStyle,
} from './tags.ts';

const PRICE_LINES = 'priceLevels';
/**
 * Minimum vertical distance in pixels between the tag of a price line on the axis and the tag of the last price, whose
 * height is slightly greater.
 */
const AXIS_APART_PX = 18;
/** Gap in pixels between the tags of price lines and the price axis. */
const RIGHT_PX = 6;
/**
 * Drawing level of the price lines. They are drawn above all other overlays, which the chart library numbers from zero.
 */
const ABOVE_MARKS = 10_000;
/** Horizontal length in pixels of the slanted part of the line that connects a tag with its price level. */
const SLOPE_PX = 10;
const GAP_PX = 3;
const LEGEND_ROW_PX = 19;
const LEGENDS_TOP_PX = 6;
/**
 * Maximum number of cached tags, at which the cache is emptied before the next tag is added. There can be
 * many, because zooming changes which price lines share a tag.
 */
const TAGS_KNOWN_MAX = 500;

/**
 * Functions that draw the price lines in the pane and on the price axis. All lines are one overlay of the chart
 * library, because their tags must not overlap.
 */
interface LineDrawing {
  readonly onPane: (
    ys: readonly number[],
    pane: { readonly width: number; readonly height: number; readonly legends: Legends },
  ) => OverlayFigure[];
  readonly onAxis: (
    ys: readonly number[],
    height: number,
    lastY: number | undefined,
    chart: Chart,
  ) => OverlayFigure[];
}

/** Registers the overlay of price lines with the chart library. Another call has no effect. */
export function registerPriceLines(): void {
  registerOverlay<LineDrawing>({
    name: PRICE_LINES,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates, bounding: { width, height }, chart }) =>
      overlay.extendData.onPane(
        coordinates.map(({ y }) => y),
        { width, height, legends: legendsOf(chart) },
      ),
    createYAxisFigures: ({ overlay, coordinates, bounding, chart, yAxis }) => {
      const last = chart.getDataList().at(-1)?.close;
      return overlay.extendData.onAxis(
        coordinates.map(({ y }) => y),
        bounding.height,
        last === undefined ? undefined : yAxis?.convertToPixel(last),
        chart,
      );
    },
  });
}

/**
 * Returns the size in pixels of the legends at the top left of the candle pane: one row for the candle values and one
 * for each indicator over the candles. The width is an estimate, because each value is assumed to be as long as the
 * newest closing price.
 */
function legendsOf(chart: Chart): Legends {
  const { offsetLeft, legend } = chart.getStyles().candle.tooltip;
  const digits = chart.getSymbol()?.pricePrecision ?? 2;
  const close = chart.getDataList().at(-1)?.close ?? 0;
  const sample = chart.getThousandsSeparator().format(close.toFixed(digits));
  const indicators = chart.getIndicators({ paneId: CANDLE_PANE }).filter(({ visible }) => visible);
  const rows = [
    ['O ', 'H ', 'L ', 'C '],
    ...indicators.map(({ shortName, calcParams, figures }) => [
      ...(shortName === '' ? [] : [`${shortName}(${calcParams.join()})`]),
      ...figures.flatMap(({ title }) => title ?? []),
    ]),
  ];
  const widths = rows.map((titles) =>
    titles.reduce(
      (sum, title) =>
        sum +
        utils.calcTextWidth(`${title}${sample}`, legend.size, legend.weight, legend.family) +
        legend.marginLeft +
        legend.marginRight,
      offsetLeft,
    ),
  );
  return { width: Math.max(...widths), height: LEGENDS_TOP_PX + rows.length * LEGEND_ROW_PX };
}

/** Area in which the pointer can grab a price line, in pixels from the top left corner of the candle pane. */
export interface LineHandle {
  readonly key: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Left edge of the cancel cross, in pixels from the left of the pane; undefined if the line has none. */
  readonly cancelLeft: number | undefined;
  readonly isMovable: boolean;
}

/** Determines which price lines the pointer can move and cancel, and receives their areas. */
export interface LineHandling {
  readonly canMove: (line: PriceLine) => boolean;
  readonly canCancel: (line: PriceLine) => boolean;
  /**
   * Called after each drawing with the areas of the price lines that the user can move or cancel. A line that shares a
   * tag with others is not among them.
   */
  readonly onPlaced: (handles: readonly LineHandle[]) => void;
}

/**
 * Replaces all price lines of the chart by `lines`. `handling` determines which of them the user can move and cancel.
 * Without it the user can change none.
 */
export function drawLines(
  chart: Chart,
  lines: readonly PriceLine[],
  { colours, words, handling }: LineLook,
): void {
  chart.removeOverlay({ groupId: PRICE_LINES });
  handling?.onPlaced([]);
  if (lines.length === 0) return;
  const coloursByLook = {
    buy: colours.up,
    sell: colours.down,
    alert: colours.accent,
    position: colours.textSoft,
  };
  const lineColours = lines.map(({ look }) => coloursByLook[look]);
  const tagOf = tagMaker(lines, lineColours, { colours, words, handling });
  chart.createOverlay({
    name: PRICE_LINES,
    groupId: PRICE_LINES,
    lock: true,
    // The price lines are drawn above the marks of fills, because these are near the newest candles and therefore near
    // the tags.
    zLevel: ABOVE_MARKS,
    points: lines.map(({ price }) => ({ value: Number(price) })),
    extendData: {
      onPane: (ys, { width, height, legends }) => {
        const levels = ys.map((y, index) => ({ y, look: levelLookOf(lines[index]) }));
        const right = width - RIGHT_PX;
        const leftOf = (members: readonly number[], edge?: 'above' | 'below') =>
          right - tagOf(members, edge).width;
        const placed = placeTagsBesideLegends(levels, height, legends, leftOf);
        const tags = placed.inside.map((tag) => ({ ...tag, ...tagOf(tag.members) }));
        const edges = (['above', 'below'] as const).flatMap((direction) => {
          const tag = placed[direction];
          return tag === undefined ? [] : [{ ...tag, ...tagOf(tag.members, direction) }];
        });
        handling?.onPlaced(tags.flatMap((tag) => handleOf(tag, right)));
        return [
          ...ys.map((y, index) =>
            levelLine(y, width, lineColours[index] ?? '', lines[index]?.isWatched ?? false),
          ),
          ...runsOf(tags).flatMap((run) => connectors(run, ys, right)),
          ...[...tags, ...edges].flatMap((tag) => tagFigures(tag, right, colours.paper)),
        ];
      },
      onAxis: (ys, paneHeight, lastY, chartOnAxis) => {
        const occupied = lastY === undefined ? [] : [lastY];
        const isShown = levelsWithTags(ys, occupied, { apartPx: AXIS_APART_PX, paneHeight });
        return ys.flatMap((y, index) =>
          isShown[index]
            ? [axisTag(y, lines[index]?.price ?? '', lineColours[index] ?? '', chartOnAxis)]
            : [],
        );
      },
    } satisfies LineDrawing,
  });
}

interface LineLook {
  readonly colours: ChartColours;
  readonly words: LineWords;
  readonly handling?: LineHandling | undefined;
}

/**
 * Returns the group of a price line: its kind (buy, sell, alert or position), or a group of its own for the line that
 * the user is dragging. Lines of different groups share a tag only if there is no room for separate tags.
 */
function levelLookOf(line: PriceLine | undefined): string {
  return line?.isMoving === true ? 'moving' : (line?.look ?? '');
}

interface Tag {
  readonly label: string;
  /** Width of the tag in pixels, including its cancel cross. */
  readonly width: number;
  readonly colour: string;
  /**
   * The price line that the user can move or cancel at this tag; undefined for a tag of several lines, for
   * one at the pane's edge that names lines outside of the visible range, and for a line that the user can
   * neither move nor cancel.
   */
  readonly handle?: Pick<LineHandle, 'key' | 'isMovable'> & { readonly isCancellable: boolean };
}

/** Text at the beginning of the tag of a price line that the user can drag. */
const GRIP = '≡ ';
const CANCEL = '×';
const CANCEL_PX = 18;

/**
 * Returns a function that creates the tag for the price lines with the given indexes. Tags are cached, because charts
 * are drawn often.
 */
function tagMaker(
  lines: readonly PriceLine[],
  lineColours: readonly string[],
  { colours, words, handling }: LineLook,
): (members: readonly number[], beyond?: 'above' | 'below') => Tag {
  const cache = new Map<string, Tag>();
  return (members, beyond) => {
    const key = `${beyond ?? ''} ${members.join(' ')}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const tagLines = members.flatMap((member) => lines[member] ?? []);
    const sharedText = sharedLabel(tagLines, words);
    const singlePrice = tagLines.length === 1 ? tagLines[0]?.price : undefined;
    const handle = beyond === undefined && tagLines.length === 1 ? gripOf(tagLines[0], handling) : undefined;
    const [first] = tagLines;
    const name = first?.isMoving === true ? words.moving(sharedText, first.price) : sharedText;
    const nameWithGrip = handle?.isMovable === true ? `${GRIP}${name}` : name;
    const label = beyond === undefined ? nameWithGrip : words.beyond(beyond, sharedText, singlePrice);
    const usedColours = new Set(members.map((member) => lineColours[member]));
    const [colour = colours.textSoft] = usedColours.size === 1 ? usedColours : [];
    const textWidth = utils.calcTextWidth(label, TAG_TEXT_PX, 'normal', CHART_FONT) + 2 * TAG_PADDING_PX;
    const width = textWidth + (handle?.isCancellable === true ? CANCEL_PX : 0);
    const tag = { label, width, colour, ...(handle === undefined ? {} : { handle }) };
    if (cache.size >= TAGS_KNOWN_MAX) cache.clear();
    cache.set(key, tag);
    return tag;
  };
}

/**
 * Returns the handle of a price line: whether the pointer can move the line, and whether it can cancel the
 * order; undefined if neither is possible.
 */
function gripOf(line: PriceLine | undefined, handling: LineHandling | undefined): Tag['handle'] {
  if (line === undefined || handling === undefined) return undefined;
  const isMovable = handling.canMove(line);
  const isCancellable = handling.canCancel(line);
  return isMovable || isCancellable ? { key: line.key, isMovable, isCancellable } : undefined;
}

function handleOf({ y, width, handle }: ShownTag, right: number): readonly LineHandle[] {
  if (handle === undefined) return [];
  return [
    {
      key: handle.key,
      left: right - width,
      right,
      y,
      cancelLeft: handle.isCancellable ? right - CANCEL_PX : undefined,
      isMovable: handle.isMovable,
    },
  ];
}

type ShownTag = PlacedTag & Tag;

/** Groups tags that touch, from top to bottom. The connecting lines of a group begin to the left of its widest tag. */
function runsOf(tags: readonly ShownTag[]): readonly (readonly ShownTag[])[] {
  const runs: ShownTag[][] = [];
  for (const tag of tags) {
    const last = runs.at(-1);
    const touches = tag.y - (last?.at(-1)?.y ?? -Infinity) <= TAG_SLOT_PX;
    if (last !== undefined && touches) last.push(tag);
    else runs.push([tag]);
  }
  return runs;
}

/** Returns the lines that connect each tag with its price levels if the tag is not at their height. */
function connectors(run: readonly ShownTag[], ys: readonly number[], right: number): OverlayFigure[] {
  const bend = right - Math.max(...run.map(({ width }) => width)) - GAP_PX;
  return run.flatMap(({ y, members, width, colour }) => {
    const distantLevels = members
      .map((member) => ys[member] ?? y)
      .filter((level) => Math.abs(level - y) > TAG_HEIGHT_PX / 2);
    return distantLevels.map((level) =>
      lineFigure(
        [
          { x: right - width, y },
          { x: bend, y },
          { x: bend - SLOPE_PX, y: level },
        ],
        { style: 'solid', color: colour, size: 1 },
      ),
    );
  });
}

function levelLine(y: number, width: number, color: string, isWatched: boolean): OverlayFigure {
  const ends = [
    { x: 0, y },
    { x: width, y },
  ];
  return lineFigure(ends, { style: 'dashed', color, size: 1, dashedValue: isWatched ? [2, 3] : [6, 3] });
}

function lineFigure(coordinates: readonly { x: number; y: number }[], styles: unknown): OverlayFigure {
  return { type: 'line', attrs: { coordinates }, styles, ignoreEvent: true };
}

/** Returns the shapes of a price line's tag, with a cancel cross at its right end if the line can be cancelled. */
function tagFigures(
  { y, label, width, colour, handle }: ShownTag,
  right: number,
  paper: string,
): readonly OverlayFigure[] {
  const cancelWidth = handle?.isCancellable === true ? CANCEL_PX : 0;
  const cell = (attrs: { readonly x: number; readonly width: number; readonly text: string }) => ({
    type: 'text',
    attrs: { ...attrs, y, height: TAG_HEIGHT_PX, align: 'right', baseline: 'middle' },
    styles: tagStyle(paper, colour, colour),
    ignoreEvent: true,
  });
  const name = cell({ x: right - cancelWidth, width: width - cancelWidth, text: label });
  return cancelWidth === 0 ? [name] : [name, cell({ x: right, width: cancelWidth, text: CANCEL })];
}

function axisTag(y: number, price: string, colour: string, chart: Chart): OverlayFigure {
  const digits = chart.getSymbol()?.pricePrecision ?? 2;
  const text = chart.getThousandsSeparator().format(Number(price).toFixed(digits));
  return {
    type: 'text',
    attrs: { x: 0, y, text, align: 'left', baseline: 'middle' },
    styles: tagStyle(colour, '#ffffff', colour),
    ignoreEvent: true,
  };
}
