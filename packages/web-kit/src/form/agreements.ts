import { agreement, type AgreementName } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';

const AGREEMENT = 'agreement';
const FRESH_MS = 300_000;

/** The text of an agreement in the language of the page, with the version that is accepted with it. */
export function useAgreement(name: AgreementName) {
  const locale = useLocale();
  return useRead({
    queryKey: [AGREEMENT, name, locale],
    queryFn: ({ signal }) => call(agreement, { name, language: locale }, { signal }),
    staleTime: FRESH_MS,
  });
}

/** Asks for the texts anew, where the server has said that there is another version. */
export function askForAgreements(): void {
  void queryClient.invalidateQueries({ queryKey: [AGREEMENT] });
}

/** An empty line parts paragraphs. */
export function paragraphsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(/\n{2,}/);
}
