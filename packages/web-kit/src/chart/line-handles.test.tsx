import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { order } from '../spot/testing/fixtures.ts';
import { CandleChart } from './candle-chart.tsx';
import type { CandleSource } from './candle-loader.ts';
import type { ChartActions } from './line-handles.ts';
import type { ChartOrder } from './price-lines.ts';
import { frames, stubCanvases } from './testing/staged-chart.ts';

const SOURCE: CandleSource = {
  load: async () =>
    Array.from({ length: 50 }, (_, index) => {
      return { id: index * 60, open: 10, close: 11, high: 12, low: 9, vol: 1 };
    }),
  follow: () => () => undefined,
};

/** Position at which each text was last drawn, in pixels from the top left corner of its pane. */
const written = new Map<string, { readonly x: number; readonly y: number }>();
const actions = {
  canMove: vi.fn<ChartActions['canMove']>(() => true),
  move: vi.fn<ChartActions['move']>(),
  cancel: vi.fn<ChartActions['cancel']>(),
  place: vi.fn<ChartActions['place']>(),
};

async function shown(orders: readonly ChartOrder[], withActions = true): Promise<void> {
  render(
    <CandleChart
      symbol="btcusdt"
      timer="1min"
      onTimerChange={() => undefined}
      pricePrecision={2}
      amountPrecision={2}
      source={SOURCE}
      orders={orders}
      {...(withActions ? { actions } : {})}
    />,
  );
  await act(frames);
  // Waits until the price lines are drawn, because the chart draws them later through a queue.
  const isDrawn = () => orders.length === 0 || [...written.keys()].some((text) => /buy|sell/i.test(text));
  await act(async () => {
    await expect.poll(isDrawn).toBe(true);
  });
}

