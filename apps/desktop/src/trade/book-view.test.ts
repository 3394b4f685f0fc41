import { describe, expect, it } from 'vitest';
import { bookViewOf, INITIAL_BOOK_VIEW, stepOf } from './book-view.ts';

describe('the view of the book', () => {
  it('DESK-110 is remembered with its sides, its rows and each pair’s step', () => {
    const view = { sides: 'bids', isCompact: true, steps: { btcusdt: '10' } };
    expect(bookViewOf(JSON.stringify(view))).toEqual(view);
  });

  it.each([null, '', '[]', 'null', '{"sides":"left","isCompact":1,"steps":[]}'])(
    'DESK-110 unsound storage %j gives the default',
    (text) => {
      expect(bookViewOf(text)).toEqual(INITIAL_BOOK_VIEW);
    },
  );

  it('DESK-110 a step that is no longer offered gives way to the finest', () => {
    const view = { ...INITIAL_BOOK_VIEW, steps: { btcusdt: '10' } };
    expect(stepOf(view, 'btcusdt', ['0.01', '0.1', '1', '10'])).toBe('10');
    expect(stepOf(view, 'btcusdt', ['0.01', '0.1'])).toBe('0.01');
    expect(stepOf(view, 'ethusdt', ['0.01', '0.1'])).toBe('0.01');
  });
});
