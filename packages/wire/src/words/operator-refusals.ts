import type { RefusalKey } from '@exchange/core/refusal.ts';
import { REFUSAL_WORDS } from './refusals.ts';

/**
 * Texts of refusals for operators who act on a user's account, for refusals whose usual text addresses the user. The
 * placeholders are those of the usual text.
 */
export const OPERATOR_REFUSALS: Partial<Readonly<Record<RefusalKey, string>>> = {
  'l.account_frozen':
    'The account is frozen, so nothing leaves it. Unfreeze it on the user’s page first, or reject the request.',
  'l.asset_halted':
    '{{unit}} is halted because its balances are being checked. Nothing of it is posted until the halt is lifted.',
  'l.address_waits':
    'The owner has used this address for less than 24 hours. The withdrawal can be approved in {{hours}} h.',
  'l.withdraw_restoring':
    'After the restore, payments have not been compared with signer and chain yet. Until sending is resumed, nothing can be canceled or rejected; approved withdrawals can be returned.',
  'l.file_unknown': 'This picture is no longer stored.',
  'l.subscribe_foreign': '{{unit}} tokens of this sale cannot be claimed right now.',
};

/** Returns the English text of a refusal, as operators see it. */
export function operatorRefusal(key: RefusalKey): string {
  return OPERATOR_REFUSALS[key] ?? REFUSAL_WORDS['en-US'][key];
}
