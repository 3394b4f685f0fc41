import { createHash } from 'node:crypto';
import { instant } from '@exchange/core/time.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { auditText, type AuditFacts } from './domain.ts';
import { auditAfter, insertAudit, lastAudit, type AuditRow } from './repository.ts';

const START = Buffer.alloc(32);
const PAGE = 1_000;

/** Appends a row to the audit log's hash chain, in a transaction of its own. */
export async function writeAudit(database: Database, facts: AuditFacts): Promise<void> {
  await database.transaction(async (tx) => {
    const lastRow = await lastAudit(tx);
    const sequence = (lastRow?.sequence ?? 0) + 1;
    const { at, approvedBy, ...texts } = facts;
    const hash = hashOf(lastRow?.hash ?? START, auditText(sequence, facts));
    await insertAudit(tx, {
      ...texts,
      sequence: BigInt(sequence),
      at: BigInt(at),
      approved_by: approvedBy ?? null,
      hash,
    });
  });
}

/**
 * Verifies the audit log's hash chain from its first row. Returns the sequence number of the first row that is missing
 * or whose hash is wrong; undefined if the chain is intact.
 */
export async function findBrokenAuditRow(reader: Reader): Promise<number | undefined> {
  let hash: Buffer = START;
  let sequence = 0;
  for (;;) {
    const rows = await auditAfter(reader, sequence, PAGE);
    for (const row of rows) {
      sequence += 1;
      const expected = hashOf(hash, auditText(sequence, factsOf(row)));
      if (Number(row.sequence) !== sequence || !expected.equals(row.hash)) return sequence;
      hash = expected;
    }
    if (rows.length < PAGE) return undefined;
  }
}

function factsOf(row: AuditRow): AuditFacts {
  const { operator, action, event, parameters, fields, reason, result } = row;
  return {
    operator,
    action,
    event,
    parameters,
    fields,
    reason,
    result,
    at: instant(Number(row.at)),
    approvedBy: row.approved_by ?? undefined,
  };
}

function hashOf(previous: Buffer, text: string): Buffer {
  return createHash('sha256').update(previous).update(text).digest();
}
