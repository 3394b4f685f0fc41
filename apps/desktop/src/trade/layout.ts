import { isRecord, parseJson, readStored, store } from '@exchange/web-kit/storage.ts';
import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

/** Sizes of the resizable panels of the trading screen, in pixels: width or height, depending on the panel. */
interface Layout {
  readonly pairs: number;
  readonly book: number;
  readonly ticket: number;
  readonly orders: number;
}
export type PanelName = keyof Layout;

/**
 * Minimum and maximum size of each panel of the trading screen, in pixels on screen: width or height,
 * depending on the panel.
 */
export const LIMITS: Readonly<Record<PanelName, { readonly min: number; readonly max: number }>> = {
  pairs: { min: scaledPx(200), max: scaledPx(360) },
  book: { min: scaledPx(248), max: scaledPx(400) },
  ticket: { min: scaledPx(336), max: scaledPx(480) },
  orders: { min: scaledPx(160), max: scaledPx(640) },
};

/**
 * Width and height in pixels that the chart keeps while other panels are resized. In a window too small for everything,
 * the minimum sizes of the other panels have priority over the chart.
 */
export const CHART_MIN = { width: scaledPx(440), height: scaledPx(280) } as const;
const NARROW_PX = scaledPx(1_500);
const STORAGE_KEY = 'trade-layout';

/**
 * Default height of the orders panel as a fraction of the available height; chart and order book stay visible with it
 * in a low window.
 */
const ORDERS_SHARE = 0.29;
const ORDERS_MAX_PX = scaledPx(300);

interface Room {
  readonly width: number;
  readonly height: number;
}

/** Returns the default layout of the trading screen for the available width and height. */
export function defaultLayout({ width, height }: Room): Layout {
  const orders = Math.max(LIMITS.orders.min, Math.min(Math.round(height * ORDERS_SHARE), ORDERS_MAX_PX));
  return width < NARROW_PX
    ? { pairs: scaledPx(216), book: scaledPx(252), ticket: scaledPx(352), orders }
    : { pairs: scaledPx(248), book: scaledPx(300), ticket: scaledPx(380), orders };
}

/**
 * Returns `layout` with one panel resized to `size` pixels, but at most to the panel's maximum and to what the chart's
 * minimum size leaves, and at least to the panel's minimum, which has priority.
 */
export function resizeLayout(layout: Layout, panel: PanelName, size: number, room: Room): Layout {
  const { min, max } = LIMITS[panel];
  const spare =
    panel === 'orders'
      ? room.height - CHART_MIN.height
      : room.width - CHART_MIN.width - (layout.pairs + layout.book + layout.ticket - layout[panel]);
  return { ...layout, [panel]: Math.round(Math.max(min, Math.min(size, max, spare))) };
}

/**
 * Returns the stored layout of the trading screen, adjusted to the available space; panels without a valid
 * stored size get their default size.
 */
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

/**
 * The least width in pixels for which panel sizes are calculated; equal to the site's CSS variable `--page-min-width`
 * in windows of at least this width.
 */
const PAGE_MIN_WIDTH = scaledPx(1_260);
/** Height of the top bar and the price strip together, in pixels. */
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

/**
 * Hook with the panel sizes of the trading screen for the present window, the functions that change them, and
 * the corresponding CSS variables. A size that the user changes is stored on this device; `reset` deletes the
 * stored sizes.
 */
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
