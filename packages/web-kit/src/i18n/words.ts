import type { Refusal, RefusalKey } from '@exchange/core/refusal.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { DEFAULT_LOCALE, fillWords, LOCALES, type Locale } from '@exchange/core/locale.ts';
import i18next, { type TFunction } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { recall, remember } from '../storage.ts';
import type { Words } from './resources.ts';

export { LOCALES, type Locale };
export type Namespace = keyof Words;

interface Dictionary {
  readonly words: Words;
  readonly refusals: Readonly<Record<RefusalKey, string>>;
}

/** What languages are called in themselves. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  'en-US': 'English (US)',
  'zh-CN': '简体中文',
};

const refusals = new Map<Locale, Dictionary['refusals']>();

const LOADERS: Readonly<Record<Locale, () => Promise<Dictionary>>> = {
  'en-US': () => import('./en-US/words.ts'),
  'zh-CN': () => import('./zh-CN/words.ts'),
};

/** Loads the remembered language; the first thing an app does. */
export async function startWords(): Promise<void> {
  const locale = rememberedLocale();
  await i18next.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    keySeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    resources: {},
  });
  await load(locale);
  document.documentElement.lang = locale;
}

/** Changes the language at once and remembers it on this device. */
export async function setLocale(locale: Locale): Promise<void> {
  await load(locale);
  remember(SESSION_KEYS.locale, locale);
  document.documentElement.lang = locale;
  await i18next.changeLanguage(locale);
}

/** The language in use. */
export function currentLocale(): Locale {
  return i18next.language === 'zh-CN' ? 'zh-CN' : DEFAULT_LOCALE;
}

/** The language in use, as React state. */
export function useLocale(): Locale {
  return useTranslation().i18n.language === 'zh-CN' ? 'zh-CN' : DEFAULT_LOCALE;
}

/** The sentences of one namespace: `const t = useWords('trade'); t('buy')`. */
export function useWords<N extends Namespace>(namespace: N): TFunction<N> {
  return useTranslation(namespace).t as TFunction<N>;
}

/** The sentence of a refusal made on this device, in the words the server would use. */
export function refusalText({ key, parameters }: Pick<Refusal, 'key' | 'parameters'>): string {
  const field = parameters['field'];
  const named = field === undefined ? parameters : { ...parameters, field: fieldName(field) };
  return fillWords(refusals.get(currentLocale())?.[key] ?? key, named);
}

/** Text for showing: what starts with `l.` is the key of a sentence, everything else is itself. */
export function labelText(text: string): string {
  if (!text.startsWith('l.')) return text;
  const sentence = refusals.get(currentLocale())?.[text as RefusalKey];
  if (sentence !== undefined) return fillWords(sentence, {});
  const key = `shell:label.${text.slice(2)}`;
  return i18next.t(key, { defaultValue: i18next.t('shell:error') });
}

/** What a form field is called in a sentence. */
function fieldName(field: string): string {
  const key = `fields:${field}`;
  return i18next.t(key, { defaultValue: field });
}

function rememberedLocale(): Locale {
  const remembered = recall(SESSION_KEYS.locale);
  return LOCALES.find((locale) => locale === remembered) ?? DEFAULT_LOCALE;
}

async function load(locale: Locale): Promise<void> {
  if (refusals.has(locale)) return;
  const dictionary = await LOADERS[locale]();
  for (const [namespace, sentences] of Object.entries(dictionary.words)) {
    i18next.addResourceBundle(locale, namespace, sentences);
  }
  refusals.set(locale, dictionary.refusals);
}
