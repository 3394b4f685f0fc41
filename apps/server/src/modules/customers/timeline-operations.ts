import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import * as described from '@exchange/wire/console/users.ts';
import { FieldValues, requireText } from '../../platform/console/field-values.ts';
import {
  OperatorFile,
  serveAction,
  serveList,
  type CallFields,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { caseFileParts } from './case-file.ts';
import { insertNote } from './notes-repository.ts';
import { userOf, type CustomerParts } from './parts.ts';
import { timelinePage, timelineSources, type TimelineRow } from './timeline.ts';

const PAGE = 50;
const NOTE_MAX = 500;

/**
 * Console operations on a user's history: the timeline, other accounts that share a device, an IP network or
 * a document number, notes, and the case file.
 */
export function timelineOperations(parts: CustomerParts): Operation[] {
  const kinds = parts.records.filter(({ page }) => page !== undefined).map(({ kind }) => kind);
  const fields = {
    ...described.userTimeline.fields,
    kind: { ...described.userTimeline.fields.kind, choices: kinds },
  };
  return [
    { ...serveList(described.userTimeline, (call) => timeline(parts, call)), fields },
    serveList(described.userShared, (call) => sharedAccounts(parts, call)),
    serveAction(described.noteUser, {
      check: (call) => requireText('reason', call.fields['reason'] ?? '', NOTE_MAX),
      run: async (call) => {
        const { id } = await userOf(parts, call);
        const at = parts.clock.now();
        await insertNote(parts.database.store, {
          id: newId(systemRandom, at),
          owner: id,
          operator: call.operator.name,
          text: call.fields['reason'] ?? '',
          at,
        });
        return { user: id };
      },
    }),
    serveAction(described.userCaseFile, {
      run: async (call) => {
        const account = await userOf(parts, call);
        const { kind, ...period } = queryOf(call.fields);
        const query = { kind, ...period };
        // An unknown kind is refused here, before the first part of the file is sent, because nothing can be refused
        // afterwards. `queryOf` has already refused invalid days.
        await timelinePage(
          timelineSources(parts.records, call.operator),
          account.id,
          { ...query, before: undefined, limit: 1 },
          parts.clock.now(),
        );
        return new OperatorFile(
          `case-${account.uid}.html`,
          caseFileParts(parts, account, { ...query, operator: call.operator }),
        );
      },
    }),
  ];
}

async function timeline(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const sources = timelineSources(parts.records, call.operator);
  const { record = '', before } = call.fields;
  if (record !== '') {
    const row = await openRecord(parts, sources, { id, record });
    return { list: [presentRow(row)] };
  }
  const { rows, next } = await timelinePage(
    sources,
    id,
    { ...queryOf(call.fields), before, limit: PAGE },
    parts.clock.now(),
  );
  return { list: rows.map(presentRow), next };
}

/**
 * Returns a record of the user `id` or of one of the user's sub-accounts; `record` has the form `kind.id`. Refuses all
 * other records with `l.not_found`.
 */
async function openRecord(
  { identity }: CustomerParts,
  sources: Parameters<typeof timelinePage>[0],
  { id, record }: { readonly id: string; readonly record: string },
): Promise<TimelineRow> {
  const [kind = '', recordId = ''] = record.split('.');
  const source = sources.find((candidate) => candidate.kind === kind);
  const row = isUuid(recordId) ? await source?.open?.(recordId) : undefined;
  if (row?.owner === undefined || (await identity.personOf(row.owner)) !== id)
    throw new Refused(refusal('generic', 'l.not_found'));
  return { ...row, kind };
}

function presentRow({ at, kind, event, amount, asset, status, id, detail }: TimelineRow) {
  return {
    at,
    kind,
    event,
    amount,
    asset,
    status,
    id,
    detail: JSON.stringify(detail),
  };
}

/**
 * The filters of a timeline from the fields of a call; days are in UTC, and the last day is included. Refuses
 * invalid days.
 */
function queryOf(fields: CallFields) {
  const { kind = '' } = fields;
  const values = new FieldValues(fields);
  const to = values.day('to');
  return {
    kind: kind === '' ? undefined : kind,
    from: values.day('from'),
    to: to === undefined ? undefined : to + DAY_MS - 1,
  };
}

/**
 * Other accounts that share a device, an IP network or a document number with the user, sorted by the time at
 * which each was last seen with it, latest first.
 */
async function sharedAccounts(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const [sessions, numbers] = await Promise.all([
    parts.identity.desk.sharedSessions(id),
    parts.kyc.sameNumbers(id),
  ]);
  const shared = [
    ...numbers.map(({ user, country, at }) => ({
      user,
      shares: 'document' as const,
      detail: country,
      lastAt: at,
    })),
    ...sessions,
  ].toSorted((left, right) => right.lastAt - left.lastAt);
  const list = await Promise.all(
    shared.map(async ({ user, shares, detail, lastAt }) => {
      const account = await parts.identity.findUser(user);
      return {
        user,
        uid: account?.uid ?? '',
        email: account?.email ?? '',
        shares,
        detail,
        lastAt,
      };
    }),
  );
  return { list };
}
