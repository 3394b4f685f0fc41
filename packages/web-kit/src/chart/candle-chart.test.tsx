import { CANDLE_SECONDS, type ChartTimer } from '@exchange/core/candle.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { CandleChart } from './candle-chart.tsx';
import type { CandleSource } from './candle-loader.ts';
import { store } from '../storage.ts';
import { storeDrawings, storedDrawings } from './drawing-memory.ts';
import type { ChartOrder } from './price-lines.ts';
import { frames, stubCanvases } from './testing/staged-chart.ts';

const SOURCE: CandleSource = {
  load: async () =>
    Array.from({ length: 50 }, (_, index) => {
      return { id: index * 60, open: 10, close: 11, high: 12, low: 9, vol: 1 };
    }),
  follow: () => () => undefined,
};

async function shown(
  orders: readonly ChartOrder[] = [],
  timer: ChartTimer = '1min',
  source: CandleSource = SOURCE,
): Promise<void> {
  render(
    <CandleChart
      symbol="btcusdt"
      timer={timer}
      onTimerChange={() => undefined}
      pricePrecision={2}
      amountPrecision={2}
      source={source}
      orders={orders}
    />,
  );
  await act(frames);
}

beforeEach(async () => {
  localStorage.clear();
  stubCanvases();
  await loadAllWords();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('WEB-268 the selected candle style is stored; an unknown stored style falls back to candles', async () => {
  store('chart-kind', 'clouds');
  await shown();
  const kind = () => screen.getByLabelText<HTMLSelectElement>('Chart type');
  expect(kind().value).toBe('candles');
  fireEvent.change(kind(), { target: { value: 'area' } });
  await act(frames);
  cleanup();
  await shown();
  expect(kind().value).toBe('area');
});

describe('drawings by keyboard', () => {
  const bar = () => screen.queryByRole('group', { name: 'Selected drawing' });
  const level = () => screen.queryByRole('button', { name: 'Horizontal line at 1,010.50' });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

  beforeEach(async () => {
    storeDrawings('btcusdt', [
      { tool: 'horizontalStraightLine', points: [{ value: 1010.5 }] },
      { tool: 'verticalStraightLine', points: [{ timestamp: 60_000 }] },
    ]);
    await shown();
    level()?.focus();
    fireEvent.click(level()!);
  });

  it('WEB-168 are listed, and one is selected and removed with Delete or Backspace', async () => {
    expect(level()?.getAttribute('aria-pressed')).toBe('true');
    press('Delete');
    await act(frames);
    expect(level()).toBeNull();
    expect(bar()).toBeNull();
    expect(storedDrawings('btcusdt').map(({ tool }) => tool)).toEqual(['verticalStraightLine']);
    fireEvent.click(screen.getAllByRole('button', { name: 'Vertical line' }).at(-1)!);
    press('Backspace');
    await act(frames);
    expect(storedDrawings('btcusdt')).toEqual([]);
  });

  it('WEB-168 are removed with the button of the selected drawing', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Remove this drawing' }));
    await act(frames);
    expect(level()).toBeNull();
    expect(screen.queryByRole('list', { name: 'Your drawings' })?.children.length).toBe(1);
  });

  it('WEB-168 are deselected with Escape, which then does nothing else', () => {
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
    expect(storedDrawings('btcusdt').length).toBe(2);
  });

  it('WEB-168 an active tool is deactivated with Escape or its own button', () => {
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

const MONDAY = Date.UTC(2026, 10, 16);

describe('in a time zone west of UTC, where a UTC day begins on the previous evening', () => {
  beforeEach(() => vi.stubEnv('TZ', 'America/New_York'));
  afterEach(() => vi.unstubAllEnvs());

  /** Simulated candles from Monday, 16 November 2026: one every second day, every week, or every hour. */
  const candlesOf = (timer: '1day' | '1week' | '60min'): CandleSource => ({
    load: async () =>
      Array.from({ length: 100 }, (_, index) => {
        const id = MONDAY / 1_000 + index * CANDLE_SECONDS[timer] * (timer === '1day' ? 2 : 1);
        return { id, open: 10, close: 11, high: 12, low: 9, vol: 1 };
      }),
    follow: () => () => undefined,
  });

  const textsOf = async (timer: '1day' | '1week' | '60min') => {
    const texts: string[] = [];
    stubCanvases((text) => texts.push(text));
    await shown([], timer, candlesOf(timer));
    // When the crosshair moves over a candle, the chart shows the time label of the candle.
    const canvas = screen.getByRole('region').querySelector('[tabindex="0"]')!;
    for (const type of ['mouseenter', 'mousemove'])
      canvas.dispatchEvent(new MouseEvent(type, { clientX: 100, clientY: 100, bubbles: true }));
    await act(frames);
    return texts.filter((text) => /^\d{4}-\d\d-\d\d|^\d\d-\d\d \d\d/.test(text));
  };

  it('WEB-992 axis and crosshair label days and weeks with their UTC date', async () => {
    const days = (await textsOf('1day')).map((text) => Date.parse(text) - MONDAY);
    expect(days.length).toBeGreaterThan(1);
    for (const since of days) expect(since % (2 * DAY_MS)).toBe(0);
    cleanup();
    const weeks = (await textsOf('1week')).map((text) => Date.parse(text) - MONDAY);
    expect(weeks.length).toBeGreaterThan(1);
    for (const since of weeks) expect(since % (7 * DAY_MS)).toBe(0);
  });

  it('WEB-992 shorter candles use the device’s time zone', async () => {
    const hours = await textsOf('60min');
    // 11-19 19:00 in the device's time zone is 00:00 UTC on 20 November.
    expect(hours).toContain('11-19 19:00');
  });
});
