/** The middle value; of an even count the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;
}

/** The value below which `share` (0 to 1) of all values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
