const NEEDS_QUOTES = /[",\r\n]/;
/** What makes a spreadsheet read a cell as a formula, and start programs or send data away with it. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * One row as RFC 4180 has it, its line end included: cells with a comma, a quote or a line end are quoted.
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front; negative numbers stay numbers.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
