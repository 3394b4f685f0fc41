export const TAG_TEXT_PX = 11;
export const TAG_PADDING_PX = 4;
const PADDING_ABOVE_PX = 2;
/** Height of a tag in pixels: the size of its text plus the padding. */
export const TAG_HEIGHT_PX = TAG_TEXT_PX + 2 * PADDING_ABOVE_PX;

/** Style of a small text tag on the chart or its axis. */
export function tagStyle(background: string, text: string, border: string) {
  return {
    style: 'stroke_fill',
    color: text,
    backgroundColor: background,
    borderColor: border,
    borderSize: 1,
    borderRadius: 2,
    size: TAG_TEXT_PX,
    paddingLeft: TAG_PADDING_PX,
    paddingRight: TAG_PADDING_PX,
    paddingTop: PADDING_ABOVE_PX,
    paddingBottom: PADDING_ABOVE_PX,
  };
}

/** A price level in a chart pane, for which a tag is to be placed. */
export interface Level {
  /** Vertical position in pixels from the top of the pane. */
  readonly y: number;
  /** Group of the price level. Price levels of one group are the first to share a tag. */
  readonly look: string;
}

/** A tag with its position, and the price levels that it names. */
export interface PlacedTag {
  /** Vertical position of the tag's middle, in whole pixels from the top of the pane. */
  readonly y: number;
  /**
   * Indexes, in the list that was passed to `placeTags`, of the price levels that share this tag, from top to
   * bottom.
   */
  readonly members: readonly number[];
}

/** Vertical distance in pixels between the middles of two adjacent tags, including a gap. */
export const TAG_SLOT_PX = 17;
/**
 * Price levels of one group that are closer than this many pixels share a tag, because their lines would merge on the
 * screen.
 */
const NEAR_PX = 8;
/**
 * Maximum vertical distance in pixels of a tag from the mean of its price levels. A tag that would be farther away is
 * merged with an adjacent one.
 */
export const TAG_SHIFT_MAX_PX = 34;
const EDGE_PX = 8;

interface Group {
  readonly look: string;
  readonly members: readonly number[];
  /** Mean vertical position of the group's price levels, in pixels. */
  readonly y: number;
}

/**
 * Places the tags of the price levels inside the pane. Levels share a tag if they are close together or if there is no
 * room for separate tags. Tags do not overlap, are in the order of their levels, stay inside the pane, and are as close
 * as possible to their levels. Levels outside of the pane get no tag.
 */
export function placeTags(levels: readonly Level[], paneHeight: number): readonly PlacedTag[] {
  const slotCount = Math.floor((Math.floor(paneHeight) - 2 * EDGE_PX) / TAG_SLOT_PX) + 1;
  if (slotCount < 1) return [];
  let groups = groupNearLevels(levels, paneHeight);
  while (groups.length > slotCount)
    groups = mergePair(groups, nearestPair(groups, 0, groups.length - 1), levels);
  for (;;) {
    const offsets = spread(
      groups.map(({ y }) => y),
      paneHeight,
    );
    const movedRange = rangeMovedTooFar(groups, offsets);
    if (movedRange === undefined) {
      return groups.map(({ members }, index) => ({ members, y: placeOf(offsets, index) }));
    }
    groups = mergePair(groups, nearestPair(groups, movedRange.first, movedRange.last), levels);
  }
}

/** The tags inside a pane, and those at its edges for price levels outside of it. */
export interface PaneTags {
  readonly inside: readonly PlacedTag[];
  /**
   * One tag at the top edge for all price levels above the pane, and one at the bottom edge for all those below it;
   * undefined if there are none.
   */
  readonly above: PlacedTag | undefined;
  readonly below: PlacedTag | undefined;
}

/**
 * Places tags like `placeTags`, and also tags at the pane's edges for price levels outside of the pane. `legends` is
 * the height in pixels of the text at the pane's top. Tags cover this text only if the pane is too small. In an even
 * smaller pane there are no tags at the edges.
 */
