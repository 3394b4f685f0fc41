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

/**
 * State of loading the two agreements that a user accepts at registration: their versions, the error, the
 * retry.
 */
interface ConsentTexts {
  /** The versions of both agreements that the page displays; undefined until they have loaded. */
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
 * State of the registration form and its agreements. `linkCode` is the code in the invitation link that
 * opened the page, and is stored on this device. If it is empty, the code of the last invitation link that
 * was opened on this device is entered in the form.
 */
export function useRegisterForm(linkCode: string) {
  const texts = useConsentTexts();
  useEffect(() => storeInvitation(linkCode), [linkCode]);
  const [invitationCode] = useState(() => (linkCode === '' ? storedInvitation() : linkCode));
  const form = useForm(
    initialRegister(invitationCode),
    (values) => registerProblems(values, texts.versions),
    // For a page that was opened by an invitation link, the code of the link has precedence over a code in the stored
    // draft of the form.
    linkCode === '' ? REGISTRATION : REGISTRATION_BY_LINK,
  );
  return { form, texts };
}

interface ConsentProps {
  readonly form: FormState<RegisterForm>;
  readonly texts: ConsentTexts;
  /** Element with the link to the terms of use. */
  readonly terms: ReactNode;
  readonly privacy: ReactNode;
}

const LINK = '\n';

/**
 * Checkbox by which the user accepts both agreements, in a sentence that links to them; in every language, the sentence
 * names the terms first. The acceptance is for the displayed versions: if they change, the checkbox is no longer
 * checked.
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
