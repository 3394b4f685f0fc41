import { CHART_TIMERS, type ChartTimer } from '@exchange/core/candle.ts';
import { symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { isRecord } from '@exchange/web-kit/storage.ts';

/** Kinds of panels, in the order of the menu that adds them. */
export const PANEL_KINDS = [
  'chart',
  'book',
  'deals',
  'ticket',
  'orders',
  'pairs',
  'depth',
  'ladder',
] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

/** Link groups. All panels of a group show the same pair. */
export const LINKS = ['a', 'b', 'c'] as const;
export type PanelLink = (typeof LINKS)[number];

/** A panel of the desk with the pair that it shows. */
export interface DeskPanel {
  readonly id: string;
  readonly kind: PanelKind;
  /** Link group of the panel; undefined for a panel with a pair of its own. */
  readonly link: PanelLink | undefined;
  /** Symbol of the pair that the panel shows, for example `btcusdt`. */
  readonly symbol: string;
  /** Candle interval of a chart; undefined for the interval that was chosen last. */
  readonly timer: ChartTimer | undefined;
}

/** Panels in one place, of which one is shown and the others are tabs. */
export interface PanelGroup {
  readonly kind: 'group';
  /** Share of the parent's width or height. Shares of siblings are relative to their sum. */
  readonly share: number;
  /** Ids of the panels in this place, in the order of their tabs from left to right; at least one. */
  readonly panels: readonly string[];
  /** Id of the panel of the group that is shown; the others are behind its tab. */
  readonly active: string;
}

/**
 * A part of the layout that contains further parts, side by side or one below the other: each level of the
 * tree has the other direction than the level above, beginning with the layout's `direction`.
 */
export interface PanelSplit {
  readonly kind: 'split';
  readonly share: number;
  readonly parts: readonly PanelPart[];
}

export type PanelPart = PanelGroup | PanelSplit;

/** An arrangement of panels, independent of the window's size and of the library that draws it. */
export interface DeskLayout {
  /** Direction of the first level of parts; each further level has the other direction. */
  readonly direction: 'row' | 'column';
  readonly parts: readonly PanelPart[];
  /** All panels of the parts, by id. */
  readonly panels: ReadonlyMap<string, DeskPanel>;
}

/** Maximum number of panels of a desk. */
export const PANELS_MAX = 16;
/** Maximum depth of nested parts in a stored layout. */
const DEPTH_MAX = 12;

/** Returns the JSON of a layout for storage, in the format that `parseLayout` reads. */
export function layoutToJson({ direction, parts, panels }: DeskLayout): object {
  return { direction, parts, panels: [...panels.values()] };
}

/**
 * Parses a stored layout, which users can edit and older versions of the desk may have written. Invalid
 * panels (for example of an unknown kind), panels after the first `PANELS_MAX`, panels without a place, parts
 * without panels, and parts that are nested more deeply than `DEPTH_MAX` are dropped. Returns undefined if no
 * panel is left or `stored` is not an object with lists of panels and parts.
 */
export function parseLayout(stored: unknown): DeskLayout | undefined {
  if (!isRecord(stored) || !Array.isArray(stored['panels']) || !Array.isArray(stored['parts']))
    return undefined;
  const parsed = stored['panels'].slice(0, PANELS_MAX).flatMap((panel) => parsePanel(panel) ?? []);
  const unplaced = new Map(parsed.map((panel) => [panel.id, panel]));
  const panels = new Map<string, DeskPanel>();
  const parts = parseParts(stored['parts'], (id) => {
    const panel = unplaced.get(id);
    if (panel === undefined) return false;
    unplaced.delete(id);
    panels.set(id, panel);
    return true;
  });
  if (panels.size === 0) return undefined;
  return { direction: stored['direction'] === 'column' ? 'column' : 'row', parts, panels };
}

function parsePanel(stored: unknown): DeskPanel | undefined {
  if (!isRecord(stored)) return undefined;
  const { id, symbol } = stored;
  const kind = PANEL_KINDS.find((name) => name === stored['kind']);
  const pairSymbol = typeof symbol === 'string' ? symbolOfLink(symbol) : undefined;
  if (kind === undefined || pairSymbol === undefined || typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id))
    return undefined;
  return {
    id,
    kind,
    link: LINKS.find((name) => name === stored['link']),
    symbol: pairSymbol,
    timer: CHART_TIMERS.find((name) => name === stored['timer']),
  };
}