export function placeTagsAndEdges(levels: readonly Level[], paneHeight: number, legends = 0): PaneTags {
  const beyond = (isBeyond: (y: number) => boolean) =>
    [...levels.keys()]
      .filter((index) => isBeyond(levels[index]!.y))
      .toSorted((left, right) => levels[left]!.y - levels[right]!.y || left - right);
  const above = beyond((y) => y < 0);
  const below = beyond((y) => y > paneHeight);
  // A tag at an edge takes the height of one tag. The other tags share the rest of the pane.
  const top = legends + (above.length === 0 ? 0 : TAG_SLOT_PX);
  const room = paneHeight - top - (below.length === 0 ? 0 : TAG_SLOT_PX);
  if (room < TAG_SLOT_PX)
    return legends > 0
      ? placeTagsAndEdges(levels, paneHeight)
      : { inside: placeTags(levels, paneHeight), above: undefined, below: undefined };
  const squeezed = levels.map(({ y, look }) => ({
    y: y < 0 || y > paneHeight ? Number.NaN : Math.min(room, Math.max(0, y - top)),
    look,
  }));
  const inside = placeTags(squeezed, room).map(({ y, members }) => ({ y: y + top, members }));
  const bottom = Math.floor(paneHeight) - EDGE_PX;
  return {
    inside,
    above: above.length === 0 ? undefined : { y: legends + EDGE_PX, members: above },
    below: below.length === 0 ? undefined : { y: bottom, members: below },
  };
}

/** Width and height in pixels of the text at the top left of a pane. */
export interface Legends {
  readonly width: number;
  readonly height: number;
}

/**
 * Places tags like `placeTagsAndEdges`: over the whole height of the pane, or below the legends if a tag would cover
 * them otherwise. `leftOf` returns the left edge, in pixels from the left of the pane, of the tag that names the given
 * price levels; `edge` is the edge of the pane for the tag of levels outside of it.
 */
export function placeTagsBesideLegends(
  levels: readonly Level[],
  paneHeight: number,
  legends: Legends,
  leftOf: (members: readonly number[], edge?: 'above' | 'below') => number,
): PaneTags {
  const placed = placeTagsAndEdges(levels, paneHeight);
  const covers = (tag: PlacedTag | undefined, edge?: 'above' | 'below') =>
    tag !== undefined &&
    tag.y - TAG_HEIGHT_PX / 2 < legends.height &&
    leftOf(tag.members, edge) < legends.width;
  const isCovered =
    placed.inside.some((tag) => covers(tag)) ||
    covers(placed.above, 'above') ||
    covers(placed.below, 'below');
  return isCovered ? placeTagsAndEdges(levels, paneHeight, legends.height) : placed;
}

/**
 * Returns for each price level whether a tag fits at exactly its position. The tag must be completely inside the pane,
 * and must not cover an occupied position or the tag of an earlier level.
 */
export function levelsWithTags(
  ys: readonly number[],
  occupied: readonly number[],
  { apartPx, paneHeight }: { readonly apartPx: number; readonly paneHeight: number },
): readonly boolean[] {
  const occupiedYs = [...occupied];
  return ys.map((y) => {
    const isCut = y < EDGE_PX || y > paneHeight - EDGE_PX;
    if (isCut || occupiedYs.some((occupiedY) => Math.abs(occupiedY - y) < apartPx)) return false;
    occupiedYs.push(y);
    return true;
  });
}

