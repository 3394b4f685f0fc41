/** In the order of every menu of languages. */
export const LOCALES = ['en-US', 'zh-CN', 'ko-KR', 'ja-JP'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/** The locale that an `X-Lang` or `Accept-Language` header asks for first; English where that is none of ours. */
export function localeOf(header: string | undefined): Locale {
  const language = /^\s*([a-z]{2})\b/i.exec(header ?? '')?.[1]?.toLowerCase();
  return LOCALES.find((locale) => locale.slice(0, 2) === language) ?? DEFAULT_LOCALE;
}

/** A text that somebody has written for readers: English always, other languages where it was written in them. */
export type TextByLocale = Readonly<Record<'en-US', string> & Partial<Record<Locale, string | undefined>>>;

/** The text in a reader's language, or in English. */
export function textIn(text: TextByLocale, locale: Locale): string {
  return text[locale] ?? text['en-US'];
}

/** What sentences call amounts, prices and limits; what is none of these under such a name is marked as `plain`. */
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
/** In amounts of several coins, such as `1200 USDT + 0.5 BTC`. */
const UNGROUPED_AMONG = /(?<=^|\+ )[1-9]\d{3,}(?:\.\d+)?(?= )/g;
/** Every language of ours groups by thousands with the same sign. */
const GROUP_SIGN = ',';

/**
 * Fills `{{name}}` in a sentence; a name without a value stays visible as a dash. Plain decimals are grouped by
 * thousands where the name is that of an amount, and not in `{{value|plain}}`, which is for memos, versions and other
 * identifiers. `{{count|one:order|other:orders}}` becomes the form that the language's plural rules choose for the
 * parameter `count`.
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

/** The form for a count, of `|one:order|other:orders`; the last one where the count's own is not listed. */
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
