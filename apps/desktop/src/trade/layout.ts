import { isRecord, parseJson, readStored, store } from '@exchange/web-kit/storage.ts';
import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

/** Sizes of the resizable panels of the trading screen, in pixels. */
interface Layout {
  readonly pairs: number;
  readonly book: number;
  readonly ticket: number;
  readonly orders: number;
}
export type PanelName = keyof Layout;

/** Minimum and maximum size of each panel of the trading screen, in pixels. */
export const LIMITS: Readonly<Record<PanelName, { readonly min: number; readonly max: number }>> = {
  pairs: { min: scaledPx(200), max: scaledPx(360) },
  book: { min: scaledPx(248), max: scaledPx(400) },
  ticket: { min: scaledPx(336), max: scaledPx(480) },
  orders: { min: scaledPx(160), max: scaledPx(640) },
};

/**
 * Size that the chart keeps while other panels are resized, in pixels. In a small window the minimum sizes of
 * those panels have priority.
 */
export const CHART_MIN = { width: scaledPx(440), height: scaledPx(280) } as const;
const NARROW_PX = scaledPx(1_500);
const STORAGE_KEY = 'trade-layout';

/**
 * Default share of the orders panel in the available height, so that the chart and the book stay visible in a low
 * window.
 */
const ORDERS_SHARE = 0.29;
const ORDERS_MAX_PX = scaledPx(300);

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The default trading screen layout for a window size. */
export function defaultLayout({ width, height }: Room): Layout {
  const orders = Math.max(LIMITS.orders.min, Math.min(Math.round(height * ORDERS_SHARE), ORDERS_MAX_PX));
  return width < NARROW_PX
    ? { pairs: scaledPx(216), book: scaledPx(252), ticket: scaledPx(352), orders }
    : { pairs: scaledPx(248), book: scaledPx(300), ticket: scaledPx(380), orders };
}

/**
 * `layout` with one panel resized to `size`: at most as large as its maximum and the chart's minimum size
 * allow, and never below its own minimum.
 */
export function resizeLayout(layout: Layout, panel: PanelName, size: number, room: Room): Layout {
  const { min, max } = LIMITS[panel];
  const spare =
    panel === 'orders'
      ? room.height - CHART_MIN.height
      : room.width - CHART_MIN.width - (layout.pairs + layout.book + layout.ticket - layout[panel]);
  return { ...layout, [panel]: Math.round(Math.max(min, Math.min(size, max, spare))) };
}

/** The stored layout adjusted to the screen; the default when nothing valid is stored. */
export function restoreLayout(text: string | null, room: Room): Layout {
  let layout = defaultLayout(room);
  const stored = parseJson(text);
  const sizes = isRecord(stored) ? stored : {};
  for (const panel of Object.keys(LIMITS) as PanelName[]) {
    const size = sizes[panel];
    layout = resizeLayout(layout, panel, typeof size === 'number' && size > 0 ? size : layout[panel], room);
  }
  return layout;
}

/** `--page-min-width` of the site, in pixels. */
const PAGE_MIN_WIDTH = scaledPx(1_260);
/** Height of the top bar and the price strip, in pixels. */
const HEADER_PX = scaledPx(112);

function screenRoom(): { width: number; height: number } {
  return {
    width: Math.max(PAGE_MIN_WIDTH, document.documentElement.clientWidth),
    height: Math.max(scaledPx(720), document.documentElement.clientHeight) - HEADER_PX,
  };
}

function storedLayout(): Layout {
  return restoreLayout(readStored(STORAGE_KEY), screenRoom());
}

/** The panel sizes on this screen, their setters, and the corresponding CSS variables. */
export function useLayout() {
  const [layout, setLayout] = useState<Layout>(storedLayout);

  useEffect(() => {
    const fit = (): void => setLayout(storedLayout());
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, []);

  const resize = useCallback((panel: PanelName, size: number) => {
    setLayout((before) => {
      const after = resizeLayout(before, panel, size, screenRoom());
      store(STORAGE_KEY, JSON.stringify(after));
      return after;
    });
  }, []);

  const reset = useCallback(() => {
    store(STORAGE_KEY, null);
    setLayout(defaultLayout(screenRoom()));
  }, []);

  const style = {
    '--pairs': `${layout.pairs}px`,
    '--book': `${layout.book}px`,
    '--ticket': `${layout.ticket}px`,
    '--orders': `${layout.orders}px`,
  } as CSSProperties;
  return { layout, resize, reset, style };
}
