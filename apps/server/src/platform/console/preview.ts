import { Decimal, least } from '@exchange/core/decimal.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale, type TextByLocale } from '@exchange/core/locale.ts';

/** Which card of the users' screens shows what is proposed. */
type PreviewKind = 'finance' | 'mining' | 'fund' | 'subscription' | 'announcement' | 'banner';

/** What is proposed as readers of one language would see it. */
interface PreviewView {
  readonly locale: Locale;
  /** Fields that were not written in this language: readers see them in English. */
  readonly inEnglish: readonly string[];
  /** The very data that the users' own call would answer. */
  readonly shown: unknown;
}

/** Proposed terms as users would see them, in each language. */
export interface OperatorPreview {
  readonly kind: PreviewKind;
  readonly views: readonly PreviewView[];
}

/** Presents what is proposed in each language; `texts` are those that operators write, by their fields. */
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

/** The amount of an example: a thousand, or as near to it as one purchase may be. */
export function exampleAmount(minimum: Decimal, maximum?: Decimal): Decimal {
  const wanted = EXAMPLE.isLess(minimum) ? minimum : EXAMPLE;
  return maximum === undefined ? wanted : least(wanted, maximum);
}
