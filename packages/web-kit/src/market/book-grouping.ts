/** The steps in which a book can be shown: the tick, then ten times coarser each, as long as they mean anything. */
export function groupingsOf(priceDigits: number, lastPrice: string | undefined): readonly string[] {
  const leading = Math.floor(Math.log10(Number(lastPrice ?? '1') || 1));
  // A hundredth of the price's leading digit is the coarsest step that still leaves a readable book.
  const coarsestExponent = Math.max(leading - 2, -priceDigits);
  const steps: string[] = [];
  for (let exponent = -priceDigits; exponent <= coarsestExponent && steps.length < 6; exponent += 1) {
    steps.push(powerOfTen(exponent));
  }
  return steps;
}

/** How many decimals a price has in steps of `grouping`. */
export function digitsOf(grouping: string): number {
  return grouping.split('.')[1]?.length ?? 0;
}

function powerOfTen(exponent: number): string {
  return exponent >= 0 ? `1${'0'.repeat(exponent)}` : `0.${'0'.repeat(-exponent - 1)}1`;
}
