import { LOCALES } from '@exchange/core/locale.ts';
import { SCREEN_WORDS } from '@exchange/wire/words/screens.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSFER_TAB_WORDS } from '../account/history-query.ts';
import { first } from './en-US/first.ts';
import { words as enUS } from './en-US/words.ts';
import { words as jaJP } from './ja-JP/words.ts';
import { words as koKR } from './ko-KR/words.ts';
import { words as zhCN } from './zh-CN/words.ts';

const ROOT = join(import.meta.dirname, '../../../..');

type Sentences = Readonly<Record<string, string>>;

const WORDS = { 'en-US': enUS, 'zh-CN': zhCN, 'ko-KR': koKR, 'ja-JP': jaJP } as const;
const TRANSLATED = LOCALES.filter((locale) => locale !== 'en-US');
const namespaces = Object.keys(enUS) as (keyof typeof enUS)[];

function sentencesOf(locale: (typeof LOCALES)[number], namespace: keyof typeof enUS): Sentences {
  return WORDS[locale][namespace];
}

/**
 * Names of a text's placeholders, each name once, because a translation may use a placeholder several times, for
 * example in alternative forms.
 */
function placeholders(sentence: string): string[] {
  return [...new Set([...sentence.matchAll(/\{\{(\w+)/g)].map((match) => match[1] ?? ''))].toSorted();
}

describe('words', () => {
  it('WEB-030 lists every file of the source language, and every other language has each file', () => {
    for (const locale of LOCALES) {
      const files = readdirSync(join(import.meta.dirname, locale)).filter((file) => file.endsWith('.json'));
      expect(files.map((file) => file.slice(0, -5)).toSorted(), locale).toEqual(namespaces.toSorted());
    }
  });

  it.each(LOCALES)(
    'WEB-1033 the page of orders is named alike everywhere, and unlike its lists, in %s',
    (locale) => {
      const { shell, records, orders, statement } = WORDS[locale];
      const { open, waiting, history, fills } = orders;
      const transfers = Object.values(TRANSFER_TAB_WORDS).map((key) => statement[key]);
      const lists: readonly string[] = [open, waiting, history, fills, ...transfers];
      expect(shell.ordersAndHistory).toBe(records.title);
      expect(SCREEN_WORDS[locale].titles.records).toBe(records.title);
      expect(shell.orders).toBe(orders.title);
      for (const title of [records.title, orders.title, statement.title]) expect(lists).not.toContain(title);
      expect(new Set(lists).size).toBe(lists.length);
    },
  );

  it.each(namespaces)('WEB-030 %s has the same keys and placeholders in every language', (namespace) => {
    const source = sentencesOf('en-US', namespace);
    for (const locale of TRANSLATED) {
      const translated = sentencesOf(locale, namespace);
      expect(Object.keys(translated).toSorted(), locale).toEqual(Object.keys(source).toSorted());
      for (const [key, sentence] of Object.entries(source)) {
        expect(translated[key]?.trim(), `${locale} ${namespace}:${key}`).not.toBe('');
        expect(placeholders(translated[key] ?? ''), `${locale} ${namespace}:${key}`).toEqual(
          placeholders(sentence),
        );
      }
    }
  });

  it('WEB-034 every sentence is used', () => {
    const isUsed = isKeyUsed(sources());
    const unused = namespaces
      // The texts of ledger entries are looked up by the kind of the entry, so no code contains their keys;
      // `account/events.test.ts` tests that they are used.
      .filter((namespace) => namespace !== 'statement')
      .flatMap((namespace) =>
        Object.keys(enUS[namespace])
          .filter((key) => !isUsed(key))
          .map((key) => `${namespace}:${key}`),
      );
    expect(unused).toEqual([]);
  });

  it.each(['desktop', 'mobile'])(
    'WEB-039 the first screen of %s uses only the words loaded with it',
    (app) => {
      const needed = namespacesOf([`apps/${app}/src/main.tsx`, `apps/${app}/src/home/home-screen.tsx`]);
      expect(needed).toContain('shell');
      expect(needed.filter((namespace) => !(namespace in first))).toEqual([]);
    },
  );

  it('WEB-230 a sentence with a count has a form for each plural category of its language', () => {
    for (const locale of LOCALES) {
      const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
      const sentences = Object.values(WORDS[locale]).flatMap((namespace) => Object.values(namespace));
      for (const sentence of sentences)
        for (const [, forms = ''] of sentence.matchAll(/\{\{\w+((?:\|\w+:[^|}]*)+)\}\}/g)) {
          const named = forms
            .slice(1)
            .split('|')
            .map((form) => form.split(':')[0] ?? '');
          expect(new Set(named), sentence).toEqual(new Set(pluralCategories));
        }
    }
  });

  it('WEB-031 no sentence promises a future feature', () => {
    for (const namespace of namespaces) {
      const text = Object.values(enUS[namespace]).join('\n');
      expect(text, namespace).not.toMatch(/coming soon|stay tuned|under construction/i);
    }
  });
});

/**
 * Returns the translation namespaces that the given source files use, directly or in files that they import
 * statically.
 */
function namespacesOf(entries: readonly string[]): string[] {
  const waiting = entries.map((entry) => join(ROOT, entry));
  const codeByFile = new Map<string, string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (codeByFile.has(file) || !/\.tsx?$/.test(file)) continue;
    const code = readFileSync(file, 'utf8');
    codeByFile.set(file, code);
    for (const [, from = ''] of code.matchAll(/^(?:import|export) (?!type)[^;]*?from '([^']+)'/gm)) {
      const [, part, path = ''] = /^@exchange\/([\w-]+)\/(.+)$/.exec(from) ?? [];
      if (from.startsWith('.')) waiting.push(resolve(dirname(file), from));
      else if (part !== undefined) waiting.push(join(ROOT, 'packages', part, 'src', path));
    }
  }
  const wordsCalls = [...codeByFile.values()].flatMap((code) => [
    ...code.matchAll(/^(?! ?\/?\*).*useWords\('([\w-]+)'\)/gm),
  ]);
  return [...new Set(wordsCalls.map((match) => match[1] ?? ''))];
}

/**
 * The concatenated source code of the two apps and of the packages web-kit, wire and core, without tests and
 * translations.
 */
function sources(): string {
  return [
    'packages/web-kit/src',
    'packages/wire/src',
    'packages/core/src',
    'apps/desktop/src',
    'apps/mobile/src',
  ]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('words'))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    )
    .join('\n');
}

/**
 * Returns a function that returns whether the source code contains a translation key: in quotes, as an object key, or
 * composed by a template literal.
 */
function isKeyUsed(code: string): (key: string) => boolean {
  const quoted = new Set(
    [...code.matchAll(/['"`]([\w.-]+)['"`]|\b(\w+): /g)].map((match) => match[1] ?? match[2]),
  );
  const templates = [...code.matchAll(/`([\w.]*(?:\$\{[^`{}]*\}[\w.]*)+)`/g)]
    .map((match) => (match[1] ?? '').split(/\$\{[^}]*\}/))
    .filter((parts) => /\w{2}/.test(parts.join('')))
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`));
  return (key) => quoted.has(key) || templates.some((template) => template.test(key));
}
