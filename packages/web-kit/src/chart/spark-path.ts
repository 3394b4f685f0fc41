/** The `d` of a polyline through `values`, stretched over `width` × `height` with 1 px kept free above and below. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  const step = width / (values.length - 1);
  const points = values.map((value, index) => {
    const share = range === 0 ? 0.5 : (value - lowest) / range;
    return `${round(index * step)} ${round(height - 1 - share * (height - 2))}`;
  });
  return `M${points.join('L')}`;
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
