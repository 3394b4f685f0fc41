import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';

/**
 * Matches the rule in the base style sheet that hides content below an element that is still loading; the
 * group is the selector of the rule.
 */
const RULE = /\[data-in-order\] > ([^{]+)\{\s*visibility: hidden;/;
const SELECTOR = RULE.exec(readFileSync(`${import.meta.dirname}/base.css`, 'utf8'))![1]!.trim();

afterEach(() => document.body.replaceChildren());

/** Returns the IDs of the hidden elements when the elements `parts` precede a paragraph. */
function hiddenBelow(parts: string): string[] {
  document.body.innerHTML = `<div data-in-order>${parts}<p id="next"></p></div>`;
  return [...document.querySelectorAll(`[data-in-order] > ${SELECTOR}`)].map(({ id }) => id);
}

it('WEB-1020 what stands below a part that still loads waits for it', () => {
  expect(hiddenBelow('<div aria-busy="true"></div>')).toEqual(['next']);
  expect(hiddenBelow('<div><span aria-busy="true"></span></div>')).toEqual(['next']);
  expect(hiddenBelow('<div></div>')).toEqual([]);
});

it('WEB-1020 a busy button hides nothing below it', () => {
  expect(hiddenBelow('<form><button aria-busy="true"></button></form>')).toEqual([]);
  expect(hiddenBelow('<button aria-busy="true"></button>')).toEqual([]);
});
