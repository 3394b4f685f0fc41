const NEEDS_QUOTES = /[",\r\n]/;
/**
 * A cell that begins with one of these is run as a formula by spreadsheets, which can start programs or leak
 * data.
 */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * Encodes one CSV row per RFC 4180, including the line end: cells with a comma, a quote or a line break are
 * quoted. A cell that a spreadsheet would run as a formula gets a leading apostrophe; negative numbers stay
 * numbers.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
