import { Decimal, least } from '@exchange/core/decimal.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/** The kind of card on the users' screens that shows the proposed content. */
type PreviewKind =
  | 'finance'
  | 'mining'
  | 'fund'
  | 'subscription'
  | 'seconds'
  | 'announcement'
  | 'banner'
  | 'pause';

/** Proposed content as users with one language would see it. */
interface PreviewView {
  readonly locale: Locale;
  /** Names of the fields without a text in this language, whose English text is shown. */
  readonly inEnglish: readonly string[];
  /** The data that the users' endpoint would answer for the proposed content. */
  readonly shown: unknown;
}

/** Proposed content as users would see it, in each language. */
export interface OperatorPreview {
  readonly kind: PreviewKind;
  readonly views: readonly PreviewView[];
}

/** Renders the proposed content in each language by `present`. `texts` are the operators' texts by field. */
export function previewIn(
  kind: PreviewKind,
  texts: Readonly<Record<string, TextByLocale>>,
  present: (locale: Locale) => unknown,
): OperatorPreview {
  const views = LOCALES.map((locale) => ({
    locale,
    shown: present(locale),
    inEnglish: Object.entries(texts)
      .filter(([, text]) => locale !== DEFAULT_LOCALE && text[locale] === undefined)
      .map(([field]) => field),
  }));
  return { kind, views };
}

const EXAMPLE = Decimal.parse('1000');

/** An example amount: a thousand, or the nearest amount that a single purchase permits. */
export function exampleAmount(minimum: Decimal, maximum?: Decimal): Decimal {
  const atLeastMinimum = EXAMPLE.isLess(minimum) ? minimum : EXAMPLE;
  return maximum === undefined ? atLeastMinimum : least(atLeastMinimum, maximum);
}
