/** Writes a column of text, a line for each item; the same text again costs nothing. Where there is no column, nothing. */
export function writeLines<Item>(
  column: Element | null | undefined,
  items: readonly Item[],
  lineOf: (item: Item) => string,
): void {
  if (column) writeText(column, items.map(lineOf).join('\n'));
}

/** Writes the one text of an element that React leaves empty. */
function writeText(element: Element, text: string): void {
  const { firstChild } = element;
  if (firstChild instanceof Text) {
    if (firstChild.data !== text) firstChild.data = text;
  } else {
    element.textContent = text;
  }
}
