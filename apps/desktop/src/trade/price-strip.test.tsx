import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import type { TickerMessage } from '@exchange/wire/feed.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { PriceStrip } from './price-strip.tsx';

const fixtures = setUpFixtures();
afterEach(() => vi.restoreAllMocks());

const ticker = (close: string): TickerMessage => ({
  symbol: 'btcusdt',
  open: '100',
  close,
  high: '120',
  low: '90',
  vol: '1500',
  amount: '160000',
});

/** Reads the attribute of a figure that states the direction of its change and determines its colour and arrow. */
const figure = (text: string) => screen.getByText(text).dataset['way'];

it('DESK-115 the figures follow the feed, the price with its direction and the change with its sign', async () => {
  fixtures.answers(() => undefined);
  const publish = topicPublisher('tickers');
  draw(<PriceStrip pair={pairOf(LISTED)} />);
  expect(screen.getAllByText('–').length).toBeGreaterThan(5);

  await publish([ticker('110')]);
  expect(figure('110.00')).toBe('none');
  expect(figure('+10.00%')).toBe('up');
  for (const text of ['120.00', '90.00', '1.50K', '160.00K']) expect(screen.getByText(text)).toBeTruthy();

  await publish([ticker('99')]);
  expect(figure('99.00')).toBe('down');
  expect(figure('−1.00%')).toBe('down');
  await publish([ticker('100')]);
  expect(figure('100.00')).toBe('up');
  expect(figure('0.00%')).toBe('flat');
});
