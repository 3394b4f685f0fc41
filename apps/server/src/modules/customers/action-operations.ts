import { isUuid } from '@exchange/core/ids.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import * as described from '@exchange/wire/console/users.ts';
import { FieldValues, requireText } from '../../platform/console/field-values.ts';
import {
  serveAction,
  whyOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { HOLD_HOURS_MAX } from '../identity/index.ts';
import { userOf, type CustomerParts } from './parts.ts';

const TITLE_MAX = 120;
const TEXT_MAX = 2_000;
const SUMMARY_MAX = 140;

/** Console operations on a user's account. None of them moves money or changes a price or a result. */
export function customerActions(parts: CustomerParts): Operation[] {
  const { identity } = parts;
  return [
    serveAction(described.freezeUser, { run: (call) => restrict(parts, call, { frozen: true }) }),
    serveAction(described.unfreezeUser, {
      secondPerson: { evidence: (call) => restrictionEvidence(parts, call) },
      run: (call) => restrict(parts, call, { frozen: false }),
    }),
    serveAction(described.permitPurchases, {
      run: (call) => restrict(parts, call, { mayPurchase: new FieldValues(call.fields).isOn('mayPurchase') }),
    }),
    serveAction(described.holdWithdrawals, {
      check: hoursOf,
      secondPerson: {
        // Ending or shortening a hold permits withdrawals earlier, so it needs a second operator.
        isNeeded: async (call) => {
          const { holdUntil } = await userOf(parts, call);
          const now = parts.clock.now();
          return holdUntil > now && now + hoursOf(call) * HOUR_MS < holdUntil;
        },
        evidence: async (call) => {
          const { facts, context } = await restrictionEvidence(parts, call);
          return { facts: { ...facts, hours: hoursOf(call) }, context };
        },
      },
      run: async (call) => {
        const { id } = await userOf(parts, call);
        const heldUntil = await identity.desk.hold(id, hoursOf(call), reasonOf(call));
        return { user: id, withdrawalsHeldUntil: heldUntil };
      },
    }),
    serveAction(described.endUserSessions, {
      run: async (call) => {
        const { id } = await userOf(parts, call);
        return { user: id, ended: await identity.desk.endSessions(id, undefined, reasonOf(call)) };
      },
    }),
    serveAction(described.endUserSession, {
      run: async (call) => {
        const { id } = await userOf(parts, call);
        const session = (await identity.desk.sessions(id)).find(
          ({ id: sessionId }) => sessionId === call.parameters['session'],
        );
        if (session === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        return { user: id, ended: await identity.desk.endSessions(id, session.id, reasonOf(call)) };
      },
    }),
    serveAction(described.removeUserPasskey, {
      check: (call) => passkeyOf(parts, call),
      secondPerson: { evidence: (call) => passkeyEvidence(parts, call) },
      run: async (call) => {
        const { account, passkey } = await passkeyOf(parts, call);
        await identity.desk.removePasskey(account.id, passkey.id, reasonOf(call));
        return { user: account.id, passkey: passkey.id };
      },
    }),
    serveAction(described.revokeUserApiKeys, { run: (call) => revokeApiKeys(parts, call, undefined) }),
    serveAction(described.revokeUserApiKey, {
      run: (call) => revokeApiKeys(parts, call, call.parameters['key'] ?? ''),
    }),
    serveAction(described.messageUser, {
      run: async (call) => {
        const { id } = await userOf(parts, call);
        await parts.messages.deliver(id, { type: 'system', kind: 'operatorNote', parameters: noteOf(call) });
        return { user: id };
      },
    }),
  ];
}

/**
 * What the second operator sees who approves the end of a freeze, or the end or shortening of a withdrawal
 * hold: the account, its freeze and hold, and the latest change of these restrictions.
 */
async function restrictionEvidence(
  parts: CustomerParts,
  call: OperatorCall,
): Promise<EvidenceOf<typeof described.unfreezeUser>> {
  const account = await userOf(parts, call);
  const lastChange = await parts.identity.desk.latestEvent(account.id, ['restricted', 'frozenByOwner']);
  return {
    facts: {
      user: account.id,
      uid: account.uid,
      email: account.email,
      isFrozen: account.frozen,
      withdrawalsHeldUntil: account.holdUntil > 0 ? account.holdUntil : undefined,
      heldBecause: account.holdReason,
    },
    context: {
      nameMasked: account.nameMasked,
      createdAt: account.createdAt,
      lastChange: lastChange?.detail,
      lastChangeAt: lastChange?.at,
    },
  };
}

/**
 * Returns the account and the passkey that an operator's call names, and the number of the account's other
 * passkeys; refuses an unknown account or passkey.
 */
async function passkeyOf(parts: CustomerParts, call: OperatorCall) {
  const account = await userOf(parts, call);
  const passkeys = await parts.identity.desk.passkeys(account.id);
  const passkey = passkeys.find(({ id }) => id === call.parameters['passkey']);
  if (passkey === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return { account, passkey, others: passkeys.length - 1 };
}

/**
 * What the second operator sees who approves the removal of a user's passkey: the passkey, the number of the account's
 * other passkeys, and whether the account has an authenticator.
 */
async function passkeyEvidence(
  parts: CustomerParts,
  call: OperatorCall,
): Promise<EvidenceOf<typeof described.removeUserPasskey>> {
  const { account, passkey, others } = await passkeyOf(parts, call);
  return {
    facts: {
      user: account.id,
      uid: account.uid,
      email: account.email,
      passkey: passkey.id,
      name: passkey.name,
      kind: passkey.kind,
      createdAt: passkey.createdAt,
      lastUsedAt: passkey.lastUsedAt > 0 ? passkey.lastUsedAt : undefined,
    },
    context: {
      nameMasked: account.nameMasked,
      hasAuthenticator: account.authenticator !== undefined,
      otherPasskeys: others,
    },
  };
}

async function restrict(
  parts: CustomerParts,
  call: OperatorCall,
  change: { readonly frozen?: boolean; readonly mayPurchase?: boolean },
) {
  const { id } = await userOf(parts, call);
  await parts.identity.restrict(id, { ...change, reason: reasonOf(call) });
  return { user: id, ...change };
}

/**
 * Revokes API keys of the user and of all the user's sub-accounts: the key with this id, or every key if `id` is
 * undefined. Refuses an id that none of these keys has.
 */
async function revokeApiKeys(parts: CustomerParts, call: OperatorCall, id: string | undefined) {
  const user = await userOf(parts, call);
  if (id !== undefined && !isUuid(id)) throw new Refused(refusal('generic', 'l.not_found'));
  const caller = { address: '', userAgent: '' };
  const accounts = await parts.subAccounts.accounts(user.id);
  let revoked = 0;
  for (const owner of [user.id, ...accounts.map((account) => account.id)]) {
    const isOwner = id === undefined || (await parts.apiKeys.list(owner)).some((apiKey) => apiKey.id === id);
    if (isOwner) revoked += await parts.apiKeys.revoke(owner, id, { caller, reason: reasonOf(call) });
  }
  if (id !== undefined && revoked === 0) throw new Refused(refusal('generic', 'l.not_found'));
  return { user: user.id, revoked };
}

function reasonOf(call: OperatorCall): string {
  const { by, reason } = whyOf(call);
  return `${by}: ${reason}`;
}

function hoursOf({ fields }: OperatorCall): number {
  const hours = new FieldValues(fields).whole('hours');
  if (hours <= HOLD_HOURS_MAX) return hours;
  const parameters = { field: 'hours', limit: String(HOLD_HOURS_MAX), value: String(hours) };
  throw new Refused(refusal('aboveMaximum', 'l.field_max', parameters));
}

/**
 * Title, summary and text of a message that an operator sends to the user's inbox, in every language; the English text
 * where a translation is missing. Refuses an empty or too long title or text.
 */
function noteOf({ fields }: OperatorCall): Record<string, string> {
  const values = new FieldValues(fields);
  const [title, text] = [values.byLocale('title'), values.byLocale('text')];
  return Object.fromEntries(
    LOCALES.flatMap((locale) => {
      const [head, body] = [title[locale] ?? title['en-US'], text[locale] ?? text['en-US']];
      requireText('title', head, TITLE_MAX);
      requireText('text', body, TEXT_MAX);
      return [
        [`title@${locale}`, head],
        [`summary@${locale}`, summaryOf(body)],
        [`content@${locale}`, body],
      ];
    }),
  );
}

function summaryOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length <= SUMMARY_MAX ? line : `${line.slice(0, SUMMARY_MAX - 1)}…`;
}
