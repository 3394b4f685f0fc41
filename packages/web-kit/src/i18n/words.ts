import type { Refusal, RefusalKey } from '@exchange/core/refusal.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { DEFAULT_LOCALE, fillWords, LOCALES, type Locale } from '@exchange/core/locale.ts';
import { useSyncExternalStore } from 'react';
import { loadScreen } from '../part/load-chunk.ts';
import { onRemembered, recall, remember } from '../storage.ts';
import type { Words } from './resources.ts';

export { LOCALES, type Locale };
export type Namespace = keyof Words;

type Refusals = Readonly<Record<RefusalKey, string>>;

/** What languages are called in themselves. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  'en-US': 'English (US)',
  'zh-CN': '简体中文',
  'ko-KR': '한국어',
  'ja-JP': '日本語',
};

const dictionaries = new Map<Locale, Partial<Words>>();

/** What the first screen says: little enough to wait for. */
const FIRST_LOADERS: Readonly<Record<Locale, () => Promise<{ readonly first: Partial<Words> }>>> = {
  'en-US': () => import('./en-US/first.ts'),
  'zh-CN': () => import('./zh-CN/first.ts'),
  'ko-KR': () => import('./ko-KR/first.ts'),
  'ja-JP': () => import('./ja-JP/first.ts'),
};

/** What all screens say: it grows with every product, and comes after the first screen. */
const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly words: Words }>>> = {
  'en-US': () => import('./en-US/words.ts'),
  'zh-CN': () => import('./zh-CN/words.ts'),
  'ko-KR': () => import('./ko-KR/words.ts'),
  'ja-JP': () => import('./ja-JP/words.ts'),
};

/** Languages of which every sentence is here. */
const complete = new Set<Locale>();

const refusals = new Map<Locale, Refusals>();

/** The sentences of refusals come after the first screen: they are said when somebody has done something. */
const REFUSAL_LOADERS: Readonly<Record<Locale, () => Promise<Refusals>>> = {
  'en-US': async () => (await import('@exchange/wire/words/en-US.ts')).enUS,
  'zh-CN': async () => (await import('@exchange/wire/words/zh-CN.ts')).zhCN,
  'ko-KR': async () => (await import('@exchange/wire/words/ko-KR.ts')).koKR,
  'ja-JP': async () => (await import('@exchange/wire/words/ja-JP.ts')).jaJP,
};

/** The language in use; undefined until the first one is loaded. */
let language: Locale | undefined;
const followers = new Set<() => void>();

/** Loads all of the remembered language. */
export async function startWords(): Promise<void> {
  const locale = rememberedLocale();
  await Promise.all([load(locale), loadRefusals(locale)]);
  speak(locale);
}

/** Loads what the first screen says in the remembered language, before an app renders. Rejects when it does not come. */
export async function startScreens(): Promise<void> {
  const locale = rememberedLocale();
  const { first } = await loadScreen(FIRST_LOADERS[locale], 'first words');
  if (!complete.has(locale)) dictionaries.set(locale, first);
  speak(locale);
  // Reason: a screen that needs more asks again, and without refusals something is told in general words.
  void Promise.all([load(locale), loadRefusals(locale)]).catch(() => undefined);
}

/** Loads a screen together with everything that screens say. Rejects when the network is gone. */
export async function withWords<T>(screen: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([screen, load(currentLocale())]);
  return loaded;
}

/** Changes the language at once and remembers it on this device. */
export async function setLocale(locale: Locale): Promise<void> {
  await Promise.all([load(locale), loadRefusals(locale)]);
  remember(SESSION_KEYS.locale, locale);
  speak(locale);
}

/** Speaks a language to parts of a page that itself stays in its own: nothing remembers it. */
export async function speakInParts(locale: Locale): Promise<void> {
  await load(locale);
  say(locale);
}

/** Speaks the language that a person's account keeps, on a device where nobody has chosen one. */
export function adoptLocale(kept: string): void {
  const locale = LOCALES.find((known) => known === kept);
  if (locale === undefined || locale === currentLocale() || recall(SESSION_KEYS.locale) !== null) return;
  // Reason: words that cannot be fetched leave the page in the language it has.
  void setLocale(locale).catch(() => undefined);
}

/** Speaks the language that was chosen in another tab; gives the way to stop. */
export function followLocaleOfTabs(): () => void {
  // Reason: words that cannot be fetched leave the tab in the language it has, as a lost network does everywhere.
  const follow = () => void startWords().catch(() => undefined);
  const stop = onRemembered(SESSION_KEYS.locale, follow);
  // Another may have been chosen while this tab was loading its words.
  if (language !== undefined && rememberedLocale() !== language) follow();
  return stop;
}

/** Reports when the language has changed; gives the way to stop. */
export function onLocale(follower: () => void): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** The language in use. */
export function currentLocale(): Locale {
  return language ?? DEFAULT_LOCALE;
}

