import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { stopClock } from '@exchange/web-kit/market/testing/stopped-clock.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { BookFigure } from './book-view.ts';
import { Book, BookSide } from './book.tsx';

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('MOB-105 states that the book is empty, until orders exist', async () => {
  const publish = topicPublisher('depth.nobodyusdt');
  render(
    <Providers>
      <Book pair={pairOf({ ...LISTED, symbol: 'nobodyusdt' })} onPrice={undefined} />
    </Providers>,
  );
  const words = () => screen.queryByText('No orders in the book yet.');
  expect(words()).toBeNull();
  await publish({ bids: [], asks: [] });
  expect(words()).not.toBeNull();
  await publish({ bids: [['99', '1']], asks: [] });
  expect(words()).toBeNull();
});

/** Renders one side of an order book; the returned function publishes updates of the book. */
function drawSide(
  symbol: string,
  side: 'asks' | 'bids',
  onPrice?: (price: string) => void,
  figure: BookFigure = 'amount',
  userAmounts: ReadonlyMap<string, string> = new Map(),
) {
  const publish = topicPublisher(`depth.${symbol}`);
  const shape = { own: userAmounts, rows: 3, priceDigits: 2, amountDigits: 1, grouping: undefined };
  render(<BookSide symbol={symbol} side={side} onPrice={onPrice} figure={figure} {...shape} />);
  return publish;
}

const columns = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent.split('\n'));
const rows = () => screen.getAllByRole<HTMLButtonElement>('button');
const labels = () => rows().map((row) => row.getAttribute('aria-label'));

it('MOB-118 renders the best ask last, and a tap uses the displayed price', async () => {
  stopClock();
  const onPrice = vi.fn<(price: string) => void>();
  const publish = drawSide('tappedasks', 'asks', onPrice);
  await publish({
    bids: [],
    asks: [
      ['101', '1'],
      ['102', '2'],
      ['103', '3'],
      ['104', '4'],
    ],
  });
  expect(columns()).toEqual([
    ['103.00', '102.00', '101.00'],
    ['3.0', '2.0', '1.0'],
  ]);
  expect(labels()[0]).toContain('101');

  await publish({ bids: [], asks: [['100.5', '7']] });
  expect(columns()[0]).toEqual(['102.00', '101.00', '100.50']);
  expect(labels()[0]).toContain('101');
  await userEvent.click(rows()[0]!);
  expect(onPrice).toHaveBeenCalledWith('100.5');
});

it('MOB-118 updates the labels of rows within a second', async () => {
  const passASecond = stopClock();
  const publish = drawSide('calmrows', 'bids');
  await publish({ bids: [['99', '1']], asks: [] });
  await publish({ bids: [['99.5', '5']], asks: [] });
  expect(columns()[0]).toEqual(['99.50', '99.00']);
  expect(labels()).toEqual([expect.stringContaining('99')]);
  await passASecond();
  expect(labels()).toEqual([expect.stringContaining('99.5'), expect.stringContaining('99')]);
});

it('MOB-118 rows are not tappable when the order type has no price', async () => {
  const publish = drawSide('untapped', 'bids');
  await publish({ bids: [['99', '1']], asks: [] });
  expect(rows().map(({ disabled }) => disabled)).toEqual([true]);
});

it('MOB-118 shows the cumulative amount on request', async () => {
  const publish = drawSide('summed', 'bids', undefined, 'total');
  await publish({
    bids: [
      ['99', '1'],
      ['98', '2'],
      ['97', '3'],
    ],
    asks: [],
  });
  expect(columns()[1]).toEqual(['1.0', '3.0', '6.0']);
});

it('MOB-992 a row with an own order has a dot and announces the own amount', async () => {
  const publish = drawSide('ownrows', 'bids', undefined, 'amount', new Map([['98', '0.5']]));
  await publish({
    bids: [
      ['99', '1'],
      ['98', '2'],
    ],
    asks: [],
  });
  expect(columns()).toEqual([
    ['99.00', '98.00'],
    ['', '•'],
    ['1.0', '2.0'],
  ]);
  expect(labels()[0]).not.toContain('Yours');
  expect(labels()[1]).toContain('Yours: 0.5');
});
