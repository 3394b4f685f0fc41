const NEEDS_QUOTES = /[",\r\n]/;
/** Matches a cell that spreadsheet programs run as a formula. A formula can start programs or leak data. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * Encodes a CSV row by RFC 4180, including the line end. Cells with a comma, a quote or a line break are quoted. A cell
 * that spreadsheet programs would run as a formula gets a leading apostrophe, unless it is a negative number.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
