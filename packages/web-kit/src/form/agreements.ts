import { agreement, type AgreementName } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';

const AGREEMENT = 'agreement';
const FRESH_MS = 300_000;

/** An agreement in the interface language, with the version number that the user's acceptance is sent with. */
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

/** Splits a text into paragraphs at empty lines. */
export function paragraphsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(/\n{2,}/);
}
