import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

export const LOCALES = ['en-US', 'zh-CN', 'ko-KR', 'ja-JP'] as const;
export type Locale = (typeof LOCALES)[number];

const FOLDER = fileURLToPath(new URL('../../packages/web-kit/src/i18n/', import.meta.url));
/** Matches the key of a missing sentence: `l.session_ended`, `trade:buy`, `ticket.title`. */
const RAW_KEY = /(?<![@\w.])(?:l\.[a-z_]+|[a-z][a-zA-Z-]*:[a-z]\w*|[a-z]+\.[a-z]+[A-Z_]\w*)(?!\w)/;

const sentences = new Map(LOCALES.map((locale) => [locale, sentencesOf(locale)]));
const english = sentences.get('en-US')!;
const keys = new Set(Object.keys(english).map((key) => key.slice(key.indexOf(':') + 1)));
/** English sentences that have a different translation. */
const untranslated = new Map(
  LOCALES.map((locale) => {
    const own = new Set(Object.values(sentences.get(locale)!));
    return [locale, new Set(Object.values(english).filter((text) => text.length > 1 && !own.has(text)))];
  }),
);

/**
 * Returns a pattern for a sentence of the sites in one language, with any values in its placeholders: `say('orders',
 * 'amend')`.
 */
export type Say = (file: string, key: string) => RegExp;

/** Returns the lookup of sentences in a language. */
export function sayIn(locale: Locale): Say {
  return (file, key) => {
    const sentence = sentences.get(locale)![`${file}.json:${key}`];
    if (sentence === undefined) throw new Error(`There is no sentence ${key} in ${file}.`);
    const pattern = sentence
      .split(/\{\{\w+\}\}/)
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*');
    return new RegExp(`^${pattern}$`);
  };
}

/**
 * Returns the texts of a page that are keys instead of sentences or, on a page in another language, English
 * sentences.
 */
export async function wrongWords(page: Page, locale: Locale): Promise<string[]> {
  const texts = await textsOf(page);
  const english = untranslated.get(locale)!;
  return texts.filter((text) => RAW_KEY.test(text) || keys.has(text) || english.has(text));
}

/** Returns all texts of a page, visible or for screen readers. */
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
