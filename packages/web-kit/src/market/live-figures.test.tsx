import type { TickerMessage } from '@exchange/wire/feed.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { DayAmount, DayChange, DayPrice, LastPrice } from './live-figures.tsx';
import { pairOf } from './pair.ts';
import { LISTED } from './testing/listed-pair.ts';
import { topicPublisher } from './testing/topic-publisher.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const ticker = (tickers: Partial<TickerMessage>): TickerMessage => ({
  symbol: 'btcusdt',
  open: '100',
  close: '100',
  high: '120',
  low: '90',
  vol: '1500',
  amount: '160000',
  ...tickers,
});

it('WEB-244 a figure renders only when the value that it shows has changed', async () => {
  const publish = topicPublisher('tickers');
  const pair = pairOf(LISTED);
  let rendered: string[] = [];
  const record = (name: string) => rendered.push(name);
  const figures = {
    last: <LastPrice pair={pair} />,
    change: <DayChange pair={pair} />,
    high: <DayPrice pair={pair} of="high" />,
    low: <DayPrice pair={pair} of="low" />,
    volume: <DayAmount pair={pair} of="volume" />,
  };
  render(
    Object.entries(figures).map(([name, figure]) => (
      <Profiler key={name} id={name} onRender={record}>
        {figure}
      </Profiler>
    )),
  );
  const renderedBy = async (...tickers: TickerMessage[]) => {
    rendered = [];
    await publish(tickers);
    return rendered.toSorted();
  };

  expect(await renderedBy(ticker({}))).toEqual(['change', 'high', 'last', 'low', 'volume']);
  expect(await renderedBy(ticker({ close: '110' }))).toEqual(['change', 'last']);
  expect(await renderedBy(ticker({ close: '110', low: '80' }))).toEqual(['low']);
  expect(await renderedBy(ticker({ close: '110', low: '80' }))).toEqual([]);
  expect(await renderedBy(ticker({ symbol: 'ethusdt', close: '5' }))).toEqual([]);
  for (const text of ['110.00', '+10.00%', '120.00', '80.00', '1.50K'])
    expect(screen.getByText(text)).toBeTruthy();
});