/**
 * Parses the parts of a stored layout. `place` returns true for a panel that exists and has no place yet, and marks it
 * as placed.
 */
function parseParts(stored: readonly unknown[], place: (id: string) => boolean, depth = 0): PanelPart[] {
  if (depth >= DEPTH_MAX) return [];
  return stored.flatMap((part): PanelPart[] => {
    if (!isRecord(part)) return [];
    const share = shareOf(part['share']);
    if (Array.isArray(part['parts'])) {
      const parts = parseParts(part['parts'], place, depth + 1);
      return parts.length === 0 ? [] : [{ kind: 'split', share, parts }];
    }
    const ids = Array.isArray(part['panels']) ? part['panels'] : [];
    const panels = ids.filter((id): id is string => typeof id === 'string' && place(id));
    return groupOf(panels, part['active'], share);
  });
}

function groupOf(panels: readonly string[], shown: unknown, share: number): PanelGroup[] {
  const active = panels.find((id) => id === shown) ?? panels[0];
  return active === undefined ? [] : [{ kind: 'group', share, panels, active }];
}

/** Returns the stored share; 1 if it is not a positive number below a million. */
function shareOf(stored: unknown): number {
  return typeof stored === 'number' && stored > 0 && stored < 1e6 ? stored : 1;
}

/** A part of the grid that the dock library serialises. Sizes are pixels. */
export interface GridPart {
  readonly type: 'leaf' | 'branch';
  readonly size?: number;
  readonly data: readonly GridPart[] | GridGroup;
}

/** A group of panels (tabs in one place) in the grid that the dock library serialises. */
export interface GridGroup {
  readonly id: string;
  readonly views: readonly string[];
  readonly activeView?: string;
}

/** Those parts of the dock library's serialised state from which a layout is made. */
export interface SerializedDesk {
  readonly grid: { readonly root: GridPart; readonly orientation: string };
  /**
   * Groups in windows of their own; `gridReferenceGroup` is the id of the hidden group that keeps their
   * place. Absent if no group has a window of its own.
   */
  readonly popoutGroups?: readonly PoppedGroup[];
}

interface PoppedGroup {
  readonly data?: GridGroup;
  readonly grid?: { readonly root: GridPart };
  readonly gridReferenceGroup?: string;
}

/**
 * Returns the layout that the dock library's serialised state describes. Panels in browser windows of their
 * own are placed where they return to when their window closes: a layout has no windows, because browsers
 * block windows that open without a click.
 */
export function layoutOfGrid(
  { grid, popoutGroups = [] }: SerializedDesk,
  known: ReadonlyMap<string, DeskPanel>,
): DeskLayout {
  const returning = new Map<string | undefined, string[]>();
  for (const { data, grid: inner, gridReferenceGroup } of popoutGroups) {
    const ids = [...(data?.views ?? []), ...(inner === undefined ? [] : viewsOf(inner.root))];
    returning.set(gridReferenceGroup, [...(returning.get(gridReferenceGroup) ?? []), ...ids]);
  }
  const partsOf = ({ data, size }: GridPart): PanelPart[] => {
    const share = shareOf(size);
    if (isParts(data)) {
      const parts = data.flatMap(partsOf);
      return parts.length === 0 ? [] : [{ kind: 'split', share, parts }];
    }
    const back = returning.get(data.id) ?? [];
    returning.delete(data.id);
    return groupOf(
      [...data.views, ...back].filter((id) => known.has(id)),
      data.activeView,
      share,
    );
  };
  const { data } = grid.root;
  const parts = (isParts(data) ? data : [grid.root]).flatMap(partsOf);
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  for (const ids of returning.values())
    parts.push(
      ...groupOf(
        ids.filter((id) => known.has(id)),
        undefined,
        Math.max(1, total / 3),
      ),
    );
  const placed = new Set(parts.flatMap(panelsOfPart));
  return {
    direction: grid.orientation === 'VERTICAL' ? 'column' : 'row',
    parts,
    panels: new Map([...known].filter(([id]) => placed.has(id))),
  };
}