beforeEach(async () => {
  localStorage.clear();
  written.clear();
  for (const action of Object.values(actions)) action.mockClear();
  stubCanvases((text, x, y) => written.set(text, { x, y }));
  await loadAllWords();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const canvas = () => screen.getByRole('region').querySelector('[tabindex="0"]')!;
const point = (type: string, place: { readonly x: number; readonly y: number }, pointerType = 'mouse') =>
  act(async () => {
    canvas().dispatchEvent(
      new PointerEvent(type, {
        clientX: place.x,
        clientY: place.y,
        button: 0,
        buttons: type === 'pointermove' ? 0 : 1,
        isPrimary: true,
        pointerType,
        bubbles: true,
        cancelable: true,
      }),
    );
    await frames();
  });
const at = (text: string) => {
  const place = written.get(text);
  if (place === undefined) throw new Error(`Not written: ${text}, but ${[...written.keys()].join(' | ')}`);
  // The recorded position is the top of the text. The middle of the text's tag is half the text's height below it.
  return { x: place.x + 2, y: place.y + 5 };
};
const below = ({ x, y }: { readonly x: number; readonly y: number }, pixels: number) => ({
  x,
  y: y + pixels,
});

describe('an order line', () => {
  it('WEB-993 that is dragged and dropped moves its order to that price, rounded to the tick size', async () => {
    const buy = order('a', { price: '10', amount: '1' });
    await shown([buy]);
    const tag = at('≡ Buy 1');
    await point('pointerdown', tag);
    await point('pointermove', below(tag, 40));
    // While the pointer drags the price line, the line already shows the new price.
    const [name, price] = screen.getByText(/^Buy 1 at /).textContent.split(' at ');
    expect(name).toBe('Buy 1');
    expect(Number(price)).toBeLessThan(10);
    await expect.poll(() => written.has(`≡ Buy 1 → ${price}`)).toBe(true);
    expect(actions.move).not.toHaveBeenCalled();
    await point('pointerup', below(tag, 40));
    expect(actions.move).toHaveBeenCalledExactlyOnceWith(buy, 'price', price);
    expect(price).toMatch(/^\d+\.\d\d$/);
    expect(screen.getByText('Buy 1 at 10.00')).toBeDefined();
  });

  it('WEB-993 does not move when its drag is cancelled with Escape, when it is pressed without a drag, and when it is not movable', async () => {
    await shown([order('a', { price: '10', amount: '1' })]);
    const tag = at('≡ Buy 1');
    await point('pointerdown', tag);
    await point('pointermove', below(tag, 40));
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await act(frames);
    expect(screen.getByText('Buy 1 at 10.00')).toBeDefined();
    await point('pointerup', below(tag, 40));
    await point('pointerdown', tag);
    await point('pointerup', below(tag, 1));
    expect(actions.move).not.toHaveBeenCalled();

    cleanup();
    written.clear();
    actions.canMove.mockReturnValue(false);
    await shown([order('b', { price: '10', amount: '2' })]);
    actions.canMove.mockReturnValue(true);
    expect(written.has('≡ Buy 2')).toBe(false);
    await point('pointerdown', at('Buy 2'));
    await point('pointermove', below(at('Buy 2'), 40));
    await point('pointerup', below(at('Buy 2'), 40));
    expect(actions.move).not.toHaveBeenCalled();
  });

  it('WEB-993 a drag does not reach the chart', async () => {
    await shown([order('a', { price: '10', amount: '1' })]);
    const onChart = vi.fn<() => void>();
    canvas().addEventListener('mousedown', onChart);
    const tag = at('≡ Buy 1');
    await point('pointerdown', tag);
    fireEvent.mouseDown(canvas(), { clientX: tag.x, clientY: tag.y });
    expect(onChart).not.toHaveBeenCalled();
    await point('pointerup', tag);
    fireEvent.mouseDown(canvas(), { clientX: tag.x, clientY: tag.y });
    expect(onChart).toHaveBeenCalledOnce();
  });

  it('WEB-994 has a cross that cancels its order, if the press also ends on it', async () => {
    const sell = order('a', { tradeType: 2, price: '10', amount: '1' });
    await shown([sell]);
    await point('pointerdown', at('×'));
    await point('pointerup', below(at('×'), 60));
    expect(actions.cancel).not.toHaveBeenCalled();
    await point('pointerdown', at('×'));
    await point('pointerup', at('×'));
    expect(actions.cancel).toHaveBeenCalledExactlyOnceWith(sell);
    expect(actions.move).not.toHaveBeenCalled();
  });

  it('WEB-994 that shares a tag has neither grip nor cross: orders at one price are cancelled in the table', async () => {
    await shown([order('a', { price: '10' }), order('b', { price: '10' })]);
    expect([...written.keys()].filter((text) => text === '×' || text.startsWith('≡'))).toEqual([]);
  });

  it('WEB-994 has neither grip nor cross on a chart without actions', async () => {
    await shown([order('a', { price: '10' })], false);
    expect([...written.keys()].filter((text) => text === '×' || text.startsWith('≡'))).toEqual([]);
    expect(screen.getByText('Buy 1 at 10.00')).toBeDefined();
  });

  it('WEB-995 is drawn for each exit of an open buy; it can be dragged but not cancelled', async () => {
    const buy = order('a', { price: '10', amount: '1', takeProfitPrice: '11.5', stopLossPrice: '9.2' });
    await shown([buy]);
    expect(screen.getByText('TP · Sell 1 at 11.50')).toBeDefined();
    expect(screen.getByText('SL · Sell 1 at 9.20')).toBeDefined();
    const tag = at('≡ SL · Sell 1');
    await point('pointerdown', tag);
    await point('pointermove', below(tag, -10));
    await point('pointerup', below(tag, -10));
    expect(actions.move).toHaveBeenCalledExactlyOnceWith(buy, 'stopLossPrice', expect.any(String));
  });
});

describe('the plus at the price axis', () => {
  const plus = () => screen.queryByRole('button', { name: /^Use .* in the order form$/ });

  it('WEB-996 passes on the price at its height and does nothing else', async () => {
    await shown([]);
    expect(plus()).toBeNull();
    await point('pointermove', { x: 100, y: 150 });
    const [, price] = /^Use (.*) in/.exec(plus()!.getAttribute('aria-label')!)!;
    fireEvent.click(plus()!);
    expect(actions.place).toHaveBeenCalledExactlyOnceWith(price);
  });

  it('WEB-996 is not shown for touch, outside of the candles, or over a line’s tag', async () => {
    await shown([order('a', { price: '10', amount: '1' })]);
    await point('pointermove', { x: 100, y: 150 }, 'touch');
    expect(plus()).toBeNull();
    await point('pointermove', { x: 100, y: 5_000 });
    expect(plus()).toBeNull();
    await point('pointermove', { x: 10, y: at('≡ Buy 1').y });
    expect(plus()).toBeNull();
  });
});
