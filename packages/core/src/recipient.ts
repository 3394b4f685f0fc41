import type { Decimal } from './decimal.ts';
import { nameProblem, personName } from './kyc.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Who receives a withdrawal, as its owner states it for the travel-rule record. */
export interface Recipient {
  /** The owner receives it, in a wallet or account of their own. */
  readonly isOwn: boolean;
  /** Full name of another recipient; empty if the owner receives it. */
  readonly name: string;
  /** The exchange or provider that holds the address; empty for a private wallet. */
  readonly provider: string;
}

export const PROVIDER_MAX = 100;

/** Whether a withdrawal needs a travel-rule record. `value` and `from` are in USDT; without `from` none does. */
export function needsRecipient(value: Decimal, from: Decimal | undefined): boolean {
  return from !== undefined && !value.isLess(from);
}

/** Why a stated recipient is incomplete or invalid; undefined if it is complete. */
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
