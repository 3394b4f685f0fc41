/** A small tag with text, on the chart or its axis. */
export function tagStyle(ground: string, text: string, edge: string) {
  return {
    style: 'stroke_fill',
    color: text,
    backgroundColor: ground,
    borderColor: edge,
    borderSize: 1,
    borderRadius: 2,
    size: 11,
    paddingLeft: 4,
    paddingRight: 4,
    paddingTop: 2,
    paddingBottom: 2,
  };
}
