import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeskLayout,
  type DeskPanel,
  freeId,
  gridOfLayout,
  layoutOfGrid,
  layoutToJson,
  LINKS,
  PANEL_KINDS,
  type PanelPart,
  parseLayout,
  withLink,
  withPair,
} from './desk-layout.ts';
import { presetLayout, PRESETS } from './presets.ts';
import {
  layoutName,
  parseDesk,
  SAVED_MAX,
  type StoredDesk,
  withoutSaved,
  withRenamed,
  withSaved,
} from './saved-layouts.ts';

const BOX = { width: 1_600, height: 900 };
const SYMBOLS = ['btcusdt', 'ethusdt', 'ltcusdt', 'xrpusdt'];
const reparsed = (layout: DeskLayout) => parseLayout(JSON.parse(JSON.stringify(layoutToJson(layout))));

const panel = (id: string): fc.Arbitrary<DeskPanel> =>
  fc.record({
    id: fc.constant(id),
    kind: fc.constantFrom(...PANEL_KINDS),
    link: fc.constantFrom(...LINKS, undefined),
    symbol: fc.constantFrom(...SYMBOLS),
    timer: fc.constantFrom('15min' as const, undefined),
  });

/** Layouts of one to eight panels that are nested at random. */
const layouts: fc.Arbitrary<DeskLayout> = fc.integer({ min: 1, max: 8 }).chain((count) => {
  const ids = Array.from({ length: count }, (_, at) => `p-${at}`);
  const share = fc.integer({ min: 1, max: 100 });
  const partsOf = (members: readonly string[], depth: number): fc.Arbitrary<PanelPart[]> =>
    fc.integer({ min: 1, max: members.length }).chain((groups) => {
      const size = Math.ceil(members.length / groups);
      const chunks = Array.from({ length: Math.ceil(members.length / size) }, (_, at) =>
        members.slice(at * size, (at + 1) * size),
      );
      return fc.tuple(
        ...chunks.map((chunk): fc.Arbitrary<PanelPart> =>
          depth < 3 && chunk.length > 1
            ? fc.record({
                kind: fc.constant('split' as const),
                share,
                parts: partsOf(chunk, depth + 1),
              })
            : fc.record({
                kind: fc.constant('group' as const),
                share,
                panels: fc.constant(chunk),
                active: fc.constantFrom(...chunk),
              }),
        ),
      );
    });
  return fc.record({
    direction: fc.constantFrom('row' as const, 'column' as const),
    parts: partsOf(ids, 0),
    panels: fc.tuple(...ids.map(panel)).map((panels) => new Map(panels.map((one) => [one.id, one]))),
  });
});

/** Returns the parts with the shares of siblings as fractions of their sum, rounded to six decimals. */
function inFractions(parts: readonly PanelPart[]): readonly PanelPart[] {
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  return parts.map((part) => {
    const share = Math.round((part.share / total) * 1e6) / 1e6;
    return part.kind === 'group' ? { ...part, share } : { ...part, share, parts: inFractions(part.parts) };
  });
}

describe('layouts of the desk', () => {
  it('DESK-030 a stored layout is read as it was stored', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        expect(reparsed(layout)).toEqual(layout);
      }),
    );
  });

  it('DESK-030 a layout survives the format of the library at any window size', () => {
    const box = fc.record({
      width: fc.integer({ min: 300, max: 4_000 }),
      height: fc.integer({ min: 300, max: 2_000 }),
    });
    fc.assert(
      fc.property(layouts, box, (layout, size) => {
        const after = layoutOfGrid({ grid: gridOfLayout(layout, size) }, layout.panels);
        expect(after.panels).toEqual(layout.panels);
        expect(after.direction).toBe(layout.direction);
        expect(inFractions(after.parts)).toEqual(inFractions(layout.parts));
      }),
    );
  });

  it('DESK-030 whatever is stored, the result is a layout whose panels each have one place, or nothing', () => {
    const noise = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(layouts, fc.constantFrom('parts', 'panels', 'direction'), fc.jsonValue())
        .map(([layout, key, value]) => ({ ...layoutToJson(layout), [key]: value })),
    );
    fc.assert(
      fc.property(noise, (stored) => {
        const layout = parseLayout(stored);
        if (layout === undefined) return;
        const places = placesOf(layout.parts);
        expect(new Set(places).size).toBe(places.length);
        expect([...layout.panels.keys()].toSorted()).toEqual(places.toSorted());
      }),
    );
  });

  it('DESK-030 drops panels of unknown kinds and parts that are empty then', () => {
    const { direction, parts, panels } = presetLayout('scalper', SYMBOLS);
    const json = {
      direction,
      parts,
      panels: [...panels.values()].map((one) => (one.kind === 'deals' ? { ...one, kind: 'spaceship' } : one)),
    };
    const layout = parseLayout(json)!;
    expect([...layout.panels.keys()]).toEqual(['chart-1', 'ladder-1', 'ticket-1']);
    expect(layout.parts).toHaveLength(3);
    expect(parseLayout({ ...json, panels: [] })).toBeUndefined();
  });

  it('DESK-031 a panel in a window of its own is stored where it returns to', () => {
    const layout = presetLayout('scalper', SYMBOLS);
    const grid = gridOfLayout(layout, BOX);
    const hidden = grid.root.data.map((part) =>
      'views' in part.data && part.data.views.includes('ladder-1')
        ? { ...part, data: { id: part.data.id, views: [] } }
        : part,
    );
    const place = grid.root.data.findIndex(({ data }) => 'views' in data && data.views.includes('ladder-1'));
    const popped = {
      grid: { ...grid, root: { ...grid.root, data: hidden } },
      popoutGroups: [{ data: { id: 'w', views: ['ladder-1'] }, gridReferenceGroup: `group-${place + 1}` }],
    };
    expect(placesOf(layoutOfGrid(popped, layout.panels).parts)).toEqual(placesOf(layout.parts));
    const lost = { ...popped, popoutGroups: [{ data: { id: 'w', views: ['ladder-1'] } }] };
    expect(placesOf(layoutOfGrid(lost, layout.panels).parts).toSorted()).toEqual(
      placesOf(layout.parts).toSorted(),
    );
  });

  it.each(PRESETS)('DESK-028 the preset %s places every panel once, also with a single pair', (preset) => {
    for (const symbols of [SYMBOLS, ['btcusdt'], []]) {
      const layout = presetLayout(preset, symbols);
      expect(placesOf(layout.parts).toSorted()).toEqual([...layout.panels.keys()].toSorted());
      expect(reparsed(layout)).toEqual(layout);
    }
  });
});

