/** A 64-bit column as a number; a value that a number cannot hold exactly is a bug and throws. */
export function wholeNumber(value: bigint | string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} does not fit a whole number`);
  return number;
}
