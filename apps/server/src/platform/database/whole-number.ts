/** Converts a 64-bit column to a number. Throws if a number cannot hold the value exactly. */
export function wholeNumber(value: bigint | string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} does not fit a whole number`);
  return number;
}
