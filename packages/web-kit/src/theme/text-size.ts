/** The pixels of a rem at a browser's usual setting; the sizes of our design are for it. */
const USUAL_PX = 16;

/** How many times as large text is drawn as in the design: by the font size that is set in the browser, as the page opened. */
const scale = (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_PX) / USUAL_PX;

/**
 * The whole pixels on screen of a size in `designPx` that is as high or as wide as text. For sizes that scripts compute
 * with; styles say theirs in rem.
 */
export function scaledPx(designPx: number): number {
  return Math.round(designPx * scale);
}
