/**
 * A price as a float for binary search. Rounding is monotonic, so the order of prices is preserved;
 * if two prices round to the same key, callers compare the bigints.
 */
export function searchKey(price: bigint): number {
  return Number(price);
}
