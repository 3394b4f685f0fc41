/** Pixels of one rem at the default font size of browsers, on which the design's sizes are based. */
const DEFAULT_PX = 16;

/** Factor by which text is larger than in the design, from the browser's font size when the page was opened. */
const scale =
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || DEFAULT_PX) / DEFAULT_PX;

/**
 * Converts a size of the design, in pixels, to whole pixels on screen that grow with the browser's font size. For sizes
 * that scripts compute; style sheets use rem instead.
 */
export function scaledPx(designPx: number): number {
  return Math.round(designPx * scale);
}
