import type { Locale } from '@exchange/core/locale.ts';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';

/** Topics of the exchange's figures that users can verify; each topic has a page of its own. */
export const CHECKS = ['proofs', 'sources', 'times', 'statistics', 'verifier'] as const;
export type Check = (typeof CHECKS)[number];

/**
 * Texts, as marked-up paragraphs, of the legal pages that users need not accept; the other legal texts are agreements,
 * which the server provides.
 */
export interface LegalTexts {
  readonly us: readonly string[];
  readonly legal: readonly string[];
  readonly checks: Readonly<Record<Check, { readonly title: string; readonly text: string }>>;
}

/** Date of the last change of the texts of the legal pages that users need not accept. */
export const PAGES_UPDATED = '2026-11-25';

const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly texts: LegalTexts }>>> = {
  'en-US': () => import('./texts/en-US.ts'),
  'zh-CN': () => import('./texts/zh-CN.ts'),
  'ko-KR': () => import('./texts/ko-KR.ts'),
  'ja-JP': () => import('./texts/ja-JP.ts'),
};

/** Loads the texts of the legal pages that users need not accept, in a language. Rejects when the network fails. */
export async function loadLegalTexts(locale: Locale): Promise<LegalTexts> {
  return (await LOADERS[locale]()).texts;
}

/** The texts of the legal pages that users need not accept, in the interface language. */
export function useLegalTexts() {
  const locale = useLocale();
  return useRead({
    queryKey: ['legal', locale],
    queryFn: () => loadLegalTexts(locale),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
