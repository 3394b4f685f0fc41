import { registerOverlay, utils, type Chart, type OverlayFigure } from 'klinecharts';
import { CHART_FONT, type ChartColours } from './chart-styles.ts';
import { CANDLE_PANE } from './indicators.ts';
import { sharedLabel, type LineWords, type PriceLine } from './price-lines.ts';
import {
  type PlacedTag,
  TAG_HEIGHT_PX,
  TAG_PADDING_PX,
  TAG_SLOT_PX,
  TAG_TEXT_PX,
  placeTagsAndEdges,
  standingApart,
  tagStyle,
} from './tags.ts';

const PRICE_LINES = 'priceLevels';
/** Between the middle of a tag of ours on the axis and that of the last price, which is a little higher. */
const AXIS_APART_PX = 18;
/** Between the tags and the price axis. */
const RIGHT_PX = 6;
/** The library counts from nought, one for each thing on the pane. */
const ABOVE_MARKS = 10_000;
/** How much of the pane's width a line needs to get from a tag to the height of its level. */
const SLOPE_PX = 10;
const GAP_PX = 3;
/** In a pane narrower than this the legends at its top left reach to where the tags are. */
const LEGENDS_REACH_PX = 620;
const LEGEND_ROW_PX = 19;
const LEGENDS_TOP_PX = 6;
/** Which lines share a tag changes as the chart is zoomed: more wordings than this are not kept. */
const TAGS_KNOWN_MAX = 500;

/** All lines are one overlay, because their tags make way for each other. */
interface Drawn {
  readonly onPane: (
    ys: readonly number[],
    pane: { readonly width: number; readonly height: number; readonly legends: number },
  ) => OverlayFigure[];
  readonly onAxis: (
    ys: readonly number[],
    height: number,
    lastY: number | undefined,
    chart: Chart,
  ) => OverlayFigure[];
}