/** The language in use, as React state. */
export function useLocale(): Locale {
  return useSyncExternalStore(onLocale, currentLocale);
}

/** The sentences of one namespace: `const t = useWords('trade'); t('buy')`. */
export function useWords<N extends Namespace>(namespace: N): Say<N> {
  return useSyncExternalStore(onLocale, () => speakerOf(currentLocale(), namespace));
}

type Parameters = Readonly<Record<string, string | number>>;

/** Says a sentence of a namespace with its gaps filled; a key that it does not have does not compile. */
export type Say<N extends Namespace> = (key: keyof Words[N] & string, parameters?: Parameters) => string;

type Speaker = (key: string, parameters?: Parameters) => string;
const speakers = new Map<string, Speaker>();

/**
 * The same function as long as the language stays. A book row asks for its words ten times a second: with a
 * library's rules for plurals, contexts and nesting, none of which our sentences use, that took a third of
 * the time that drawing takes.
 */
function speakerOf(locale: Locale, namespace: Namespace): Speaker {
  const name = `${locale} ${namespace}`;
  const known = speakers.get(name);
  if (known !== undefined) return known;
  const sentences: Readonly<Record<string, string>> | undefined = dictionaries.get(locale)?.[namespace];
  if (sentences === undefined) return silent;
  const speak: Speaker = (key, parameters) => {
    const sentence = sentences[key];
    if (sentence === undefined) return key;
    return parameters === undefined ? sentence : fillWords(withBoundUnits(sentence), parameters, locale);
  };
  speakers.set(name, speak);
  return speak;
}

/** Names of gaps that hold a unit, and the units that sentences name themselves. */
const BEFORE_UNIT = /\}\} (?=\{\{(?:coin|currency|quote|base|unit|symbol)\}\}|(?:USDT|BTC)\b)/g;
const boundSentences = new Map<string, string>();

/** A sentence in which no unit is parted from its figure by the end of a line. */
function withBoundUnits(sentence: string): string {
  let bound = boundSentences.get(sentence);
  if (bound === undefined)
    boundSentences.set(sentence, (bound = sentence.replaceAll(BEFORE_UNIT, '}}\u00A0')));
  return bound;
}

/** Speaks for a namespace that is still under way: an empty place is filled a moment later, a raw key would be read. */
const silent: Speaker = () => '';

function speak(locale: Locale): void {
  document.documentElement.lang = locale;
  say(locale);
}

function say(locale: Locale): void {
  if (locale === language) return;
  language = locale;
  tellFollowers();
}

function tellFollowers(): void {
  for (const follower of followers) follower();
}

/** The sentence of a refusal made on this device, in the words the server would use. */
export function refusalText({ key, parameters }: Pick<Refusal, 'key' | 'parameters'>): string {
  const field = parameters['field'];
  const named = field === undefined ? parameters : { ...parameters, field: fieldName(field) };
  const sentence = refusals.get(currentLocale())?.[key] ?? wordsOf('shell')['error'] ?? key;
  return fillWords(withBoundUnits(sentence), named, currentLocale());
}

/** Text for showing: what starts with `l.` is the key of a sentence, everything else is itself. */
export function labelText(text: string): string {
  if (!text.startsWith('l.')) return text;
  const sentence = refusals.get(currentLocale())?.[text as RefusalKey];
  if (sentence !== undefined) return fillWords(sentence, {}, currentLocale());
  const shell = wordsOf('shell');
  return shell[`label.${text.slice(2)}`] ?? shell['error'] ?? text;
}

/** A sentence of the site's frame, for code that is no component. */
export function wordsOfShell(key: keyof Words['shell'], parameters: Parameters = {}): string {
  return fillWords(wordsOf('shell')[key] ?? key, parameters, currentLocale());
}

/** What a form field is called in a sentence. */
function fieldName(field: string): string {
  return wordsOf('fields')[field] ?? field;
}

function wordsOf(namespace: Namespace): Readonly<Record<string, string | undefined>> {
  return dictionaries.get(currentLocale())?.[namespace] ?? {};
}

/** The language that this device remembers, else the default one. */
export function rememberedLocale(): Locale {
  const remembered = recall(SESSION_KEYS.locale);
  return LOCALES.find((locale) => locale === remembered) ?? DEFAULT_LOCALE;
}

async function load(locale: Locale): Promise<void> {
  if (complete.has(locale)) return;
  const { words } = await LOADERS[locale]();
  dictionaries.set(locale, words);
  complete.add(locale);
  if (locale === language) tellFollowers();
}

async function loadRefusals(locale: Locale): Promise<void> {
  if (!refusals.has(locale)) refusals.set(locale, await REFUSAL_LOADERS[locale]());
}
