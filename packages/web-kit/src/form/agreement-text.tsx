import type { AgreementName } from '@exchange/wire/parameter.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { paragraphsOf, useAgreement } from './agreements.ts';

/**
 * Shows the text and the version of an agreement; until it has loaded, placeholders or an error with a retry
 * button.
 */
export function AgreementText({ name }: { readonly name: AgreementName }) {
  const t = useWords('about');
  const { data, isPending, error, refetch } = useAgreement(name);
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={8}>
      {paragraphsOf(data?.text).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p>
        <small>{t('textVersion', { version: data?.version ?? '' })}</small>
      </p>
    </ListBody>
  );
}
