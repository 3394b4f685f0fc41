export const LOCALES = ['en-US', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/** The locale that an `X-Lang` or `Accept-Language` header asks for; English unless it asks for Chinese. */
export function localeOf(header: string | undefined): Locale {
  return header !== undefined && /^\s*zh\b/i.test(header) ? 'zh-CN' : DEFAULT_LOCALE;
}

/** What sentences call amounts, prices and limits; ids, codes, years and seconds have other names. */
const NUMBERS: ReadonlySet<string> = new Set([
  'after',
  'amount',
  'before',
  'filled',
  'from',
  'last',
  'limit',
  'price',
  'stop',
  'value',
]);
const UNGROUPED = /^-?[1-9]\d{3,}(?:\.\d+)?$/;
/** Every language of ours groups by thousands with the same sign. */
const GROUP_SIGN = ',';

/**
 * Fills `{{name}}` in a sentence; a name without a value stays visible as a dash. Plain decimals are grouped by
 * thousands where the name is that of an amount.
 */
export function fillWords(sentence: string, parameters: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = String(parameters[name] ?? '–');
    return NUMBERS.has(name) && UNGROUPED.test(text) ? grouped(text) : text;
  });
}

function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP_SIGN);
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