function isParts(data: readonly GridPart[] | GridGroup): data is readonly GridPart[] {
  return Array.isArray(data);
}

function viewsOf({ data }: GridPart): readonly string[] {
  return isParts(data) ? data.flatMap(viewsOf) : data.views;
}

function panelsOfPart(part: PanelPart): readonly string[] {
  return part.kind === 'group' ? part.panels : part.parts.flatMap(panelsOfPart);
}

/** Returns the dock library's grid of a layout, for a desk of `width` × `height` pixels. */
export function gridOfLayout(
  { direction, parts }: DeskLayout,
  { width, height }: { readonly width: number; readonly height: number },
) {
  let groups = 0;
  const children = (siblings: readonly PanelPart[], isRow: boolean, size: typeof box): GridPart[] => {
    const total = siblings.reduce((sum, { share }) => sum + share, 0);
    return siblings.map((part) => {
      const along = ((isRow ? size.width : size.height) * part.share) / total;
      const inner = isRow ? { ...size, width: along } : { ...size, height: along };
      if (part.kind === 'split')
        return { type: 'branch', size: along, data: children(part.parts, !isRow, inner) };
      groups += 1;
      const { panels: views, active: activeView } = part;
      return { type: 'leaf', size: along, data: { id: `group-${groups}`, views: [...views], activeView } };
    });
  };
  const box = { width, height };
  const isRow = direction === 'row';
  return {
    root: {
      type: 'branch' as const,
      size: isRow ? height : width,
      data: children(parts, isRow, box),
    },
    orientation: isRow ? 'HORIZONTAL' : 'VERTICAL',
    width,
    height,
  };
}

/**
 * Returns the panels after the panel `id` has chosen a pair: all panels of its link group show the pair too.
 */
export function withPair(
  panels: ReadonlyMap<string, DeskPanel>,
  id: string,
  symbol: string,
): ReadonlyMap<string, DeskPanel> {
  const link = panels.get(id)?.link;
  return changePanels(panels, (panel) =>
    panel.id === id || (link !== undefined && panel.link === link) ? { ...panel, symbol } : panel,
  );
}

/**
 * Returns `panels` after the panel `id` has joined a link group, or has left its group. The panel then shows
 * the pair of the group's other panels; it keeps its own pair if there are none or it has left.
 */
export function withLink(
  panels: ReadonlyMap<string, DeskPanel>,
  id: string,
  link: PanelLink | undefined,
): ReadonlyMap<string, DeskPanel> {
  const symbol = symbolOfGroup(panels, link, id);
  return changePanels(panels, (panel) =>
    panel.id === id ? { ...panel, link, symbol: symbol ?? panel.symbol } : panel,
  );
}

/**
 * Returns the symbol of the pair that a link group shows; undefined without a group, and while no panel other
 * than `except` belongs to it.
 */
export function symbolOfGroup(
  panels: ReadonlyMap<string, DeskPanel>,
  link: PanelLink | undefined,
  except?: string,
): string | undefined {
  if (link === undefined) return undefined;
  return [...panels.values()].find((panel) => panel.link === link && panel.id !== except)?.symbol;
}

/** Returns `panels` with the candle interval of the chart `id` changed to `timer`. */
export function withTimer(
  panels: ReadonlyMap<string, DeskPanel>,
  id: string,
  timer: ChartTimer,
): ReadonlyMap<string, DeskPanel> {
  return changePanels(panels, (panel) => (panel.id === id ? { ...panel, timer } : panel));
}

function changePanels(
  panels: ReadonlyMap<string, DeskPanel>,
  change: (panel: DeskPanel) => DeskPanel,
): ReadonlyMap<string, DeskPanel> {
  return new Map([...panels].map(([id, panel]) => [id, change(panel)]));
}

/**
 * Returns a free id for a new panel: its kind and the lowest number that no panel of the kind has, such as
 * `chart-2`.
 */
export function freeId(panels: ReadonlyMap<string, DeskPanel>, kind: PanelKind): string {
  let number = 1;
  while (panels.has(`${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}
