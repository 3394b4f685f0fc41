import type { Locale } from '@exchange/core/locale.ts';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';

/** Topics that users can verify, each with its own page. */
export const CHECKS = ['proofs', 'sources', 'times', 'statistics', 'verifier'] as const;
export type Check = (typeof CHECKS)[number];

/** The pages that need no acceptance, as marked-up paragraphs; agreements come from the server. */
export interface LegalTexts {
  readonly us: readonly string[];
  readonly legal: readonly string[];
  readonly checks: Readonly<Record<Check, { readonly title: string; readonly text: string }>>;
}

/** Date of the last change of these pages. */
export const PAGES_UPDATED = '2026-11-25';

const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly texts: LegalTexts }>>> = {
  'en-US': () => import('./texts/en-US.ts'),
  'zh-CN': () => import('./texts/zh-CN.ts'),
  'ko-KR': () => import('./texts/ko-KR.ts'),
  'ja-JP': () => import('./texts/ja-JP.ts'),
};

/** Loads the legal texts in a language. Rejects on network failure. */
export async function loadLegalTexts(locale: Locale): Promise<LegalTexts> {
  return (await LOADERS[locale]()).texts;
}

/** The legal texts in the current language. */
export function useLegalTexts() {
  const locale = useLocale();
  return useRead({
    queryKey: ['legal', locale],
    queryFn: () => loadLegalTexts(locale),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
