import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fittingRows, MIDDLE_PX } from './fitting-rows.ts';

it('DESK-113 rows fill the box as far as whole rows of 20 to 24 pixels can', () => {
  const box = fc.record({
    height: fc.integer({ min: 100, max: 3_000 }),
    sides: fc.constantFrom<1 | 2>(1, 2),
  });
  fc.assert(
    fc.property(box, ({ height, sides }) => {
      const { rows, rowPx } = fittingRows(height, sides);
      expect(rowPx).toBeGreaterThanOrEqual(20);
      expect(rowPx).toBeLessThanOrEqual(24);
      const room = (height - MIDDLE_PX) / sides;
      expect(rows * rowPx).toBeLessThanOrEqual(room);
      expect(rows === 50 || (rows + 1) * 20 > room).toBe(true);
      expect(rowPx === 24 || rows * (rowPx + 1) > room).toBe(true);
    }),
  );
});

it('DESK-113 a box that is not measured yet has one row', () => {
  expect(fittingRows(0, 2)).toEqual({ rows: 1, rowPx: 20 });
});
