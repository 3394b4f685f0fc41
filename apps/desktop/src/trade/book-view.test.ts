import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookViewOf, fittingRows, INITIAL_BOOK_VIEW, MIDDLE_PX, stepOf } from './book-view.ts';

describe('display settings of the book', () => {
  it('DESK-110 stores sides, rows and the step of each pair', () => {
    const view = { sides: 'bids', isCompact: true, steps: { btcusdt: '10' } };
    expect(bookViewOf(JSON.stringify(view))).toEqual(view);
  });

  it.each([null, '', '[]', 'null', '{"sides":"left","isCompact":1,"steps":[]}'])(
    'DESK-110 invalid stored value %j falls back to the default',
    (text) => {
      expect(bookViewOf(text)).toEqual(INITIAL_BOOK_VIEW);
    },
  );

  it('DESK-110 a step that is no longer offered falls back to the finest', () => {
    const view = { ...INITIAL_BOOK_VIEW, steps: { btcusdt: '10' } };
    expect(stepOf(view, 'btcusdt', ['0.01', '0.1', '1', '10'])).toBe('10');
    expect(stepOf(view, 'btcusdt', ['0.01', '0.1'])).toBe('0.01');
    expect(stepOf(view, 'ethusdt', ['0.01', '0.1'])).toBe('0.01');
  });
});

it('DESK-113 fills the box with whole rows of 20 to 24 pixels', () => {
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

it('DESK-113 uses one row before the box is measured', () => {
  expect(fittingRows(0, 2)).toEqual({ rows: 1, rowPx: 20 });
});
