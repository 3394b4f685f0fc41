import type { Decimal } from './decimal.ts';
import { nameProblem, personName } from './kyc.ts';
import { refusal, type Refusal } from './refusal.ts';

/** The recipient of a withdrawal, as stated by the user for the travel-rule record. */
export interface Recipient {
  /** True if the user who withdraws is the recipient, in a wallet or account of their own. */
  readonly isOwn: boolean;
  /** Full name of the recipient if it is another person; empty if the user is the recipient. */
  readonly name: string;
  /** The exchange or provider to which the destination address belongs; empty for a private wallet. */
  readonly provider: string;
}

export const PROVIDER_MAX = 100;

/**
 * Returns whether a withdrawal needs a travel-rule record of its recipient. It does if its `value` is at least the
 * threshold `from` (both in USDT). Without a threshold no withdrawal needs one.
 */
export function needsRecipient(value: Decimal, from: Decimal | undefined): boolean {
  return from !== undefined && !value.isLess(from);
}

/**
 * Returns a refusal if the stated recipient of a withdrawal is incomplete or invalid; otherwise undefined. No name is
 * needed if the recipient is the user.
 */
export function recipientProblem({ isOwn, name, provider }: Recipient): Refusal | undefined {
  if (provider.trim().length > PROVIDER_MAX)
    return refusal('invalidField', 'l.field_too_long', {
      field: 'recipientProvider',
      limit: String(PROVIDER_MAX),
    });
  if (isOwn) return undefined;
  const field = 'recipientName';
  if (personName(name) === '') return refusal('invalidField', 'l.recipient_required', { field });
  const problem = nameProblem(name);
  if (problem === undefined) return undefined;
  if (problem.key === 'l.field_too_long')
    return refusal('invalidField', problem.key, { ...problem.parameters, field });
  return refusal('invalidField', 'l.recipient_name_format', { field });
}
