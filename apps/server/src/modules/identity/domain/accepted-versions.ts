import { AGREEMENT_VERSIONS, inForce } from '@exchange/core/agreements.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';

/** The versions that somebody accepts with an account. */
export interface AcceptedVersions {
  readonly user: string;
  readonly privacy: string;
}

/** What is asked for where another version is in force; the user agreement first. */
export function versionsProblem({ user, privacy }: AcceptedVersions): Refusal | undefined {
  const about = (limit: string, value: string) => ({ field: 'agree', limit, value });
  if (!inForce(AGREEMENT_VERSIONS.user)(user))
    return refusal('invalidField', 'l.user_agreement', about(AGREEMENT_VERSIONS.user, user));
  if (!inForce(AGREEMENT_VERSIONS.privacy)(privacy))
    return refusal('invalidField', 'l.privacy_policy', about(AGREEMENT_VERSIONS.privacy, privacy));
  return undefined;
}
