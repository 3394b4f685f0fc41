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

/** The texts that are accepted with an account, in the versions that the page shows. */
interface ConsentTexts {
  /** Undefined until both were loaded. */
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
      for (const one of [terms, privacy]) if (one.data === undefined) void one.refetch();
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
 * The form of a registration and the texts that are accepted with it. `linkCode` is the code of the invitation link
 * that led here, or empty; without one the code of the last link on this device is filled in.
 */
export function useRegisterForm(linkCode: string) {
  const texts = useConsentTexts();
  useEffect(() => storeInvitation(linkCode), [linkCode]);
  const [invitationCode] = useState(() => (linkCode === '' ? storedInvitation() : linkCode));
  const form = useForm(
    initialRegister(invitationCode),
    (values) => registerProblems(values, texts.versions),
    // The code of a link that has just been opened counts more than one that was typed before.
    linkCode === '' ? REGISTRATION : REGISTRATION_BY_LINK,
  );
  return { form, texts };
}

interface ConsentProps {
  readonly form: FormState<RegisterForm>;
  readonly texts: ConsentTexts;
  /** The links to both texts. */
  readonly terms: ReactNode;
  readonly privacy: ReactNode;
}

const LINK = '\n';

/**
 * The box that is ticked for both texts, and the sentence around its two links; every language names the terms first.
 * What was ticked are the versions that were there: with others it is not ticked any more.
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