function groupNearLevels(levels: readonly Level[], paneHeight: number): readonly Group[] {
  const inside = [...levels.keys()].filter((index) => {
    const y = levels[index]?.y ?? -1;
    return y >= 0 && y <= paneHeight;
  });
  const sorted = inside.toSorted(
    (left, right) => (levels[left]?.y ?? 0) - (levels[right]?.y ?? 0) || left - right,
  );
  const groups: Group[] = [];
  for (const index of sorted) {
    const level = levels[index];
    const last = groups.at(-1);
    if (level === undefined) continue;
    const isNear = last?.look === level.look && level.y - firstY(last, levels) < NEAR_PX;
    if (last !== undefined && isNear) groups[groups.length - 1] = groupOf([...last.members, index], levels);
    else groups.push(groupOf([index], levels));
  }
  return groups;
}

function groupOf(members: readonly number[], levels: readonly Level[]): Group {
  const ys = members.map((member) => levels[member]?.y ?? 0);
  const looks = new Set(members.map((member) => levels[member]?.look ?? ''));
  const y = ys.reduce((sum, levelY) => sum + levelY, 0) / ys.length;
  return { members, y, look: looks.size === 1 ? ([...looks][0] ?? '') : 'mixed' };
}

function firstY({ members: [first] }: Group, levels: readonly Level[]): number {
  return levels[first ?? -1]?.y ?? 0;
}

/**
 * Computes the vertical positions of tags, which must not overlap and are as close as possible to `wishedYs` (least
 * squares). Returns for each tag the difference in pixels between its position and its place in a stack of all tags
 * without gaps. Tags that touch each other have the same difference.
 */
function spread(wishedYs: readonly number[], paneHeight: number): readonly number[] {
  const runs: { sum: number; count: number }[] = [];
  for (const [index, wishedY] of wishedYs.entries()) {
    runs.push({ sum: wishedY - index * TAG_SLOT_PX, count: 1 });
    for (;;) {
      const below = runs.at(-1);
      const above = runs.at(-2);
      if (above === undefined || below === undefined) break;
      if (above.sum / above.count < below.sum / below.count) break;
      runs.splice(-2, 2, { sum: above.sum + below.sum, count: above.count + below.count });
    }
  }
  const maxOffset = Math.floor(paneHeight) - EDGE_PX - (wishedYs.length - 1) * TAG_SLOT_PX;
  return runs.flatMap(({ sum, count }) => {
    const offset = Math.min(maxOffset, Math.max(EDGE_PX, Math.round(sum / count)));
    return Array.from({ length: count }, () => offset);
  });
}

function placeOf(offsets: readonly number[], index: number): number {
  return (offsets[index] ?? 0) + index * TAG_SLOT_PX;
}

/**
 * Returns the first and last index of the touching tags around the first tag that is too far from its price levels;
 * undefined if none is too far.
 */
function rangeMovedTooFar(groups: readonly Group[], offsets: readonly number[]) {
  const worst = groups.findIndex(({ y }, index) => Math.abs(placeOf(offsets, index) - y) > TAG_SHIFT_MAX_PX);
  if (worst === -1) return undefined;
  const offset = offsets[worst] ?? 0;
  return { first: offsets.indexOf(offset), last: offsets.lastIndexOf(offset) };
}

/**
 * Returns the index of the upper one of the two adjacent tags whose price levels have the closest mean
 * positions, among the tags from index `first` to index `last`, both included. Two tags whose levels have the
 * same `look` are preferred to any closer pair with different ones.
 */
function nearestPair(groups: readonly Group[], first: number, last: number): number {
  const pairs = groups.slice(first, last).map((upper, index) => {
    const lower = groups[first + index + 1] ?? upper;
    return {
      place: first + index,
      lookDistance: upper.look === lower.look ? 0 : 1,
      apart: lower.y - upper.y,
    };
  });
  return (
    pairs.toSorted((left, right) => left.lookDistance - right.lookDistance || left.apart - right.apart)[0]
      ?.place ?? first
  );
}

function mergePair(groups: readonly Group[], upper: number, levels: readonly Level[]): readonly Group[] {
  const members = groups.slice(upper, upper + 2).flatMap((group) => group.members);
  return groups.toSpliced(upper, 2, groupOf(members, levels));
}
