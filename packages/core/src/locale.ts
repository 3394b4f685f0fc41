/** Supported languages, in the order in which language menus list them. */
export const LOCALES = ['en-US', 'zh-CN', 'ko-KR', 'ja-JP'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/**
 * Returns the supported locale for the first language of an `X-Lang` or `Accept-Language` header, whatever its region.
 * Returns English if that language is not supported.
 */
export function localeOf(header: string | undefined): Locale {
  const language = /^\s*([a-z]{2})\b/i.exec(header ?? '')?.[1]?.toLowerCase();
  return LOCALES.find((locale) => locale.slice(0, 2) === language) ?? DEFAULT_LOCALE;
}

/** A text in several languages. English is always present. */
export type TextByLocale = Readonly<Record<'en-US', string> & Partial<Record<Locale, string | undefined>>>;

/** Returns the text in the reader's language, or in English if it has no such text. */
export function textIn(text: TextByLocale, locale: Locale): string {
  return text[locale] ?? text['en-US'];
}

/**
 * Names of sentence parameters whose values are amounts, prices or limits. A sentence marks a parameter with one of
 * these names as `plain` if its value is something else.
 */
const NUMBERS: ReadonlySet<string> = new Set([
  'after',
  'amount',
  'arrival',
  'before',
  'committed',
  'day',
  'fee',
  'filled',
  'from',
  'fromAmount',
  'interest',
  'last',
  'least',
  'left',
  'limit',
  'loss',
  'margin',
  'max',
  'min',
  'month',
  'price',
  'principal',
  'quantity',
  'stake',
  'stop',
  'threshold',
  'to',
  'toAmount',
  'total',
  'value',
]);
const UNGROUPED = /^-?[1-9]\d{3,}(?:\.\d+)?$/;
/**
 * Matches each number from 1000 on that has no thousands separators in a list of amounts, such as `1200` in
 * `1200 USDT + 0.5 BTC`.
 */
const UNGROUPED_AMONG = /(?<=^|\+ )[1-9]\d{3,}(?:\.\d+)?(?= )/g;
/** Thousands separator of all supported languages. */
const GROUP_SIGN = ',';

/**
 * Replaces each `{{name}}` in a sentence by the parameter with this name, or by a dash if the parameter is missing. A
 * number gets thousands separators if its parameter is named in `NUMBERS`, or if it is part of the list of amounts
 * `amounts`. `{{value|plain}}` prevents this for memos, versions and other identifiers.
 * `{{count|one:order|other:orders}}` selects a form by the plural rules of the language for the parameter `count`.
 */
export function fillWords(
  sentence: string,
  parameters: Readonly<Record<string, string | number>>,
  locale: Locale,
): string {
  return sentence.replace(/\{\{(\w+)(\|plain|(?:\|\w+:[^|}]*)*)\}\}/g, (_, name: string, forms: string) => {
    const text = String(parameters[name] ?? '–');
    if (forms === '|plain') return text;
    if (forms !== '') return pluralForm(forms, text, locale);
    if (name === 'amounts') return text.replaceAll(UNGROUPED_AMONG, grouped);
    return NUMBERS.has(name) && UNGROUPED.test(text) ? grouped(text) : text;
  });
}

const pluralRules = new Map<Locale, Intl.PluralRules>();

/**
 * Selects the form for a count from `|one:order|other:orders` by the plural category of the count; the last form if the
 * list has none for this category.
 */
function pluralForm(forms: string, count: string, locale: Locale): string {
  let rules = pluralRules.get(locale);
  if (rules === undefined) pluralRules.set(locale, (rules = new Intl.PluralRules(locale)));
  const category = /^\d+$/.test(count) ? rules.select(Number(count)) : 'other';
  const listed = forms
    .slice(1)
    .split('|')
    .map((form) => form.split(':') as [category: string, form: string]);
  return (listed.find(([name]) => name === category) ?? listed.at(-1)!)[1];
}

function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP_SIGN);
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
