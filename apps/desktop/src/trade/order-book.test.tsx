import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { stopClock } from '@exchange/web-kit/market/testing/stopped-clock.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { BookSide, Spread } from './order-book.tsx';

const fixtures = setUpFixtures();
afterEach(() => vi.restoreAllMocks());

/**
 * Renders one side of an order book; returns the simulated user, the spy that receives clicked prices, and
 * the function that publishes updates of the book.
 */
function drawSide(
  symbol: string,
  side: 'asks' | 'bids',
  userAmounts: ReadonlyMap<string, string> = new Map(),
) {
  fixtures.answers(() => undefined);
  const publish = topicPublisher(`depth.${symbol}`);
  const onTake = vi.fn<(price: string) => void>();
  const shape = { rows: 3, rowPx: 20, priceDigits: 2, amountDigits: 1, grouping: undefined };
  const user = draw(<BookSide symbol={symbol} side={side} own={userAmounts} onTake={onTake} {...shape} />);
  return { user, onTake, publish };
}

const columns = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent.split('\n'));
const rows = () => screen.getAllByRole('button').map((row) => row.getAttribute('aria-label'));

it('DESK-112 renders the best ask last, and a click uses the displayed price', async () => {
  const { user, onTake, publish } = drawSide('drawnasks', 'asks');
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
    ['6.0', '3.0', '1.0'],
  ]);
  expect(rows()[0]).toContain('101.00');

  await publish({ bids: [], asks: [['100.5', '7']] });
  expect(columns()[0]).toEqual(['102.00', '101.00', '100.50']);
  await user.click(screen.getAllByRole('button')[0]!);
  expect(onTake).toHaveBeenCalledWith('100.5');
});

it('DESK-112 updates the labels of rows within a second', async () => {
  const passASecond = stopClock();
  const { publish } = drawSide('calmbids', 'bids');
  await publish({
    bids: [
      ['99', '1'],
      ['98', '1'],
    ],
    asks: [],
  });
  await publish({ bids: [['99.5', '5']], asks: [] });
  expect(columns()[0]).toEqual(['99.50', '99.00', '98.00']);
  expect(rows()[0]).toContain('99.00');
  await passASecond();
  expect(rows()[0]).toContain('99.50');
  expect(rows()).toHaveLength(3);
});

it('DESK-111 the marker of an own order moves with its price', async () => {
  const { publish } = drawSide('ownbids', 'bids', new Map([['98', '0.5']]));
  await publish({
    bids: [
      ['99', '1'],
      ['98', '1'],
    ],
    asks: [],
  });
  expect(columns()[0]).toEqual(['', '•']);
  await publish({ bids: [['98.5', '5']], asks: [] });
  expect(columns()[0]).toEqual(['', '', '•']);
});

it('DESK-116 the spread follows both best prices and is hidden while a side is empty', async () => {
  fixtures.answers(() => undefined);
  const publish = topicPublisher('depth.btcusdt');
  draw(<Spread pair={pairOf(LISTED)} />);
  expect(screen.getByTitle('Spread').hidden).toBe(true);

  await publish({ bids: [['99', '1']], asks: [['100', '1']] });
  expect(screen.getByTitle('Spread').hidden).toBe(false);
  expect(screen.getByTitle('Spread').textContent).toBe('Spread1.001.000%');

  await publish({ bids: [['99.5', '1']], asks: [] });
  expect(screen.getByTitle('Spread').textContent).toBe('Spread0.500.500%');
  await publish({ bids: [], asks: [['100', '0']] });
  expect(screen.getByTitle('Spread').hidden).toBe(true);
});

it('WEB-986 Tab reaches one row of a side, arrow keys the others, and Enter uses the displayed price', async () => {
  const { user, onTake, publish } = drawSide('keyasks', 'asks');
  await publish({
    bids: [],
    asks: [
      ['101', '1'],
      ['102', '2'],
      ['103', '3'],
    ],
  });
  await user.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toContain('101.00');
  // The best ask, at the bottom of the list, has the focus at first, so the up key moves away from the best price.
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(document.activeElement?.getAttribute('aria-label')).toContain('103.00');
  const tooltip = screen.getByRole('tooltip');
  expect(document.activeElement?.getAttribute('aria-describedby')).toBe(tooltip.id);
  expect(tooltip.textContent).toContain('≈ 102.33');
  expect(tooltip.textContent).toContain('614.00');
  expect(tooltip.textContent).toContain('1.3201%');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onTake).toHaveBeenCalledWith('102');
  await user.keyboard('{Home}');
  expect(screen.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  await user.tab();
  expect(screen.queryByRole('tooltip')).toBeNull();
});