describe('link groups', () => {
  const { panels } = presetLayout('four', SYMBOLS);

  it('DESK-029 a chosen pair is shown by the panels of the group, and by no other panel', () => {
    const after = withPair(panels, 'ticket-1', 'xrpusdt');
    expect([...after.values()].map(({ id, symbol }) => `${id} ${symbol}`)).toEqual([
      'chart-1 xrpusdt',
      'chart-2 ethusdt',
      'chart-3 ltcusdt',
      'chart-4 xrpusdt',
      'ticket-1 xrpusdt',
    ]);
    expect(withPair(panels, 'chart-4', 'btcusdt').get('chart-1')!.symbol).toBe('btcusdt');
    expect(withPair(panels, 'chart-4', 'ethusdt').get('ticket-1')!.symbol).toBe('btcusdt');
  });

  it('DESK-029 a panel that joins a group shows its pair, and keeps the pair when it leaves', () => {
    const joined = withLink(panels, 'ticket-1', 'b');
    expect(joined.get('ticket-1')).toMatchObject({ link: 'b', symbol: 'ethusdt' });
    const left = withLink(joined, 'ticket-1', undefined);
    expect(left.get('ticket-1')).toMatchObject({ link: undefined, symbol: 'ethusdt' });
    expect(withPair(left, 'chart-2', 'ltcusdt').get('ticket-1')!.symbol).toBe('ethusdt');
  });

  it('DESK-028 a new panel gets a free id', () => {
    expect(freeId(panels, 'chart')).toBe('chart-5');
    expect(freeId(new Map([...panels].filter(([id]) => id !== 'chart-2')), 'chart')).toBe('chart-2');
    expect(freeId(panels, 'book')).toBe('book-1');
  });
});

describe('saved layouts', () => {
  const layout = presetLayout('one', SYMBOLS);
  const EMPTY: StoredDesk = { current: undefined, name: undefined, saved: [] };

  it.each([
    '',
    'nonsense',
    '[]',
    'null',
    '{"version":2,"saved":[]}',
    '{"version":1,"current":7,"saved":"x"}',
  ])('DESK-030 the stored text %j is no desk', (text) => expect(parseDesk(text)).toEqual(EMPTY));

  it('DESK-030 a damaged layout does not take the others with it', () => {
    const text = JSON.stringify({
      version: 1,
      current: { panels: 'lost' },
      name: 'Gone',
      saved: [
        { name: 'Gone', layout: {} },
        { name: '   ', layout: layoutToJson(layout) },
        { name: 'Day', layout: layoutToJson(layout) },
      ],
    });
    expect(parseDesk(text)).toEqual({
      current: undefined,
      name: undefined,
      saved: [{ name: 'Day', layout }],
    });
  });

  it('DESK-030 a name has 1 to 30 characters, whatever they are', () => {
    expect(layoutName('  my   desk ')).toBe('my desk');
    expect(layoutName('   ')).toBeUndefined();
    expect(layoutName('🦀'.repeat(30))).toBe('🦀'.repeat(30));
    expect(layoutName('🦀'.repeat(31))).toBeUndefined();
  });

  it('DESK-030 saves at most 20 layouts, replaces one of the same name, and renames and deletes', () => {
    let desk = EMPTY;
    for (let at = 0; at < SAVED_MAX; at += 1) desk = withSaved(desk, `Layout ${at}`, layout);
    expect(withSaved(desk, 'One more', layout)).toBe(desk);
    const other = presetLayout('four', SYMBOLS);
    const replaced = withSaved(desk, 'Layout 3', other);
    expect(replaced.saved).toHaveLength(SAVED_MAX);
    expect(replaced.saved[3]).toEqual({ name: 'Layout 3', layout: other });
    expect(replaced.name).toBe('Layout 3');
    expect(withRenamed(replaced, 'Layout 3', 'Layout 4')).toBe(replaced);
    expect(withRenamed(replaced, 'Layout 3', 'Night')).toMatchObject({ name: 'Night' });
    const deleted = withoutSaved(replaced, 'Layout 3');
    expect(deleted.saved).toHaveLength(SAVED_MAX - 1);
    expect(deleted.name).toBeUndefined();
  });
});

function placesOf(parts: readonly PanelPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'group' ? [...part.panels] : placesOf(part.parts)));
}
