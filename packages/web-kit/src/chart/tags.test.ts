import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  placeTags,
  placeTagsAndEdges,
  placeTagsBesideLegends,
  levelsWithTags,
  TAG_SHIFT_MAX_PX,
  TAG_SLOT_PX,
  type Level,
} from './tags.ts';

const HEIGHT_PX = 300;
const level = fc.record({
  y: fc.double({ min: -100, max: HEIGHT_PX + 100, noNaN: true }),
  look: fc.constantFrom('buy', 'sell', 'alert'),
});
/**
 * Random price levels, either spread over the pane, or all in a narrow band like the prices of a ladder, an order that
 * places several limit orders in a price range.
 */
const levels = fc.oneof(
  fc.array(level, { maxLength: 100 }),
  fc.array(
    level.map(({ y, look }) => ({ look, y: HEIGHT_PX / 2 + y / 20 })),
    { maxLength: 100 },
  ),
);
const meanOf = (levels: readonly Level[], members: readonly number[]) =>
  members.reduce((sum, member) => sum + levels[member]!.y, 0) / members.length;
const buys = (...ys: readonly number[]) => ys.map((y): Level => ({ y, look: 'buy' }));

describe('order tags on the chart', () => {
  it('WEB-165 never overlap, stay inside the pane and near their levels', () => {
    fc.assert(
      fc.property(levels, fc.double({ min: 16, max: HEIGHT_PX, noNaN: true }), (levels, height) => {
        const tags = placeTags(levels, height);
        for (const [index, { y, members }] of tags.entries()) {
          expect(y >= 8 && y <= height - 8).toBe(true);
          expect(Math.abs(y - meanOf(levels, members))).toBeLessThanOrEqual(TAG_SHIFT_MAX_PX);
          expect(y - (tags[index - 1]?.y ?? -Infinity)).toBeGreaterThanOrEqual(TAG_SLOT_PX);
        }
      }),
    );
  });

  it('WEB-165 name every level inside the pane once, in price order', () => {
    fc.assert(
      fc.property(levels, (levels) => {
        const named = placeTags(levels, HEIGHT_PX).flatMap(({ members }) => members);
        const inside = [...levels.keys()].filter(
          (index) => levels[index]!.y >= 0 && levels[index]!.y <= HEIGHT_PX,
        );
        expect(named.toSorted((a, b) => a - b)).toEqual(inside);
        const ys = named.map((index) => levels[index]!.y);
        expect(ys).toEqual(ys.toSorted((a, b) => a - b));
      }),
    );
  });

  it('WEB-165 are at their level when nothing is near', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 15 }), { maxLength: 15 }), (places) => {
        const levels = places.map((place): Level => ({
          y: place * 18,
          look: place % 2 === 0 ? 'buy' : 'sell',
        }));
        for (const { y, members } of placeTags(levels, HEIGHT_PX)) {
          expect(members.map((member) => levels[member]?.y)).toEqual([y]);
        }
      }),
    );
  });

  it('WEB-165 are shared by levels with the same look at nearly the same price, and moved apart otherwise', () => {
    expect(placeTags(buys(100, 104, 102), HEIGHT_PX)).toEqual([{ y: 102, members: [0, 2, 1] }]);
    expect(placeTags(buys(100, 110), HEIGHT_PX).map(({ y }) => y)).toEqual([97, 114]);
    const strangers = [...buys(100), { y: 101, look: 'sell' }];
    expect(placeTags(strangers, HEIGHT_PX).map(({ members }) => members)).toEqual([[0], [1]]);
  });

  it('WEB-165 are shared by more levels if separate tags would be too far from their levels', () => {
    const ladder = buys(...Array.from({ length: 12 }, (_, index) => 100 + index * 8));
    const tags = placeTags(ladder, HEIGHT_PX);
    expect(tags.length).toBeGreaterThan(1);
    expect(tags.length).toBeLessThan(12);
  });

  it('WEB-165 are not drawn in a pane lower than one tag', () => {
    expect(placeTags(buys(5), 15)).toEqual([]);
  });
});

describe('tags on the price axis', () => {
  const axis = { apartPx: 18, paneHeight: 390 };

  it('WEB-165 overlap neither the last price nor each other, and are never moved or cut', () => {
    expect(levelsWithTags([100, 110, 130, 52, 3, 385], [50], axis)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 })),
        fc.integer({ min: 0, max: 400 }),
        (ys, last) => {
          const isShown = levelsWithTags(ys, [last], axis);
          const places = [last, ...ys.filter((_, index) => isShown[index])].toSorted((a, b) => a - b);
          for (const [index, place] of places.entries()) {
            expect(place - (places[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(18);
          }
        },
      ),
    );
  });

  it('WEB-273 levels outside of the pane share one tag per edge that overlaps no other', () => {
    fc.assert(
      fc.property(levels, fc.double({ min: 60, max: HEIGHT_PX, noNaN: true }), (levels, height) => {
        const { inside, above, below } = placeTagsAndEdges(levels, height);
        const named = [above, ...inside, below].filter((tag) => tag !== undefined);
        for (const [index, { y }] of named.entries()) {
          expect(y >= 8 && y <= height - 8).toBe(true);
          expect(y - (named[index - 1]?.y ?? -Infinity)).toBeGreaterThanOrEqual(TAG_SLOT_PX - 1);
        }
        expect(named.flatMap(({ members }) => members).toSorted((a, b) => a - b)).toEqual([...levels.keys()]);
        expect(above?.members.every((member) => levels[member]!.y < 0) ?? true).toBe(true);
        expect(below?.members.every((member) => levels[member]!.y > height) ?? true).toBe(true);
      }),
    );
    expect(placeTagsAndEdges(buys(-5, 100, 400), HEIGHT_PX)).toEqual({
      inside: [{ y: 100, members: [1] }],
      above: { y: 8, members: [0] },
      below: { y: 292, members: [2] },
    });
  });

  it('WEB-273 start below the legends of a narrow chart if the pane is high enough', () => {
    const levels = buys(-5, 3, 100, 400);
    const { inside, above, below } = placeTagsAndEdges(levels, HEIGHT_PX, 44);
    expect({ above, below }).toEqual({
      above: { y: 52, members: [0] },
      below: { y: 292, members: [3] },
    });
    expect(inside.map(({ members }) => members)).toEqual([[1], [2]]);
    expect(inside[0]!.y).toBeGreaterThanOrEqual(52 + TAG_SLOT_PX - 1);
    expect(inside[1]!.y).toBe(100);
    expect(placeTagsAndEdges(levels, 60, 44)).toEqual(placeTagsAndEdges(levels, 60));
  });

  it('WEB-1111 WEB-273 a tag that would cover the legends moves below them, a shorter one does not', () => {
    const legends = { width: 200, height: 44 };
    const levels = buys(20, 150);
    const placedFrom = (left: number) =>
      placeTagsBesideLegends(levels, HEIGHT_PX, legends, () => left).inside.map(({ y }) => y);
    expect(placedFrom(200)).toEqual([20, 150]);
    expect(placedFrom(199)).toEqual([52, 150]);
    const beyond = (left: number) =>
      placeTagsBesideLegends(buys(-5, 150), HEIGHT_PX, legends, (_, edge) => (edge === 'above' ? left : 300));
    expect(beyond(200).above!.y).toBe(8);
    expect(beyond(199).above!.y).toBe(52);
    // A tag that is below the legends anyway keeps its position, however long it is.
    expect(placeTagsBesideLegends(buys(150), HEIGHT_PX, legends, () => 0).inside[0]!.y).toBe(150);
  });
});
