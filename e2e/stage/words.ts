import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

export type Locale = 'en-US' | 'zh-CN';

const FOLDER = fileURLToPath(new URL('../../packages/web-kit/src/i18n/', import.meta.url));
/** What a missing sentence looks like: `l.session_ended`, `trade:buy`, `ticket.title`. */
const RAW_KEY = /(?<![@\w.])(?:l\.[a-z_]+|[a-z][a-zA-Z-]*:[a-z]\w*|[a-z]+\.[a-z]+[A-Z_]\w*)(?!\w)/;

const english = sentencesOf('en-US');
const chinese = sentencesOf('zh-CN');
const keys = new Set(Object.keys(english).map((key) => key.slice(key.indexOf(':') + 1)));
const chineseTexts = new Set(Object.values(chinese));
const untranslated = new Set(
  Object.values(english).filter((text) => text.length > 1 && !chineseTexts.has(text)),
);

/** Finds a sentence of the sites in one language, whatever stands in its places: `say('orders', 'amend')`. */
export type Say = (file: string, key: string) => RegExp;

/** The sentences of a language. */
export function sayIn(locale: Locale): Say {
  const sentences = locale === 'en-US' ? english : chinese;
  return (file, key) => {
    const sentence = sentences[`${file}.json:${key}`];
    if (sentence === undefined) throw new Error(`There is no sentence ${key} in ${file}.`);
    const pattern = sentence
      .split(/\{\{\w+\}\}/)
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*');
    return new RegExp(`^${pattern}$`);
  };
}

/** The texts of a page that are keys instead of sentences or, on a Chinese page, English sentences. */
export async function wrongWords(page: Page, locale: Locale): Promise<string[]> {
  const texts = await textsOf(page);
  return texts.filter(
    (text) => RAW_KEY.test(text) || keys.has(text) || (locale === 'zh-CN' && untranslated.has(text)),
  );
}

/** Everything a page says, seen or read aloud. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) said.add(walker.currentNode.textContent?.trim() ?? '');
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`))
        said.add(element.getAttribute(name) ?? '');
    return [...said].filter((text) => text !== '');
  });
}

function sentencesOf(locale: Locale): Record<string, string> {
  const files = readdirSync(`${FOLDER}${locale}`).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.flatMap((file) => {
      const sentences = JSON.parse(readFileSync(`${FOLDER}${locale}/${file}`, 'utf8')) as Record<
        string,
        string
      >;
      return Object.entries(sentences).map(([key, text]) => [`${file}:${key}`, text]);
    }),
  );
}
