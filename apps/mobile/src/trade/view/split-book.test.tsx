import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { stopClock } from '@exchange/web-kit/market/testing/stopped-clock.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { SplitBook } from './split-book.tsx';

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function drawBook(symbol: string): (data: unknown) => Promise<void> {
  const publish = topicPublisher(`depth.${symbol}`);
  render(
    <Providers>
      <SplitBook pair={pairOf({ ...LISTED, symbol })} />
    </Providers>,
  );
  return publish;
}

const columns = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent.split('\n'));
const spoken = (side: string) =>
  within(screen.getByRole('list', { name: side }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it('MOB-116 renders both sides best first on each change, and announces them within a second', async () => {
  const passASecond = stopClock();
  const publish = drawBook('splitusdt');
  await publish({
    bids: [
      ['99', '1'],
      ['98', '2.5'],
    ],
    asks: [['101', '3']],
  });
  expect(columns()).toEqual([['1.00000', '2.50000'], ['99.00', '98.00'], ['3.00000'], ['101.00']]);
  expect(spoken('Bids')).toEqual(['99.00, Amount 1.00000', '98.00, Amount 2.50000']);

  await publish({ bids: [['99', '0']], asks: [['100.5', '7']] });
  expect(columns()).toEqual([['2.50000'], ['98.00'], ['7.00000', '3.00000'], ['100.50', '101.00']]);
  await publish({ bids: [], asks: [['100.5', '8']] });
  expect(columns()[2]).toEqual(['8.00000', '3.00000']);
  expect(spoken('Asks')).toEqual(['100.50, Amount 7.00000', '101.00, Amount 3.00000']);
  await passASecond();
  expect(spoken('Asks')).toEqual(['100.50, Amount 8.00000', '101.00, Amount 3.00000']);
});

it('MOB-116 shows 15 or 50 levels per side', async () => {
  const publish = drawBook('deepusdt');
  const bids = Array.from({ length: 60 }, (_, index) => [String(90 - index), '1']);
  await publish({ bids, asks: [['101', '3']] });
  expect(columns()[0]).toHaveLength(15);
  fireEvent.click(screen.getByRole('button', { name: 'Show 50 levels' }));
  expect(spoken('Bids')).toHaveLength(50);
  fireEvent.click(screen.getByRole('button', { name: 'Show 15 levels' }));
  expect(spoken('Bids')).toHaveLength(15);
});

it('MOB-116 states that the book is empty', async () => {
  const publish = drawBook('emptyusdt');
  await publish({ bids: [], asks: [] });
  expect(screen.queryByRole('list')).toBeNull();
  expect(screen.getByText('No orders in the book yet.')).toBeTruthy();
});