/** Teaches the chart library the lines; calling it again changes nothing. */
export function registerPriceLines(): void {
  registerOverlay<Drawn>({
    name: PRICE_LINES,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates, bounding: { width, height }, chart }) =>
      overlay.extendData.onPane(
        coordinates.map(({ y }) => y),
        { width, height, legends: width < LEGENDS_REACH_PX ? legendsHeight(chart) : 0 },
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

/** How high the values of the candle and of each indicator on its pane stand together, in pixels. */
function legendsHeight(chart: Chart): number {
  const indicators = chart.getIndicators({ paneId: CANDLE_PANE }).filter(({ visible }) => visible);
  return LEGENDS_TOP_PX + (1 + indicators.length) * LEGEND_ROW_PX;
}

/** Where the pointer takes hold of a line: pixels from the top left corner of the pane with the candles. */
export interface LineHandle {
  readonly key: string;
  readonly left: number;
  readonly right: number;
  /** The middle of its tag. */
  readonly y: number;
  /** Where the part begins that cancels the order; undefined where there is none. */
  readonly cancelLeft: number | undefined;
  readonly isMovable: boolean;
}

/** What the pointer may do with lines. */
export interface LineHandling {
  readonly canMove: (line: PriceLine) => boolean;
  readonly canCancel: (line: PriceLine) => boolean;
  /** Called with all handles whenever the lines were drawn. */
  readonly onPlaced: (handles: readonly LineHandle[]) => void;
}

/** Draws all lines anew, with handles where `handling` is given. */
export function drawLines(
  chart: Chart,
  lines: readonly PriceLine[],
  { colours, words, handling }: LineLook,
): void {
  chart.removeOverlay({ groupId: PRICE_LINES });
  handling?.onPlaced([]);
  if (lines.length === 0) return;
  const looks = { buy: colours.up, sell: colours.down, alert: colours.accent, position: colours.textSoft };
  const lineColours = lines.map(({ look }) => looks[look]);
  const tagOf = tagMaker(lines, lineColours, { colours, words, handling });
  chart.createOverlay({
    name: PRICE_LINES,
    groupId: PRICE_LINES,
    lock: true,
    // Over the marks of fills, which stand where the newest candles and the tags are.
    zLevel: ABOVE_MARKS,
    points: lines.map(({ price }) => ({ value: Number(price) })),
    extendData: {
      onPane: (ys, { width, height, legends }) => {
        const levels = ys.map((y, index) => ({ y, look: levelLookOf(lines[index]) }));
        const placed = placeTagsAndEdges(levels, height, legends);
        const tags = placed.inside.map((tag) => ({ ...tag, ...tagOf(tag.members) }));
        const edges = (['above', 'below'] as const).flatMap((way) => {
          const tag = placed[way];
          return tag === undefined ? [] : [{ ...tag, ...tagOf(tag.members, way) }];
        });
        const right = width - RIGHT_PX;
        handling?.onPlaced(tags.flatMap((tag) => handleOf(tag, right)));
        return [
          ...ys.map((y, index) =>
            levelLine(y, width, lineColours[index] ?? '', lines[index]?.isWatched ?? false),
          ),
          ...runsOf(tags).flatMap((run) => connectors(run, ys, right)),
          ...[...tags, ...edges].flatMap((tag) => tagFigures(tag, right, colours.paper)),
        ];
      },
      onAxis: (ys, paneHeight, lastY, shown) => {
        const taken = lastY === undefined ? [] : [lastY];
        const stands = standingApart(ys, taken, { apartPx: AXIS_APART_PX, paneHeight });
        return ys.flatMap((y, index) =>
          stands[index] ? [axisTag(y, lines[index]?.price ?? '', lineColours[index] ?? '', shown)] : [],
        );
      },
    } satisfies Drawn,
  });
}

interface LineLook {
  readonly colours: ChartColours;
  readonly words: LineWords;
  readonly handling?: LineHandling | undefined;
}

/** Levels of one look share a tag; the one that is being dragged shares it with no other. */
function levelLookOf(line: PriceLine | undefined): string {
  return line?.isMoving === true ? 'moving' : (line?.look ?? '');
}

interface Tag {
  readonly label: string;
  /** With the part that cancels. */
  readonly width: number;
  readonly colour: string;
  /** The single order that the pointer may move or cancel. */
  readonly handle?: Pick<LineHandle, 'key' | 'isMovable'> & { readonly isCancellable: boolean };
}

/** Before the name of a line that can be dragged. */
const GRIP = '≡ ';
const CANCEL = '×';
const CANCEL_PX = 18;

/** Gives the tag of the lines at some places; a chart draws often, so what it was given once it need not work out again. */
function tagMaker(
  lines: readonly PriceLine[],
  lineColours: readonly string[],
  { colours, words, handling }: LineLook,
): (members: readonly number[], beyond?: 'above' | 'below') => Tag {
  const known = new Map<string, Tag>();
  return (members, beyond) => {
    const key = `${beyond ?? ''} ${members.join(' ')}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const own = members.flatMap((member) => lines[member] ?? []);
    const shared = sharedLabel(own, words);
    const only = own.length === 1 ? own[0]?.price : undefined;
    const handle = beyond === undefined && own.length === 1 ? gripOf(own[0], handling) : undefined;
    const [first] = own;
    const name = first?.isMoving === true ? words.moving(shared, first.price) : shared;
    const named = handle?.isMovable === true ? `${GRIP}${name}` : name;
    const label = beyond === undefined ? named : words.beyond(beyond, shared, only);
    const used = new Set(members.map((member) => lineColours[member]));
    const [colour = colours.textSoft] = used.size === 1 ? used : [];
    const textWidth = utils.calcTextWidth(label, TAG_TEXT_PX, 'normal', CHART_FONT) + 2 * TAG_PADDING_PX;
    const width = textWidth + (handle?.isCancellable === true ? CANCEL_PX : 0);
    const tag = { label, width, colour, ...(handle === undefined ? {} : { handle }) };
    if (known.size >= TAGS_KNOWN_MAX) known.clear();
    known.set(key, tag);
    return tag;
  };
}

/** What the pointer may do with the tag of one line; undefined for nothing. */
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

/** Tags that touch, from top to bottom: their connectors begin left of the widest of them. */
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

/** From each tag that had to move to the height of its levels. */
function connectors(run: readonly ShownTag[], ys: readonly number[], right: number): OverlayFigure[] {
  const bend = right - Math.max(...run.map(({ width }) => width)) - GAP_PX;
  return run.flatMap(({ y, members, width, colour }) => {
    const away = members
      .map((member) => ys[member] ?? y)
      .filter((level) => Math.abs(level - y) > TAG_HEIGHT_PX / 2);
    return away.map((level) =>
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

/** The tag, and at its right end the part that cancels. */
function tagFigures(
  { y, label, width, colour, handle }: ShownTag,
  right: number,
  paper: string,
): readonly OverlayFigure[] {
  const cancelWidth = handle?.isCancellable === true ? CANCEL_PX : 0;
  const part = (attrs: { readonly x: number; readonly width: number; readonly text: string }) => ({
    type: 'text',
    attrs: { ...attrs, y, height: TAG_HEIGHT_PX, align: 'right', baseline: 'middle' },
    styles: tagStyle(paper, colour, colour),
    ignoreEvent: true,
  });
  const name = part({ x: right - cancelWidth, width: width - cancelWidth, text: label });
  return cancelWidth === 0 ? [name] : [name, part({ x: right, width: cancelWidth, text: CANCEL })];
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
