import { Decimal, least } from '@exchange/core/decimal.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/** The kind of card on the users’ screens that the proposed content will have. */
type PreviewKind =
  | 'finance'
  | 'mining'
  | 'fund'
  | 'subscription'
  | 'seconds'
  | 'announcement'
  | 'banner'
  | 'pause';

/** Proposed content in one language, as users would see it. */
interface PreviewView {
  readonly locale: Locale;
  /** Names of the fields that have no text in this language, so that the English text is shown. */
  readonly inEnglish: readonly string[];
  /** The data that the endpoint for users would return for the proposed content. */
  readonly shown: unknown;
}

/** Proposed content in each language, as users would see it. */
export interface OperatorPreview {
  readonly kind: PreviewKind;
  readonly views: readonly PreviewView[];
}

/**
 * Renders the proposed content by `present` in each language. `texts` are the texts that operators entered, by field;
 * fields without a text in a language are listed with it, because it shows their English text.
 */
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

/** Returns an example amount for a preview: 1000, or the nearest amount that a single purchase permits. */
export function exampleAmount(minimum: Decimal, maximum?: Decimal): Decimal {
  const atLeastMinimum = EXAMPLE.isLess(minimum) ? minimum : EXAMPLE;
  return maximum === undefined ? atLeastMinimum : least(atLeastMinimum, maximum);
}
