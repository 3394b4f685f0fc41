/** Pixels of a rem at the browser's default font size, for which the design is specified. */
const DEFAULT_PX = 16;

/** Scale of large text relative to the design, from the browser's font size when the page was opened. */
const scale =
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || DEFAULT_PX) / DEFAULT_PX;

/**
 * Converts a design size in pixels that scales with text to whole pixels on screen. For sizes computed in
 * scripts; style sheets use rem instead.
 */
export function scaledPx(designPx: number): number {
  return Math.round(designPx * scale);
}
