import type { AccountVersions } from '@exchange/core/agreements.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { useAgreement } from '../form/agreements.ts';
import type { Draft } from '../form/drafts.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { consentProblem, initialRegister, registerProblems, type RegisterForm } from './forms.ts';
import { storedInvitation, storeInvitation } from './invitation.ts';

/** The agreements that a user accepts at registration, in the displayed versions. */
interface ConsentTexts {
  /** The displayed versions of both agreements; undefined until loaded. */
  readonly versions: AccountVersions | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

function useConsentTexts(): ConsentTexts {
  const [terms, privacy] = [useAgreement('user'), useAgreement('privacy')];
  return {
    versions: terms.data &&
      privacy.data && { termsVersion: terms.data.version, privacyVersion: privacy.data.version },
    error: terms.error ?? privacy.error,
    retry: () => {
      for (const query of [terms, privacy]) if (query.data === undefined) void query.refetch();
    },
  };
}

const REGISTRATION: Draft<RegisterForm> = {
  name: 'registration',
  fields: ['email', 'invitationCode'],
};
const REGISTRATION_BY_LINK: Draft<RegisterForm> = {
  name: 'registration',
  fields: ['email'],
};

/**
 * The registration form and its agreements. `linkCode` is the code of the invitation link that opened the
 * page, or empty; without it, the code of the last invitation link on this device is filled in.
 */
export function useRegisterForm(linkCode: string) {
  const texts = useConsentTexts();
  useEffect(() => storeInvitation(linkCode), [linkCode]);
  const [invitationCode] = useState(() => (linkCode === '' ? storedInvitation() : linkCode));
  const form = useForm(
    initialRegister(invitationCode),
    (values) => registerProblems(values, texts.versions),
    // The invitation code of a newly opened link overrides a code typed earlier.
    linkCode === '' ? REGISTRATION : REGISTRATION_BY_LINK,
  );
  return { form, texts };
}

interface ConsentProps {
  readonly form: FormState<RegisterForm>;
  readonly texts: ConsentTexts;
  /** Link to the terms. */
  readonly terms: ReactNode;
  readonly privacy: ReactNode;
}

const LINK = '\n';

/**
 * Checkbox that accepts both agreements, with a sentence around their links; every language names the terms
 * first. Consent applies to the displayed versions: the checkbox is cleared when they change.
 */
export function Consent({ form, texts: { versions, error, retry }, terms, privacy }: ConsentProps) {
  const t = useWords('user');
  const [before, between, after] = t('agree', { terms: LINK, privacy: LINK }).split(LINK);
  const { agree } = form.values;
  if (error !== null) return <LoadFailed error={error} onRetry={retry} />;
  return (
    <Checkbox
      checked={agree !== null && consentProblem(agree, versions) === undefined}
      disabled={versions === undefined}
      onChange={(isTicked) => form.set('agree', isTicked && versions !== undefined ? versions : null)}
      error={form.errorOf('agree')}
      label={
        <>
          {before}
          {terms}
          {between}
          {privacy}
          {after}
        </>
      }
    />
  );
}
