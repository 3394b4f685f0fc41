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

/** The name of each language in that language. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  'en-US': 'English (US)',
  'zh-CN': '简体中文',
  'ko-KR': '한국어',
  'ja-JP': '日本語',
};

const dictionaries = new Map<Locale, Partial<Words>>();

/** Loaders of the texts of the first screen, which are small enough to be loaded before the first render. */
const FIRST_LOADERS: Readonly<Record<Locale, () => Promise<{ readonly first: Partial<Words> }>>> = {
  'en-US': () => import('./en-US/first.ts'),
  'zh-CN': () => import('./zh-CN/first.ts'),
  'ko-KR': () => import('./ko-KR/first.ts'),
  'ja-JP': () => import('./ja-JP/first.ts'),
};

/** Loaders of the texts of all screens; the first screen does not wait for them. */
const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly words: Words }>>> = {
  'en-US': () => import('./en-US/words.ts'),
  'zh-CN': () => import('./zh-CN/words.ts'),
  'ko-KR': () => import('./ko-KR/words.ts'),
  'ja-JP': () => import('./ja-JP/words.ts'),
};

/** Locales whose texts have been loaded completely. */
const complete = new Set<Locale>();

const refusals = new Map<Locale, Refusals>();

/**
 * Loaders of the refusal texts. The first screen does not wait for them, because only a user action can cause a
 * refusal.
 */
const REFUSAL_LOADERS: Readonly<Record<Locale, () => Promise<Refusals>>> = {
  'en-US': async () => (await import('@exchange/wire/words/en-US.ts')).enUS,
  'zh-CN': async () => (await import('@exchange/wire/words/zh-CN.ts')).zhCN,
  'ko-KR': async () => (await import('@exchange/wire/words/ko-KR.ts')).koKR,
  'ja-JP': async () => (await import('@exchange/wire/words/ja-JP.ts')).jaJP,
};

/** The current language; undefined until the texts of a language have been loaded for the first time. */
let language: Locale | undefined;
const followers = new Set<() => void>();

/** Loads all texts of the language that this device remembers, then switches to that language. */
export async function loadAllWords(): Promise<void> {
  const locale = rememberedLocale();
  await Promise.all([load(locale), loadRefusals(locale)]);
  switchLocale(locale);
}

/**
 * Loads the texts of the first screen in the language that this device remembers, and starts to load all other texts;
 * an app calls this before it renders. Rejects when the texts of the first screen cannot be loaded.
 */
export async function loadFirstWords(): Promise<void> {
  const locale = rememberedLocale();
  const { first } = await loadScreen(FIRST_LOADERS[locale], 'first words');
  if (!complete.has(locale)) dictionaries.set(locale, first);
  switchLocale(locale);
  // A failure to load these texts is ignored: each screen loads missing texts itself, and a refusal without a
  // loaded text is shown with a general text.
  void Promise.all([load(locale), loadRefusals(locale)]).catch(() => undefined);
}

/**
 * Resolves to a screen's code when that code and the texts of all screens in the current language have been loaded.
 * Rejects when either cannot be loaded.
 */
export async function withWords<T>(screen: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([screen, load(currentLocale())]);
  return loaded;
}

/**
 * Number of language choices since the page was loaded. A choice whose texts finish loading after a newer choice is
 * discarded.
 */
let choices = 0;

/**
 * Loads the texts of a language, then switches to the language and stores the choice on this device, unless another
 * language has been chosen meanwhile. When the texts cannot be loaded, it rejects and the language does not change.
 */
export async function setLocale(locale: Locale): Promise<void> {
  choices += 1;
  const choice = choices;
  await Promise.all([load(locale), loadRefusals(locale)]);
  if (choice !== choices) return;
  store(SESSION_KEYS.locale, locale);
  switchLocale(locale);
}

/**
 * Loads a language, then switches the language of the components only, unless `isWanted` returns false by then. The
 * document's `lang` attribute and the language stored on the device do not change. Rejects when the texts cannot be
 * loaded.
 */
export async function setComponentLocale(locale: Locale, isWanted: () => boolean): Promise<void> {
  await load(locale);
  if (isWanted()) switchWords(locale);
}

/** Switches to the language stored with the user's account, unless the user has chosen a language on this device. */
export function adoptLocale(accountLocale: string): void {
  const locale = LOCALES.find((supported) => supported === accountLocale);
  if (locale === undefined || locale === currentLocale() || readStored(SESSION_KEYS.locale) !== null) return;
  void setLocale(locale).catch(() => undefined);
}

/**
 * Switches the language of this tab whenever another tab changes the language. Returns a function that removes the
 * listener.
 */
