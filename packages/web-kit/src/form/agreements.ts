import { agreement, type AgreementName } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';

const AGREEMENT = 'agreement';
const FRESH_MS = 300_000;

/**
 * Loads an agreement in the interface language with its version number. When the user accepts the agreement, this
 * number is sent to the server.
 */
export function useAgreement(name: AgreementName) {
  const locale = useLocale();
  return useRead({
    queryKey: [AGREEMENT, name, locale],
    queryFn: ({ signal }) => call(agreement, { name, language: locale }, { signal }),
    staleTime: FRESH_MS,
  });
}

/** Refetches all displayed agreements; to be called after the server has reported a newer version. */
export function refetchAgreements(): void {
  void queryClient.invalidateQueries({ queryKey: [AGREEMENT] });
}

/** Splits a text into paragraphs at empty lines; an empty or missing text has no paragraphs. */
export function paragraphsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(/\n{2,}/);
}
