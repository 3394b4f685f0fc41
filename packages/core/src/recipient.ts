import type { Decimal } from './decimal.ts';
import { nameProblem, personName } from './kyc.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Who receives a withdrawal, as its owner states it for the travel-rule record. */
export interface Recipient {
  /** True if the withdrawing user is the recipient, with a wallet or account of their own. */
  readonly isOwn: boolean;
  /** Full name of another person who receives the withdrawal; empty if the user receives it. */
  readonly name: string;
  /** The exchange or provider that hosts the destination address; empty for a private wallet. */
  readonly provider: string;
}

export const PROVIDER_MAX = 100;

/**
 * Whether a withdrawal needs a travel-rule record of its recipient: if its `value` is at least the threshold
 * `from` (both in USDT). Without a threshold none is needed.
 */
export function needsRecipient(value: Decimal, from: Decimal | undefined): boolean {
  return from !== undefined && !value.isLess(from);
}

/** Returns a refusal if the stated recipient of a withdrawal is incomplete or invalid. */
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
