export const LOCALES = ['en-US', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/** The locale that an `X-Lang` or `Accept-Language` header asks for; English unless it asks for Chinese. */
export function localeOf(header: string | undefined): Locale {
  return header !== undefined && /^\s*zh\b/i.test(header) ? 'zh-CN' : DEFAULT_LOCALE;
}

/** Fills `{{name}}` in a sentence; a name without a value stays visible as a dash. */
export function fillWords(sentence: string, parameters: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(parameters[name] ?? '–'));
}
