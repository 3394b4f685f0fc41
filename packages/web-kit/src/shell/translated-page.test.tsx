import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Amount, Change, Compact, Percent, Price, When } from '../format/numbers.tsx';
import { Remaining } from '../format/remaining.tsx';
import { loadAllWords } from '../i18n/words.ts';
import { writeLines } from '../market/book-columns.tsx';
import { followTranslation } from './translated-page.ts';

let stop = (): void => undefined;
beforeAll(() => loadAllWords());
afterEach(() => {
  cleanup();
  stop();
});

/**
 * Replaces all texts below an element as a browser's translator does, except texts marked `translate="no"`.
 * Translators either replace the text node (`replaces`), or insert the translation and then remove the text
 * node (`inserts`).
 */
async function translate(root: Element, mode: 'replaces' | 'inserts' = 'replaces'): Promise<void> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const parent = text.parentElement!;
    if (parent.closest('[translate="no"], font') !== null) continue;
    const font = document.createElement('font');
    font.textContent = `«${text.data}»`;
    if (mode === 'inserts') {
      parent.insertBefore(font, text);
      parent.removeChild(text);
    } else {
      parent.replaceChild(font, text);
    }
  }
  await Promise.resolve();
}

const Line = ({ count, isDone }: { count: number; isDone: boolean }) => (
  <p>
    {isDone ? 'Done' : null}
    {isDone ? <b>!</b> : null}
    {count} orders <i>open</i>
  </p>
);

describe('a page that a browser translates', () => {
  for (const mode of ['replaces', 'inserts'] as const)
    it(`WEB-944 shows what is new, and loses nothing, where the translator ${mode} its elements`, async () => {
      stop = followTranslation();
      const { container, rerender } = render(<Line count={1} isDone />);
      await translate(container, mode);
      expect(container.textContent).toBe('«Done»«!»«1»« orders »«open»');
      rerender(<Line count={2} isDone={false} />);
      await Promise.resolve();
      expect(container.textContent).toBe('2« orders »«open»');
      await translate(container, mode);
      rerender(<Line count={2} isDone />);
      expect(container.textContent).toBe('Done!«2»« orders »«open»');
    });

  it('WEB-944 still fails for a node that was never there', () => {
    stop = followTranslation();
    expect(() => document.body.removeChild(document.createElement('p'))).toThrow(/child/i);
  });

  it('WEB-943 figures are excluded from translation and updated', async () => {
    const figures = (value: string, at: number) => (
      <>
        <Amount value={value} coin="BTC" signed />
        <Price value={value} digits={2} />
        <Percent value={value} />
        <Change value={value} arrow />
        <Compact value={value} />
        <When at={at} />
        <Remaining until={at} />
      </>
    );
    const { container, rerender } = render(figures('1234', 0));
    const before = container.textContent;
    await translate(container);
    expect(container.textContent).toBe(before);
    rerender(figures('5678', 86_400_000));
    expect(container.textContent).toContain('5,678\u00A0BTC5,678.00567,800.00%');
  });

  it('WEB-944 does not observe the book, whose texts are updated in place', () => {
    const column = document.body.appendChild(document.createElement('pre'));
    const page = new MutationObserver(() => undefined);
    writeLines(column, ['1', '2'], (line) => line);
    page.observe(document.body, { childList: true, subtree: true });
    for (const prices of [['3', '4'], ['5'], []]) writeLines(column, prices, (line) => line);
    expect(page.takeRecords()).toEqual([]);
    page.disconnect();
    column.remove();
  });
});
