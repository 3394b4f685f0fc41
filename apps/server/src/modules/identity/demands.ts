import { createHash } from 'node:crypto';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { DemandedCall, DemandEnforcer } from '../../platform/http/demands.ts';
import { boundTo } from './confirmed-action.ts';
import { proveAuthenticator, publishRecoveryCodeUse } from './authenticator.ts';
import { requirePasskey } from './passkeys.ts';
import { requireOwnAccount } from './system-users.ts';
import type { IdentityParts } from './parts.ts';
import { requireTradePassword } from './trade-passwords.ts';

/** The checks of what endpoints require besides a session, such as a mailed code or a verified identity. */
export function identityDemands(parts: IdentityParts): readonly DemandEnforcer[] {
  return [
    {
      demand: 'ownAccount',
      fields: [],
      enforce: async ({ caller }) => {
        const account = await parts.accounts.byId(caller.session.userId);
        if (account !== undefined) requireOwnAccount(account);
        return undefined;
      },
    },
    {
      demand: 'verified',
      fields: [],
      enforce: async ({ caller }) => {
        const account = await parts.accounts.byId(caller.session.userId);
        if (account?.kycStatus === KYC_STATUS.verified) return undefined;
        throw new Refused(refusal('verificationRequired', 'l.verification_required'));
      },
    },
    {
      demand: 'tradePassword',
      fields: ['assetsPwd'],
      enforce: async ({ fields, caller }) => {
        await requireTradePassword(parts, caller.session.userId, fields['assetsPwd'] as string | undefined);
        return undefined;
      },
    },
    {
      demand: 'mailCode',
      fields: ['code', 'googleCode', 'passkey'],
      enforce: (call) =>
        call.fields['passkey'] === undefined ? requireMailedCode(parts, call) : confirmByPasskey(parts, call),
    },
  ];
}

/**
 * Verifies the mailed code, and the authenticator code if the account has an authenticator. Marks both as used for this
 * request; a repetition with the same idempotency key is accepted again, unless a recovery code was used. Returns a
 * function that makes those codes valid again that this call has marked as used; may be undefined if there are none.
 */
async function requireMailedCode(parts: IdentityParts, { endpoint, fields, caller }: DemandedCall) {
  const code = fields['code'] as string | undefined;
  if (code === undefined) throw new Refused(refusal('secondFactor', 'l.enter_code', { field: 'code' }));
  const { userId } = caller.session;
  const account = await parts.accounts.byId(userId);
  const purpose = endpoint.access.mailCode;
  if (account === undefined || purpose === undefined) throw new Error(`${endpoint.path} demands no code`);
  const claim = claimOf({ endpoint, caller });
  const { authenticator } = account;
  const authenticatorProof =
    authenticator === undefined
      ? undefined
      : await proveAuthenticator(
          parts,
          { ...account, authenticator },
          fields['googleCode'] as string | undefined,
          { countedBy: caller.session.id, claim, takesRecovery: endpoint.access.takesRecoveryCode === true },
        );
  const about = boundTo({ endpoint, fields });
  const proving = { email: account.email, purpose, lane: 'own', about } as const;
  const claimed = await parts.codes.claim(proving, code, claim);
  if (claimed === undefined) {
    const hasFields = (endpoint.access.mailCodeBinds ?? []).length > 0;
    const key = hasFields ? 'l.code_other_deed' : 'l.code_invalid';
    throw new Refused(refusal('secondFactor', key, { field: 'code' }));
  }
  if (authenticatorProof === undefined) return claimed.giveBack;
  try {
    const giveBack = await parts.database.transaction((tx) => authenticatorProof.use(tx));
    publishRecoveryCodeUse(parts, userId, authenticatorProof);
    return async () => {
      await giveBack?.();
      await claimed.giveBack?.();
    };
  } catch (thrown) {
    if (thrown instanceof Refused) await claimed.giveBack?.();
    throw thrown;
  }
}

/**
 * Verifies a passkey of the caller in place of the mailed code and the authenticator code, and marks its challenge as
 * used for this request; a repetition with the same idempotency key is accepted again. If the request fails, the
 * challenge stays used, because the user can get a new one at once.
 */
async function confirmByPasskey(parts: IdentityParts, { endpoint, fields, caller }: DemandedCall) {
  const claim = claimOf({ endpoint, caller });
  const about = boundTo({ endpoint, fields });
  const proven = await requirePasskey(parts, caller, fields['passkey'] as string, { about, claim });
  await parts.database.transaction((tx) => proven.use(tx));
  await proven.warn();
  return undefined;
}

/**
 * Digest that identifies a request by its idempotency key; undefined for a request without such a key, and for an
 * endpoint that does not support one.
 */
function claimOf({ endpoint, caller }: Pick<DemandedCall, 'endpoint' | 'caller'>): Buffer | undefined {
  if (!endpoint.idempotent || caller.key === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([caller.session.userId, endpoint.path, caller.key]))
    .digest();
}
