import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { words as enUS } from './en-US/words.ts';
import { words as zhCN } from './zh-CN/words.ts';

const folder = join(import.meta.dirname, 'en-US');
const namespaces = Object.keys(enUS) as (keyof typeof enUS)[];
const CHINESE = /\p{Script=Han}/u;

/** Names, codes and signs that read the same in every language. */
const SAME_EVERYWHERE = /^[\p{Script=Latin}\p{P}\p{S}\p{N}\s]*$/u;

function placeholders(sentence: string): string[] {
  return [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').toSorted();
}

describe('words', () => {
  it('WEB-030 lists every file of the source language, and each has its twin', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(files.map((file) => file.slice(0, -5)).toSorted()).toEqual(namespaces.toSorted());
    for (const file of files) expect(existsSync(join(folder, '../zh-CN', file)), file).toBe(true);
  });

  it.each(namespaces)('WEB-030 %s has the same keys and placeholders in both languages', (namespace) => {
    const source: Record<string, string> = enUS[namespace];
    const translated: Record<string, string> = zhCN[namespace];
    expect(Object.keys(translated).toSorted()).toEqual(Object.keys(source).toSorted());
    for (const [key, sentence] of Object.entries(source)) {
      expect(sentence.trim(), `${namespace}:${key}`).not.toBe('');
      expect(placeholders(translated[key] ?? ''), `${namespace}:${key}`).toEqual(placeholders(sentence));
    }
  });

  it.each(namespaces)('WEB-030 %s is translated, not copied', (namespace) => {
    const source: Record<string, string> = enUS[namespace];
    const translated: Record<string, string> = zhCN[namespace];
    const copied = Object.keys(source).filter((key) => {
      const sentence = translated[key] ?? '';
      return !CHINESE.test(sentence) && (sentence.includes(' ') || !SAME_EVERYWHERE.test(sentence));
    });
    expect(copied.filter((key) => (source[key] ?? '').split(' ').length > 3)).toEqual([]);
  });

  it('WEB-230 a sentence that counts has a form for each kind of number that its language tells apart', () => {
    for (const [locale, words] of [['en-US', enUS] as const, ['zh-CN', zhCN] as const]) {
      const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
      for (const sentence of Object.values(words).flatMap((namespace) => Object.values(namespace)))
        for (const [, forms = ''] of sentence.matchAll(/\{\{\w+((?:\|\w+:[^|}]*)+)\}\}/g)) {
          const named = forms
            .slice(1)
            .split('|')
            .map((form) => form.split(':')[0] ?? '');
          expect(new Set(named), sentence).toEqual(new Set(pluralCategories));
        }
    }
  });

  it('WEB-031 promises nothing: no sentence says that something comes later', () => {
    for (const namespace of namespaces) {
      const text = readFileSync(join(folder, `${namespace}.json`), 'utf8');
      expect(text, namespace).not.toMatch(/coming soon|stay tuned|under construction/i);
    }
  });
});
