import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHART_MIN, defaultLayout, LIMITS, type PanelName, resizeLayout, restoreLayout } from './layout.ts';

const panel = fc.constantFrom<PanelName>('pairs', 'book', 'ticket', 'orders');
const room = fc.record({
  width: fc.integer({ min: 1_300, max: 4_000 }),
  height: fc.integer({ min: 640, max: 2_000 }),
});

describe('trading screen layout', () => {
  it('DESK-020 no sequence of drags exceeds the limits of a panel or shrinks the chart below its minimum', () => {
    const drags = fc.array(fc.tuple(panel, fc.integer({ min: -500, max: 5_000 })), { maxLength: 30 });
    fc.assert(
      fc.property(room, drags, (space, moves) => {
        let layout = defaultLayout(space);
        for (const [name, size] of moves) layout = resizeLayout(layout, name, size, space);
        for (const name of Object.keys(LIMITS) as PanelName[]) {
          expect(layout[name]).toBeGreaterThanOrEqual(LIMITS[name].min);
          expect(layout[name]).toBeLessThanOrEqual(LIMITS[name].max);
        }
        const chartWidth = space.width - layout.pairs - layout.book - layout.ticket;
        expect(chartWidth).toBeGreaterThanOrEqual(CHART_MIN.width);
      }),
    );
  });

  it('DESK-021 a layout stored on a wide screen fits a narrow one', () => {
    const stored = JSON.stringify({ pairs: 360, book: 400, ticket: 480, orders: 640 });
    const layout = restoreLayout(stored, { width: 1_300, height: 800 });
    expect(1_300 - layout.pairs - layout.book - layout.ticket).toBeGreaterThanOrEqual(CHART_MIN.width);
    expect(layout.orders).toBe(800 - CHART_MIN.height);
  });

  it.each(['', 'nonsense', '[]', 'null', '{"pairs":"wide","orders":-5}'])(
    'DESK-021 invalid stored value %j falls back to the default',
    (text) => {
      const space = { width: 1_920, height: 1_000 };
      expect(restoreLayout(text, space)).toEqual(defaultLayout(space));
    },
  );

  it('DESK-025 leaves at least two thirds of any window to chart and book', () => {
    fc.assert(
      fc.property(room, (space) => {
        expect(defaultLayout(space).orders * 3).toBeLessThanOrEqual(space.height);
      }),
    );
  });
});
