import type { Refusal, RefusalKey } from '@exchange/core/refusal.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { DEFAULT_LOCALE, fillWords, LOCALES, type Locale } from '@exchange/core/locale.ts';
import { useSyncExternalStore } from 'react';
import { loadScreen } from '../part/load-chunk.ts';
import { onStoredChange, readStored, store } from '../storage.ts';
import type { Words } from './resources.ts';

export { LOCALES, type Locale };
export type Namespace = keyof Words;

type Refusals = Readonly<Record<RefusalKey, string>>;

/** Each language's name in that language. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  'en-US': 'English (US)',
  'zh-CN': '简体中文',
  'ko-KR': '한국어',
  'ja-JP': '日本語',
};

const dictionaries = new Map<Locale, Partial<Words>>();

/** Words of the first screen, small enough to block the first render. */
const FIRST_LOADERS: Readonly<Record<Locale, () => Promise<{ readonly first: Partial<Words> }>>> = {
  'en-US': () => import('./en-US/first.ts'),
  'zh-CN': () => import('./zh-CN/first.ts'),
  'ko-KR': () => import('./ko-KR/first.ts'),
  'ja-JP': () => import('./ja-JP/first.ts'),
};

/** Words of all screens, loaded after the first screen. */
const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly words: Words }>>> = {
  'en-US': () => import('./en-US/words.ts'),
  'zh-CN': () => import('./zh-CN/words.ts'),
  'ko-KR': () => import('./ko-KR/words.ts'),
  'ja-JP': () => import('./ja-JP/words.ts'),
};

/** Locales whose words are completely loaded. */
const complete = new Set<Locale>();

const refusals = new Map<Locale, Refusals>();

/** Refusal sentences load after the first screen: they are needed only after a user action. */
const REFUSAL_LOADERS: Readonly<Record<Locale, () => Promise<Refusals>>> = {
  'en-US': async () => (await import('@exchange/wire/words/en-US.ts')).enUS,
  'zh-CN': async () => (await import('@exchange/wire/words/zh-CN.ts')).zhCN,
  'ko-KR': async () => (await import('@exchange/wire/words/ko-KR.ts')).koKR,
  'ja-JP': async () => (await import('@exchange/wire/words/ja-JP.ts')).jaJP,
};

/** The current language; undefined until its translations are loaded. */
let language: Locale | undefined;
const followers = new Set<() => void>();

/** Loads all words of the remembered language and switches to it. */
export async function loadAllWords(): Promise<void> {
  const locale = rememberedLocale();
  await Promise.all([load(locale), loadRefusals(locale)]);
  switchLocale(locale);
}

/**
 * Loads the translations of the first screen in the remembered language, before an app renders. Rejects when
 * they do not load.
 */
export async function loadFirstWords(): Promise<void> {
  const locale = rememberedLocale();
  const { first } = await loadScreen(FIRST_LOADERS[locale], 'first words');
  if (!complete.has(locale)) dictionaries.set(locale, first);
  switchLocale(locale);
  // Screens load missing translations themselves, and refusals without a translation are shown in general
  // terms.
  void Promise.all([load(locale), loadRefusals(locale)]).catch(() => undefined);
}

/** Waits for a screen's code and for all words of the current language. Rejects when either cannot be loaded. */
export async function withWords<T>(screen: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([screen, load(currentLocale())]);
  return loaded;
}

/**
 * Loads the translations of a language, then switches to it and remembers it on this device. Rejects without
 * a change when they cannot be loaded.
 */
export async function setLocale(locale: Locale): Promise<void> {
  await Promise.all([load(locale), loadRefusals(locale)]);
  store(SESSION_KEYS.locale, locale);
  switchLocale(locale);
}

/** Switches the language of components without changing the document's language or the remembered choice. */
export async function setComponentLocale(locale: Locale): Promise<void> {
  await load(locale);
  switchWords(locale);
}

/** Switches to the language stored with the user's account, unless one was chosen on this device. */
export function adoptLocale(accountLocale: string): void {
  const locale = LOCALES.find((supported) => supported === accountLocale);
  if (locale === undefined || locale === currentLocale() || readStored(SESSION_KEYS.locale) !== null) return;
  void setLocale(locale).catch(() => undefined);
}

/** Follows language changes made in other tabs. Returns a function that stops this. */
export function followLocaleOfTabs(): () => void {
  // If the translations cannot be loaded, this tab keeps its language.
  const reload = () => void loadAllWords().catch(() => undefined);
  const stopWatchingStorage = onStoredChange(SESSION_KEYS.locale, reload);
  // Another tab may have changed the language while this one was loading its translations.
  if (language !== undefined && rememberedLocale() !== language) reload();
  return stopWatchingStorage;
}

/**
 * Calls `follower` after each language change, and when the words of further screens have loaded. Returns a function
 * that removes it.
 */
function onWords(follower: () => void): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Calls `follower` after each language change. Returns a function that removes it. */
export function onLocale(follower: () => void): () => void {
  let locale = currentLocale();
  return onWords(() => {
    if (currentLocale() === locale) return;
    locale = currentLocale();
    follower();
  });
}

