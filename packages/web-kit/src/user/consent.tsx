import type { ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';

interface ConsentProps {
  readonly terms: ReactNode;
  readonly privacy: ReactNode;
}

const LINK = '\n';

/** The sentence of consent around its two links; every language names the terms first. */
export function Consent({ terms, privacy }: ConsentProps) {
  const t = useWords('user');
  const [before, between, after] = t('agree', { terms: LINK, privacy: LINK }).split(LINK);
  return (
    <>
      {before}
      {terms}
      {between}
      {privacy}
      {after}
    </>
  );
}
