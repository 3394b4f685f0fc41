import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Halt, HaltChange } from './halts.ts';
import type { LedgerTables } from './tables.ts';

/** The assets that are halted. */
export async function storedHalts(reader: Reader): Promise<Halt[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_halt_change')
    .distinctOn('asset')
    .selectAll()
    .orderBy('asset')
    .orderBy('sequence', 'desc')
    .execute();
  return rows
    .filter((row) => row.is_halted)
    .map((row) => ({ asset: row.asset, by: row.set_by, reason: row.reason, since: wholeNumber(row.at) }));
}

/** The latest changes, newest first. */
export async function haltChanges(reader: Reader, limit: number): Promise<HaltChange[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_halt_change')
    .selectAll()
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sequence: wholeNumber(row.sequence),
    asset: row.asset,
    isHalted: row.is_halted,
    by: row.set_by,
    reason: row.reason,
    at: wholeNumber(row.at),
  }));
}