/** The language in use. While its words are loading, this is the language that the page will have. */
export function currentLocale(): Locale {
  return language ?? rememberedLocale();
}

/** The current language as React state. */
export function useLocale(): Locale {
  return useSyncExternalStore(onWords, currentLocale);
}

/** Translate function of one namespace: `const t = useWords('trade'); t('buy')`. */
export function useWords<N extends Namespace>(namespace: N): Translate<N> {
  return useSyncExternalStore(onWords, () => translatorOf(currentLocale(), namespace));
}

type Parameters = Readonly<Record<string, string | number>>;

/** Returns a namespace's sentence with its parameters filled in; unknown keys do not compile. */
export type Translate<N extends Namespace> = (
  key: keyof Words[N] & string,
  parameters?: Parameters,
) => string;

type Translator = (key: string, parameters?: Parameters) => string;
const translators = new Map<string, Translator>();

/**
 * Returns the same function until the language changes. An order book row translates ten times a second; a library
 * with plurals, contexts and nesting, which these sentences do not use, took a third of the drawing time.
 */
function translatorOf(locale: Locale, namespace: Namespace): Translator {
  const name = `${locale} ${namespace}`;
  const existing = translators.get(name);
  if (existing !== undefined) return existing;
  const sentences: Readonly<Record<string, string>> | undefined = dictionaries.get(locale)?.[namespace];
  if (sentences === undefined) return emptyTranslator;
  const translate: Translator = (key, parameters) => {
    const sentence = sentences[key];
    if (sentence === undefined) return key;
    return parameters === undefined ? sentence : fillWords(withBoundUnits(sentence), parameters, locale);
  };
  translators.set(name, translate);
  return translate;
}

/** Matches the space before a unit, which is a named parameter or written in the sentence. */
const BEFORE_UNIT = /\}\} (?=\{\{(?:coin|currency|quote|base|unit|symbol)\}\}|(?:USDT|BTC)\b)/g;
const boundSentences = new Map<string, string>();

/** Replaces the space between a figure and its unit with a no-break space. */
function withBoundUnits(sentence: string): string {
  let bound = boundSentences.get(sentence);
  if (bound === undefined)
    boundSentences.set(sentence, (bound = sentence.replaceAll(BEFORE_UNIT, '}}\u00A0')));
  return bound;
}

/** Used while a namespace is loading: an empty text is less confusing than a translation key. */
const emptyTranslator: Translator = () => '';

function switchLocale(locale: Locale): void {
  document.documentElement.lang = locale;
  switchWords(locale);
}

function switchWords(locale: Locale): void {
  if (locale === language) return;
  language = locale;
  notifyFollowers();
}

function notifyFollowers(): void {
  for (const follower of followers) follower();
}

/**
 * The sentence of a refusal made on this device, as the server words it; a general one while sentences are
 * loading.
 */
export function refusalText({ key, parameters }: Pick<Refusal, 'key' | 'parameters'>): string {
  const field = parameters['field'];
  const namedParameters = field === undefined ? parameters : { ...parameters, field: fieldName(field) };
  const sentence = refusals.get(currentLocale())?.[key] ?? wordsOf('shell')['error'] ?? key;
  return fillWords(withBoundUnits(sentence), namedParameters, currentLocale());
}

/** Translates keys that start with `l.`; returns any other text unchanged. */
export function labelText(text: string): string {
  if (!text.startsWith('l.')) return text;
  const sentence = refusals.get(currentLocale())?.[text as RefusalKey];
  if (sentence !== undefined) return fillWords(sentence, {}, currentLocale());
  const shell = wordsOf('shell');
  return shell[`label.${text.slice(2)}`] ?? shell['error'] ?? text;
}

/** A sentence of namespace `shell`, for code outside of components. */
export function wordsOfShell(key: keyof Words['shell'], parameters: Parameters = {}): string {
  return fillWords(wordsOf('shell')[key] ?? key, parameters, currentLocale());
}

/** A form field's name within a sentence. */
function fieldName(field: string): string {
  return wordsOf('fields')[field] ?? field;
}

/**
 * The sentence of a namespace and key that are known only at run time, such as those of a ledger entry; undefined if
 * there is none, or while the words are loading.
 */
export function sentenceOf(namespace: string, key: string): string | undefined {
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    dictionaries.get(currentLocale()) ?? {};
  return words[namespace]?.[key];
}

function wordsOf(namespace: Namespace): Readonly<Record<string, string | undefined>> {
  return dictionaries.get(currentLocale())?.[namespace] ?? {};
}

/** The language that this device remembers, else the default one. */
export function rememberedLocale(): Locale {
  const remembered = readStored(SESSION_KEYS.locale);
  return LOCALES.find((locale) => locale === remembered) ?? DEFAULT_LOCALE;
}

async function load(locale: Locale): Promise<void> {
  if (complete.has(locale)) return;
  const { words } = await LOADERS[locale]();
  dictionaries.set(locale, words);
  complete.add(locale);
  if (locale === language) notifyFollowers();
}

async function loadRefusals(locale: Locale): Promise<void> {
  if (!refusals.has(locale)) refusals.set(locale, await REFUSAL_LOADERS[locale]());
}
