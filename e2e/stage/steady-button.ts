import type { Locator } from 'playwright-core';

/** The labels of all inputs of order forms on both sites. */
const INPUTS = [
  'Price',
  'Limit',
  'Limit price',
  'Trigger',
  'Trigger price',
  'Stop-limit',
  'Stop-limit price',
  'Trailing delta',
  'Activation price',
  'Amount',
  'Total',
];
/** Short and long numbers, a number that no pair accepts, and text that is no number. */
const TYPED = ['9', '98123.45', '1234567.89', '0.00000001', 'abc', '0.5'];

/**
 * Types into every input of an order form. Returns the positions of its button; a single one if the button did not
 * move.
 */
export async function placesOfButton(ticket: Locator): Promise<string[]> {
  const button = ticket.getByRole('button', { name: /^(Buy|Sell) [A-Z]+$/ });
  const place = async () => JSON.stringify(await button.boundingBox());
  const places = new Set([await place()]);
  for (const name of INPUTS) {
    const input = ticket.getByLabel(name, { exact: true });
    if ((await input.count()) === 0) continue;
    for (const text of TYPED) {
      await input.fill(text);
      places.add(await place());
    }
  }
  return [...places];
}