export function followLocaleOfTabs(): () => void {
  // If the texts of the new language cannot be loaded, this tab keeps its language.
  const reload = () => void loadAllWords().catch(() => undefined);
  const stopWatchingStorage = onStoredChange(SESSION_KEYS.locale, reload);
  // Another tab may have changed the stored language while this tab was loading texts; the texts of that
  // language are then loaded, and this tab switches to it.
  if (language !== undefined && rememberedLocale() !== language) reload();
  return stopWatchingStorage;
}

/**
 * Calls `follower` after each language change, and each time further texts have loaded. Returns a function that removes
 * `follower`.
 */
function onWords(follower: () => void): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Calls `follower` after each language change. Returns a function that removes `follower`. */
export function onLocale(follower: () => void): () => void {
  let locale = currentLocale();
  return onWords(() => {
    if (currentLocale() === locale) return;
    locale = currentLocale();
    follower();
  });
}

/**
 * Returns the current language; while its texts are still loading for the first time, the language that the
 * device remembers.
 */
export function currentLocale(): Locale {
  return language ?? rememberedLocale();
}

/** The current language, as React state. */
export function useLocale(): Locale {
  return useSyncExternalStore(onWords, currentLocale);
}

/** Returns the translate function of a namespace: `const t = useWords('trade'); t('buy')`. */
export function useWords<N extends Namespace>(namespace: N): Translate<N> {
  return useSyncExternalStore(onWords, () => translatorOf(currentLocale(), namespace));
}

type Parameters = Readonly<Record<string, string | number>>;

/** Returns the text of a key of the namespace with its parameters filled in; the compiler rejects unknown keys. */
export type Translate<N extends Namespace> = (
  key: keyof Words[N] & string,
  parameters?: Parameters,
) => string;

type Translator = (key: string, parameters?: Parameters) => string;
const translators = new Map<string, Translator>();

/**
 * The translate function of a namespace and language; repeated calls return the same function until further texts are
 * loaded or the language changes. It is written for speed instead of using a translation library, because an order book
 * translates several texts per row at each update.
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

/**
 * Matches the space between a placeholder and a unit; the unit is a placeholder named `coin`, `currency`,
 * `quote`, `base`, `unit` or `symbol`, or the word USDT or BTC.
 */
const BEFORE_UNIT = /\}\} (?=\{\{(?:coin|currency|quote|base|unit|symbol)\}\}|(?:USDT|BTC)\b)/g;
const boundSentences = new Map<string, string>();

/** Replaces the space between a placeholder and the unit after it by a no-break space. */
function withBoundUnits(sentence: string): string {
  let bound = boundSentences.get(sentence);
  if (bound === undefined)
    boundSentences.set(sentence, (bound = sentence.replaceAll(BEFORE_UNIT, '}}\u00A0')));
  return bound;
}

/** Translate function used while a namespace is loading: users see an empty text instead of a translation key. */
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
 * Returns the text of a refusal in the interface language; a general error text while the refusal texts are
 * loading.
 */
export function refusalText({ key, parameters }: Pick<Refusal, 'key' | 'parameters'>): string {
  const field = parameters['field'];
  const namedParameters = field === undefined ? parameters : { ...parameters, field: fieldName(field) };
  const sentence = refusals.get(currentLocale())?.[key] ?? wordsOf('shell')['error'] ?? key;
  return fillWords(withBoundUnits(sentence), namedParameters, currentLocale());
}

/**
 * Translates a text that starts with `l.`, which is a translation key, to its text, or to a general error text if none
 * is loaded for the key; returns any other text unchanged.
 */
export function labelText(text: string): string {
  if (!text.startsWith('l.')) return text;
  const sentence = refusals.get(currentLocale())?.[text as RefusalKey];
  if (sentence !== undefined) return fillWords(sentence, {}, currentLocale());
  const shell = wordsOf('shell');
  return shell[`label.${text.slice(2)}`] ?? shell['error'] ?? text;
}

/** The translated text of a key in the namespace `shell`, for code outside of React components. */
export function wordsOfShell(key: keyof Words['shell'], parameters: Parameters = {}): string {
  return fillWords(wordsOf('shell')[key] ?? key, parameters, currentLocale());
}

/** A form field's name, as it is written inside a sentence; the field's key if no name is loaded for it. */
function fieldName(field: string): string {
  return wordsOf('fields')[field] ?? field;
}

/**
 * The text of a namespace and a key that are known only at run time, such as those of a ledger entry; undefined if the
 * text does not exist or is still loading.
 */
export function sentenceOf(namespace: string, key: string): string | undefined {
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    dictionaries.get(currentLocale()) ?? {};
  return words[namespace]?.[key];
}

function wordsOf(namespace: Namespace): Readonly<Record<string, string | undefined>> {
  return dictionaries.get(currentLocale())?.[namespace] ?? {};
}

/** Returns the language that this device has stored, otherwise the default language. */
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
