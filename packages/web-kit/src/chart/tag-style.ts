export const TAG_TEXT_PX = 11;
export const TAG_PADDING_PX = 4;
const PADDING_ABOVE_PX = 2;
/** With its text and what is above and below it. */
export const TAG_HEIGHT_PX = TAG_TEXT_PX + 2 * PADDING_ABOVE_PX;

/** A small tag with text, on the chart or its axis. */
export function tagStyle(ground: string, text: string, edge: string) {
  return {
    style: 'stroke_fill',
    color: text,
    backgroundColor: ground,
    borderColor: edge,
    borderSize: 1,
    borderRadius: 2,
    size: TAG_TEXT_PX,
    paddingLeft: TAG_PADDING_PX,
    paddingRight: TAG_PADDING_PX,
    paddingTop: PADDING_ABOVE_PX,
    paddingBottom: PADDING_ABOVE_PX,
  };
}
