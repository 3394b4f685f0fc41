/** The smallest touch target in pixels, and the smallest font size of a field to which an iPhone does not zoom. */
const SIZES = { target: 44, text: 16 };

/** Controls that are smaller for a reason. Selectors contain the class names of their style sheets. */
const SMALL_FOR_A_REASON = {
  '[class*="_row_"][class*="_row_"]:is(button)':
    'prices of a book stand as close together as a book has to be read',
  '[class*="_figure_"]': 'the head of a column of the book, above its prices',
  '[class*="_toolbar_"] *':
    'intervals and tools of the chart share the width of the phone; each is 44 pixels high',
  '[class*="_tool_"]': 'drawing tools share the height of the chart; each is 44 pixels wide',
  '[class*="_step_"]': 'a tick beside a price that can be typed',
  '[class*="_copy_"]': 'copies a line of a record, whose lines are as high as their text',
  '[class*="_desk_"] [class*="_check_"]':
    'the switch of exits stands between two fields of the ticket, which leave it 40 pixels',
  '[class*="_slider_"] input': 'is slid, not hit; the whole width of the ticket is its track',
};

/** Returns controls of the open screen that are too small for touch, and fields to which an iPhone zooms. */
export function touchFaults(page: {
  evaluate<Argument>(run: (given: Argument) => string[], given: Argument): Promise<string[]>;
}): Promise<string[]> {
  return page.evaluate(faultsInPage, { ...SIZES, exceptions: Object.keys(SMALL_FOR_A_REASON) });
}

interface Wanted {
  readonly target: number;
  readonly text: number;
  readonly exceptions: readonly string[];
}

/** Runs inside the page: measures the touch area of each control from its middle. */
function faultsInPage({ target, text, exceptions }: Wanted): string[] {
  const faults: string[] = [];
  const place = { left: window.scrollX, top: window.scrollY };
  const controls = 'a[href], button:enabled, summary, select, textarea, input:not([type="file"])';
  const isTicked = 'input:is([type="checkbox"], [type="radio"])';
  const hits = (control: Element, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    return control.contains(hit);
  };
  /** Returns the number of adjacent pixels that belong to the control, from its middle to both sides. */
  const reach = (isHit: (by: number) => boolean): number => {
    const side = (sign: 1 | -1): number => {
      let by = 0;
      while (by < target && isHit(sign * (by + 1))) by += 1;
      return by;
    };
    return side(1) + side(-1) + 1;
  };
  const nameOf = (control: Element): string =>
    `${control.tagName.toLowerCase()} "${(control.getAttribute('aria-label') ?? control.textContent).trim().slice(0, 40)}"`;
  /** Returns whether the middle of the first line of a link belongs to a control around it, such as its label. */
  const isCovered = (link: Element): boolean => {
    link.scrollIntoView({ block: 'center', inline: 'nearest' });
    const [line] = link.getClientRects();
    if (line === undefined) return false;
    const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
    return hit !== null && hit.contains(link) && hit.matches('label, button');
  };
  for (const field of document.querySelectorAll(controls)) {
    const isField = field.matches(`:is(input, select, textarea):not(${isTicked}, [type="range"])`);
    if (isField && Number.parseFloat(getComputedStyle(field).fontSize) < text)
      faults.push(`${nameOf(field)}: an iPhone zooms in`);
    // A label or a box around a field activates the field.
    const label = field.closest('label') ?? field.parentElement;
    const isBoxed = field.matches(isTicked) || (isField && label !== null && label.clientHeight < 2 * target);
    const control = isBoxed ? (label ?? field) : field;
    const style = getComputedStyle(control);
    const { width, height } = control.getBoundingClientRect();
    // A link within a sentence is as high as its line; visually hidden elements cannot be touched.
    if (style.display === 'inline' && isCovered(field)) faults.push(`${nameOf(field)}: is covered`);
    if (style.display === 'inline' || style.visibility === 'hidden' || width <= 2 || height <= 2) continue;
    if (exceptions.some((exception) => control.matches(exception))) continue;
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    // The control is covered by a dialog or scrolled out of its row.
    if (!hits(control, x, y)) continue;
    const [wide, high] = [
      Math.max(
        width,
        reach((by) => hits(control, x + by, y)),
      ),
      Math.max(
        height,
        reach((by) => hits(control, x, y + by)),
      ),
    ];
    if (wide + 1 < target || high + 1 < target)
      faults.push(`${nameOf(control)}: a finger hits ${Math.round(wide)} × ${Math.round(high)}`);
  }
  window.scrollTo(place);
  return faults;
}
