import { LOCALES } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS } from '@exchange/core/time.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import { FieldValues, requireText } from '../../platform/console/field-values.ts';
import { textFields, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { HOLD_HOURS_MAX } from '../identity/index.ts';
import { userOf, type CustomerParts } from './parts.ts';

const TITLE_MAX = 120;
const TEXT_MAX = 2_000;
const SUMMARY_MAX = 140;

/** What operators do about a user: nothing of it moves money, a price or an outcome. */
export function customerDeeds(parts: CustomerParts): Operation[] {
  const { identity } = parts;
  const deed = (path: string, summary: string, more: Omit<Operation, 'method' | 'path' | 'summary'>) =>
    ({ method: 'POST', path: `/ops/users/:user${path}`, summary, ...more }) satisfies Operation;
  return [
    deed('/freeze', 'Freezes an account: every session ends, and nothing leaves it.', {
      roles: ['support', 'approver'],
      run: (call) => restrict(parts, call, { frozen: true }),
    }),
    deed('/unfreeze', 'Unfreezes an account.', {
      roles: ['support', 'approver'],
      secondPerson: { evidence: (call) => restrictionEvidence(parts, call) },
      run: (call) => restrict(parts, call, { frozen: false }),
    }),
    deed('/purchases', 'Permits or stops purchases; selling, redeeming and withdrawing never depend on it.', {
      roles: ['support', 'approver'],
      fields: { mayPurchase: { label: 'May purchase', kind: 'switch' } },
      run: (call) => restrict(parts, call, { mayPurchase: new FieldValues(call.fields).isOn('mayPurchase') }),
    }),
    deed('/hold', 'Holds withdrawals for so many hours from now, at most 720; 0 ends a hold.', {
      roles: ['support', 'finance', 'approver'],
      fields: { hours: { label: 'Hours', kind: 'whole' } },
      check: hoursOf,
      secondPerson: {
        // A hold that ends, or ends sooner, lets money out.
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
        const until = await identity.desk.hold(id, hoursOf(call), reasonOf(call));
        return { user: id, withdrawalsHeldUntil: until };
      },
    }),
    deed('/end-sessions', 'Signs a user out on every device.', {
      roles: ['support', 'approver'],
      run: async (call) => {
        const { id } = await userOf(parts, call);
        return { user: id, ended: await identity.desk.endSessions(id, undefined, reasonOf(call)) };
      },
    }),
    deed('/sessions/:session/end', 'Signs a user out on one device.', {
      roles: ['support', 'approver'],
      run: async (call) => {
        const { id } = await userOf(parts, call);
        const only = (await identity.desk.sessions(id)).find(
          (session) => session.id === call.parameters['session'],
        );
        if (only === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        return { user: id, ended: await identity.desk.endSessions(id, only.id, reasonOf(call)) };
      },
    }),
    deed('/message', 'Writes to a user’s inbox, in the language that they read.', {
      roles: ['support'],
      fields: { ...textFields('title', 'Title', 'text'), ...textFields('text', 'Text', 'longText') },
      run: async (call) => {
        const { id } = await userOf(parts, call);
        await parts.messages.deliver(id, { type: 'system', kind: 'operatorNote', parameters: noteOf(call) });
        return { user: id };
      },
    }),
  ];
}

/** Whose account it is, how it is restricted, and what the last change of that was. */
async function restrictionEvidence(
  parts: CustomerParts,
  call: OperatorCall,
): Promise<{ facts: ApprovalEvidence['facts']; context: NonNullable<ApprovalEvidence['context']> }> {
  const account = await userOf(parts, call);
  const { rows } = await parts.identity.desk.events(account.id, undefined);
  const last = rows.find(({ kind }) => kind === 'restricted' || kind === 'frozenByOwner');
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
      lastChange: last?.detail,
      lastChangeAt: last?.at,
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

function reasonOf(call: OperatorCall): string {
  const { by, reason } = whyOf(call);
  return `${by}: ${reason}`;
}

function hoursOf({ fields }: OperatorCall): number {
  const hours = new FieldValues(fields).whole('hours');
  if (hours <= HOLD_HOURS_MAX) return hours;
  const about = { field: 'hours', limit: String(HOLD_HOURS_MAX), value: String(hours) };
  throw new Refused(refusal('aboveMaximum', 'l.field_max', about));
}

/** Title and text in every language; where one was left out, its readers get English. */
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
