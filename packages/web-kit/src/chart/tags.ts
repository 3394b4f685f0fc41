export const TAG_TEXT_PX = 11;
export const TAG_PADDING_PX = 4;
const PADDING_ABOVE_PX = 2;
/** With its text and what is above and below it. */
export const TAG_HEIGHT_PX = TAG_TEXT_PX + 2 * PADDING_ABOVE_PX;

/** A small tag with text, on the chart or its axis. */
export function tagStyle(ground: string, text: string, edge: string) {
  return {
    style: 'stroke_fill',
    color: text,
    backgroundColor: ground,
    borderColor: edge,
    borderSize: 1,
    borderRadius: 2,
    size: TAG_TEXT_PX,
    paddingLeft: TAG_PADDING_PX,
    paddingRight: TAG_PADDING_PX,
    paddingTop: PADDING_ABOVE_PX,
    paddingBottom: PADDING_ABOVE_PX,
  };
}

/** A level of the pane that wants a tag. */
export interface Level {
  /** Pixels from the top of the pane. */
  readonly y: number;
  /** Levels of one look share a tag sooner than others. */
  readonly look: string;
}

/** A tag and the levels that it names. */
export interface PlacedTag {
  /** Whole pixels from the top of the pane to the middle of the tag. */
  readonly y: number;
  /** Places in the list of levels, from the top of the pane to its bottom. */
  readonly members: readonly number[];
}

/** From the middle of a tag to the middle of the next one, a gap included. */
export const TAG_SLOT_PX = 17;
/** Levels of one look that lie nearer than this share a tag: apart, their lines would look like one. */
const NEAR_PX = 8;
/** A tag that would have to stand farther from its levels shares one with a neighbour instead. */
export const TAG_SHIFT_MAX_PX = 34;
const EDGE_PX = 8;

interface Group {
  readonly look: string;
  readonly members: readonly number[];
  /** The mean of its levels. */
  readonly y: number;
}

/**
 * Places tags beside levels so that no two cover each other: in the levels' order, inside the pane, as near to
 * them as may be. Levels outside the pane have none.
 */
export function placeTags(levels: readonly Level[], paneHeight: number): readonly PlacedTag[] {
  const room = Math.floor((Math.floor(paneHeight) - 2 * EDGE_PX) / TAG_SLOT_PX) + 1;
  if (room < 1) return [];
  let groups = nearTogether(levels, paneHeight);
  while (groups.length > room) groups = joined(groups, nearestPair(groups, 0, groups.length - 1), levels);
  for (;;) {
    const offsets = spread(
      groups.map(({ y }) => y),
      paneHeight,
    );
    const crowd = tooFarMoved(groups, offsets);
    if (crowd === undefined) {
      return groups.map(({ members }, index) => ({ members, y: placeOf(offsets, index) }));
    }
    groups = joined(groups, nearestPair(groups, crowd.first, crowd.last), levels);
  }
}

/** Tags of a pane, and what lies beyond it. */
export interface PaneTags {
  readonly inside: readonly PlacedTag[];
  /** One tag at the top for all levels above the pane, one at the bottom for those below it. */
  readonly above: PlacedTag | undefined;
  readonly below: PlacedTag | undefined;
}

/**
 * Places tags as `placeTags` does, and marks the levels outside the pane at its edges. `legends` is how many pixels of the
 * pane's top are taken by other text; where the pane is too low for that, tags may cover it.
 */
export function placeTagsAndEdges(levels: readonly Level[], paneHeight: number, legends = 0): PaneTags {
  const beyond = (isThere: (y: number) => boolean) =>
    [...levels.keys()]
      .filter((index) => isThere(levels[index]!.y))
      .toSorted((a, b) => levels[a]!.y - levels[b]!.y || a - b);
  const above = beyond((y) => y < 0);
  const below = beyond((y) => y > paneHeight);
  // Each mark takes a slot, and the other tags share what is left.
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

/**
 * Which of the levels may have a tag exactly where they are: none that would be cut by the pane's edge, cover a
 * taken place or cover the tag of a level before it in the list.
 */
export function standingApart(
  ys: readonly number[],
  taken: readonly number[],
  { apartPx, paneHeight }: { readonly apartPx: number; readonly paneHeight: number },
): readonly boolean[] {
  const places = [...taken];
  return ys.map((y) => {
    const isCut = y < EDGE_PX || y > paneHeight - EDGE_PX;
    if (isCut || places.some((place) => Math.abs(place - y) < apartPx)) return false;
    places.push(y);
    return true;
  });
}

function nearTogether(levels: readonly Level[], paneHeight: number): readonly Group[] {
  const inside = [...levels.keys()].filter((index) => {
    const y = levels[index]?.y ?? -1;
    return y >= 0 && y <= paneHeight;
  });
  const sorted = inside.toSorted((a, b) => (levels[a]?.y ?? 0) - (levels[b]?.y ?? 0) || a - b);
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
  const y = ys.reduce((sum, one) => sum + one, 0) / ys.length;
  return { members, y, look: looks.size === 1 ? ([...looks][0] ?? '') : 'mixed' };
}

function firstY({ members: [first] }: Group, levels: readonly Level[]): number {
  return levels[first ?? -1]?.y ?? 0;
}

/**
 * How far each tag is from where the slots of all tags before it would end: the nearest to the wishes that keeps
 * a slot for each. Tags that touch have the same offset.
 */
function spread(wishes: readonly number[], paneHeight: number): readonly number[] {
  const runs: { sum: number; count: number }[] = [];
  for (const [index, wish] of wishes.entries()) {
    runs.push({ sum: wish - index * TAG_SLOT_PX, count: 1 });
    for (;;) {
      const below = runs.at(-1);
      const above = runs.at(-2);
      if (above === undefined || below === undefined) break;
      if (above.sum / above.count < below.sum / below.count) break;
      runs.splice(-2, 2, { sum: above.sum + below.sum, count: above.count + below.count });
    }
  }
  const most = Math.floor(paneHeight) - EDGE_PX - (wishes.length - 1) * TAG_SLOT_PX;
  return runs.flatMap(({ sum, count }) => {
    const offset = Math.min(most, Math.max(EDGE_PX, Math.round(sum / count)));
    return Array.from({ length: count }, () => offset);
  });
}

function placeOf(offsets: readonly number[], index: number): number {
  return (offsets[index] ?? 0) + index * TAG_SLOT_PX;
}

/** The tags that touch one that stands too far from its levels. */
function tooFarMoved(groups: readonly Group[], offsets: readonly number[]) {
  const worst = groups.findIndex(({ y }, index) => Math.abs(placeOf(offsets, index) - y) > TAG_SHIFT_MAX_PX);
  if (worst === -1) return undefined;
  const offset = offsets[worst] ?? 0;
  return { first: offsets.indexOf(offset), last: offsets.lastIndexOf(offset) };
}

/** Of the groups from `first` to `last`, the upper of the two neighbours that lie nearest, of one look if any are. */
function nearestPair(groups: readonly Group[], first: number, last: number): number {
  const pairs = groups.slice(first, last).map((upper, index) => {
    const lower = groups[first + index + 1] ?? upper;
    return { place: first + index, strange: upper.look === lower.look ? 0 : 1, apart: lower.y - upper.y };
  });
  return pairs.toSorted((a, b) => a.strange - b.strange || a.apart - b.apart)[0]?.place ?? first;
}

function joined(groups: readonly Group[], upper: number, levels: readonly Level[]): readonly Group[] {
  const members = groups.slice(upper, upper + 2).flatMap((group) => group.members);
  return groups.toSpliced(upper, 2, groupOf(members, levels));
}
