import { dispose, init, type Chart } from 'klinecharts';
import { vi } from 'vitest';

const MINUTE_MS = 60_000;
const BARS = 50;
const SIZE_PX = 400;
/** Milliseconds between two clicks, so that they do not count as a double click. */
const CLICK_APART_MS = 510;

/** A chart of the real chart library, in a test environment that has no canvases. */
export interface StagedChart {
  readonly chart: Chart;
  /** Returns the texts that were drawn on the chart since the last call. */
  takeTexts(): readonly string[];
  /**
   * Returns the coordinates in the window of a price at the candle with the index `minute`, counted from 0.
   */
  at(minute: number, price: number): { readonly x: number; readonly y: number };
  click(minute: number, price: number, pixelsBelow?: number): Promise<void>;
  close(): void;
}

/**
 * Replaces the drawing functions of canvases by mocks that call `onText` for each drawn text with its position and draw
 * nothing. Gives every element a size.
 */
export function stubCanvases(onText: (text: string, x: number, y: number) => void = () => undefined): void {
  const context = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'measureText') return (text: string) => ({ width: 6 * text.length });
        return name === 'fillText' ? onText : () => undefined;
      },
      set: () => true,
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as CanvasRenderingContext2D);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(SIZE_PX);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(SIZE_PX);
}

/** Renders a chart of 50 one-minute candles with prices from 9 to 12. */
export async function stagedChart(): Promise<StagedChart> {
  let texts: string[] = [];
  let clickedMs = -Infinity;
  stubCanvases((text) => texts.push(text));
  const element = document.body.appendChild(document.createElement('div'));
  const chart = init(element);
  if (chart === null) throw new Error('The library made no chart.');
  chart.setSymbol({ ticker: 'btcusdt', pricePrecision: 2, volumePrecision: 2 });
  chart.setPeriod({ type: 'minute', span: 1 });
  chart.setDataLoader({ getBars: ({ type, callback }) => callback(type === 'init' ? bars() : [], false) });
  await frames();

  const at = (minute: number, price: number) => {
    const { x = 0, y = 0 } = chart.convertToPixel({ timestamp: minute * MINUTE_MS, value: price }) as {
      x?: number;
      y?: number;
    };
    return { x, y };
  };
  return {
    chart,
    at,
    takeTexts: () => {
      const writtenTexts = texts;
      texts = [];
      return writtenTexts;
    },
    click: async (minute, price, pixelsBelow = 0) => {
      const waitMs = clickedMs + CLICK_APART_MS - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const { x, y } = at(minute, price);
      const place = { clientX: x, clientY: y + pixelsBelow, bubbles: true };
      for (const type of ['mouseenter', 'mousemove', 'mousedown', 'mouseup', 'click'])
        chart.getDom()?.dispatchEvent(new MouseEvent(type, place));
      clickedMs = performance.now();
      await frames();
    },
    close: () => {
      dispose(element);
      element.remove();
      vi.restoreAllMocks();
    },
  };
}

/** Waits for four animation frames, after which the chart library has drawn. */
export async function frames(): Promise<void> {
  for (let count = 0; count < 4; count += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

function bars() {
  return Array.from({ length: BARS }, (_, minute) => {
    return { timestamp: minute * MINUTE_MS, open: 10, close: 11, high: 12, low: 9, volume: 1 };
  });
}
