import { DAY_MS } from '@exchange/core/time.ts';
import { operationNamed } from '@exchange/wire/console/catalogue.ts';
import * as described from '@exchange/wire/console/operators.ts';
import { userDecisions } from '@exchange/wire/console/users.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  OperatorFile,
  serveAction,
  serveList,
  type CallFields,
  type Operation,
} from '../../platform/console/operation.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import { csvRow } from '../../platform/csv.ts';
import type { Database } from '../../platform/database/database.ts';
import { recordRow } from '../../platform/database/table-records.ts';
import { inLane } from '../../platform/database/lanes.ts';
import { findBrokenAuditRow } from './audit.ts';
import { auditRows, type AuditFilter, type AuditRow } from './repository.ts';

const PAGE = 50;
/** Number of rows that an audit log export reads per query. */
const EXPORT_PAGE = 1_000;

/** What the audit log's operations read: the database with the log, and the ids of a user's objects. */
export interface AuditSources {
  readonly database: Database;
  /**
   * Returns the ids of a user's newest objects about which operators decide, such as withdrawals; older ones are left
   * out. Audit rows about these ids count as decisions about the user.
   */
  readonly relatedTo: (user: string) => Promise<readonly string[]>;
}

/** Audit log operations: filtered pages, export, the decisions about one user, and verification of the hash chain. */
export function auditOperations({ database, relatedTo }: AuditSources): Operation[] {
  return [
    serveList(described.auditLog, async ({ fields }) => {
      const rows = await auditRows(database.reader, { ...filterOf(fields), limit: PAGE });
      return { list: rows.map(presentRow), next: rows.length < PAGE ? undefined : nextOf(rows) };
    }),
    serveAction(described.auditExport, {
      run: async ({ fields }) => {
        const filter = filterOf(fields);
        // The first page is read before the response starts, so that a failure is still reported as an error.
        const firstPage = await auditRows(database.reader, { ...filter, limit: EXPORT_PAGE });
        return new OperatorFile('audit.csv', auditParts(database, filter, firstPage));
      },
    }),
    serveList(userDecisions, async ({ parameters, fields }) => {
      const user = parameters['user'] ?? '';
      const subjects = [user, ...(await relatedTo(user))];
      const rows = await auditRows(database.reader, { subjects, before: beforeOf(fields), limit: PAGE });
      return { list: rows.map(presentRow), next: rows.length < PAGE ? undefined : nextOf(rows) };
    }),
    serveAction(described.checkAudit, {
      run: async () => {
        const brokenAt = await findBrokenAuditRow(database.reader);
        return { isWhole: brokenAt === undefined, brokenAt };
      },
    }),
  ];
}

/** Source of operators' decisions about a user, for the user's timeline; rows about operators' reads are left out. */
export function decisionRecords({ database, relatedTo }: AuditSources): RecordSource {
  return {
    kind: 'decision',
    page: async (owner, { before, from, to, limit }) => {
      const rows = await auditRows(database.reader, {
        subjects: [owner, ...(await relatedTo(owner))],
        isChange: true,
        from,
        to,
        before: beforeOf({ before }),
        limit,
      });
      return rows.map((row) =>
        recordRow({
          id: String(row.sequence),
          owner,
          at: Number(row.at),
          cursor: String(row.sequence),
          event: `${operationNamed(row.action)?.name ?? row.action}, by ${row.operator}`,
          status: row.event,
          detail: {
            reason: row.reason,
            approvedBy: row.approved_by ?? '',
            fields: row.fields,
            result: row.result,
            hash: row.hash.toString('hex'),
          },
        }),
      );
    },
  };
}

/**
 * Yields the audit log rows that match `filter` as CSV: the header, then `firstPage`, then the further pages.
 * A further page is read from the database only after the client has received the previous one.
 */
async function* auditParts(
  database: Database,
  filter: ReturnType<typeof filterOf>,
  firstPage: AuditRow[],
): AsyncGenerator<string, void> {
  yield csvRow(Object.keys(AUDIT_COLUMNS));
  let rows = firstPage;
  for (;;) {
    yield rows.map((row) => csvRow(Object.values(AUDIT_COLUMNS).map((cell) => cell(row)))).join('');
    const lastRow = rows.at(-1);
    if (lastRow === undefined || rows.length < EXPORT_PAGE) return;
    const nextPage = { ...filter, before: Number(lastRow.sequence), limit: EXPORT_PAGE };
    rows = await inLane('operators', () => auditRows(database.reader, nextPage));
  }
}

function filterOf(fields: CallFields): AuditFilter & { readonly before: number } {
  const values = new FieldValues(fields);
  const valueOf = (name: string) => (values.isSet(name) ? values.text(name).trim() : undefined);
  const subject = valueOf('subject');
  const to = values.day('to');
  return {
    operator: valueOf('operator'),
    action: valueOf('operation'),
    from: values.day('from'),
    subjects: subject === undefined ? undefined : [subject],
    to: to === undefined ? undefined : to + DAY_MS - 1,
    before: beforeOf(fields),
  };
}

/**
 * Returns the sequence number below which the rows of the requested page lie; pages are read newest first. Without a
 * well-formed `before` it is above every row, so the page is the first one.
 */
function beforeOf({ before = '' }: CallFields): number {
  return /^\d{1,15}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
}

function nextOf(rows: readonly AuditRow[]): string {
  return String(rows.at(-1)?.sequence);
}

function presentRow({ hash, approved_by: approvedBy, sequence, at, ...row }: AuditRow) {
  return {
    sequence: Number(sequence),
    at: Number(at),
    ...row,
    approvedBy,
    hash: hash.toString('hex').slice(0, 16),
  };
}

const AUDIT_COLUMNS = {
  sequence: (row: AuditRow) => String(row.sequence),
  time: (row: AuditRow) => new Date(Number(row.at)).toISOString(),
  operator: (row: AuditRow) => row.operator,
  operation: (row: AuditRow) => row.action,
  event: (row: AuditRow) => row.event,
  parameters: (row: AuditRow) => row.parameters,
  fields: (row: AuditRow) => row.fields,
  reason: (row: AuditRow) => row.reason,
  'approved by': (row: AuditRow) => row.approved_by ?? '',
  result: (row: AuditRow) => row.result,
  hash: (row: AuditRow) => row.hash.toString('hex'),
};
