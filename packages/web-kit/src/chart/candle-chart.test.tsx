import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { CandleChart } from './candle-chart.tsx';
import type { CandleSource } from './candle-loader.ts';
import { remember } from '../storage.ts';
import { keepDrawings, keptDrawings } from './drawing-memory.ts';
import type { ChartOrder } from './price-lines.ts';
import { frames, stubCanvases } from './testing/staged-chart.ts';

const SOURCE: CandleSource = {
  load: async () =>
    Array.from({ length: 50 }, (_, index) => {
      return { id: index * 60, open: 10, close: 11, high: 12, low: 9, vol: 1 };
    }),
  follow: () => () => undefined,
};

async function shown(orders: readonly ChartOrder[] = []): Promise<void> {
  render(
    <CandleChart
      symbol="btcusdt"
      timer="1min"
      onTimerChange={() => undefined}
      pricePrecision={2}
      amountPrecision={2}
      source={SOURCE}
      orders={orders}
    />,
  );
  await act(frames);
}

beforeEach(async () => {
  localStorage.clear();
  stubCanvases();
  await startWords();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('WEB-268 the way candles are drawn is chosen and remembered; a kind nobody knows is candles', async () => {
  remember('chart-kind', 'clouds');
  await shown();
  const kind = () => screen.getByLabelText<HTMLSelectElement>('Chart type');
  expect(kind().value).toBe('candles');
  fireEvent.change(kind(), { target: { value: 'area' } });
  await act(frames);
  cleanup();
  await shown();
  expect(kind().value).toBe('area');
});

describe('drawings without pointing', () => {
  const bar = () => screen.queryByRole('group', { name: 'Selected drawing' });
  const level = () => screen.queryByRole('button', { name: 'Horizontal line at 1,010.50' });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

  beforeEach(async () => {
    keepDrawings('btcusdt', [
      { tool: 'horizontalStraightLine', points: [{ value: 1010.5 }] },
      { tool: 'verticalStraightLine', points: [{ timestamp: 60_000 }] },
    ]);
    await shown();
    level()?.focus();
    fireEvent.click(level()!);
  });

  it('WEB-168 are in a list, where one is chosen and removed with Delete or Backspace', async () => {
    expect(level()?.getAttribute('aria-pressed')).toBe('true');
    press('Delete');
    await act(frames);
    expect(level()).toBeNull();
    expect(bar()).toBeNull();
    expect(keptDrawings('btcusdt').map(({ tool }) => tool)).toEqual(['verticalStraightLine']);
    fireEvent.click(screen.getAllByRole('button', { name: 'Vertical line' }).at(-1)!);
    press('Backspace');
    await act(frames);
    expect(keptDrawings('btcusdt')).toEqual([]);
  });

  it('WEB-168 are removed with the button that the selection brings', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Remove this drawing' }));
    await act(frames);
    expect(level()).toBeNull();
    expect(screen.queryByRole('list', { name: 'Your drawings' })?.children.length).toBe(1);
  });

  it('WEB-168 are let go with Escape, which then does nothing else', () => {
    const onPage = vi.fn<() => void>();
    document.addEventListener('keydown', onPage);
    press('Escape');
    expect(bar()).toBeNull();
    expect(level()?.getAttribute('aria-pressed')).toBe('false');
    expect(onPage).not.toHaveBeenCalled();
    press('Escape');
    press('Delete');
    expect(onPage).toHaveBeenCalledTimes(2);
    document.removeEventListener('keydown', onPage);
    expect(keptDrawings('btcusdt').length).toBe(2);
  });

  it('WEB-168 a tool that was taken up is put down with Escape or with its own button', () => {
    const tool = screen.getByRole('button', { name: 'Line segment' });
    const isLit = () => tool.getAttribute('aria-pressed') === 'true';
    tool.focus();
    fireEvent.click(tool);
    expect(isLit()).toBe(true);
    press('Escape');
    expect(isLit()).toBe(false);
    fireEvent.click(tool);
    fireEvent.click(tool);
    expect(isLit()).toBe(false);
  });
});

it('WEB-167 amounts and totals of orders are grouped as on the rest of the page', async () => {
  await shown([
    { id: 'a', tradeType: 1, price: '10', amount: '12345.5', baseCoin: 'BTC' },
    {
      id: 'b',
      tradeType: 2,
      price: '',
      stopPrice: '11',
      stopStatus: 'waiting',
      amount: '',
      total: '1234567.5',
      quoteCoin: 'USDT',
      orderType: 'stopMarket',
    },
  ]);
  expect(screen.getByText('Buy 12,345.5 at 10.00')).toBeDefined();
  expect(screen.getByText('Stop-market · Sell 1,234,567.5 USDT at 11.00')).toBeDefined();
});
