import { AUDIT_CHECKS, HOLDS } from '../../money.ts';
import { audit, type AuditReport } from '../../modules/ledger/index.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { openDatabase, type DatabaseConnection } from '../../platform/database/pool.ts';
import { quiet } from './own-database.ts';

const HOUR_MS = 3_600_000;

/** Recomputes all balances of a database from the ledger's first entry on, and reports all problems. */
export async function auditOf(connection: DatabaseConnection): Promise<AuditReport> {
  const pool = openDatabase({ connection, log: quiet, name: 'audit', statementTimeoutMs: HOUR_MS });
  try {
    return await audit(databaseOver(pool).reader, HOLDS, AUDIT_CHECKS);
  } finally {
    await pool.end();
  }
}
