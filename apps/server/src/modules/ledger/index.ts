/**
 * ledger: balances and entries. Every change of money is an entry of postings that move value between accounts. Entries
 * are append-only and hash-chained. Balances are in memory for the sequencer's steps and are stored with the same
 * commit. Other modules post in their steps and read balances through this file; they never write to its tables.
 * `audit` checks all entries, balances and holds. The reconciliation checks new entries every minute and halts an asset
 * whose balances are wrong.
 */
import { ledgerReplay } from './halts.ts';
import type { CheckpointPart } from '../../platform/checkpoint/checkpoint.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AnyCommand } from '../../platform/sequencer/command.ts';
import type { Assets } from '../assets/index.ts';
import type { HoldSource } from './audit-repository.ts';
import type { Ledger } from './service.ts';

export { Ledger } from './service.ts';
export { Quotas } from './quotas.ts';
export { balanceChanged, type BalanceChanged } from './account.ts';
export {
  addressOf,
  addressText,
  houseAddress,
  ISSUE,
  isEntryKind,
  kindsOfEvents,
  typeOfEvent,
  userAddress,
  worldAddress,
  type Address,
  type AuditProblem,
  type EntryKind,
  type EventType,
  type HouseAccount,
  type Posting,
} from './domain.ts';
export { audit, type AuditCheck, type AuditReport } from './audit.ts';
export type { HoldSource } from './audit-repository.ts';
export { holdingsOf, holdingsOn, storedBalance, nextUserValues, type Holdings } from './repository.ts';
export { lastEntrySequence, referencesSince } from './repository.ts';
export { coinTotals, houseAccounts, outsideAccounts, displayCoinTotals } from './house-repository.ts';
export { nextOwedBalances, type OwedBalance } from './house-repository.ts';
export { Reconciliation } from './reconciliation.ts';
export { Eviction } from './eviction.ts';
export { assetHaltChanged, Halting } from './halts.ts';
export { fundingOperation, type FundingParts } from './funding.ts';
export { haltOperations } from './operations.ts';
export { houseOperations } from './operations.ts';
export { ledgerHealth, reconciliationHealth } from './reconciliation.ts';
export { Movements } from './movements.ts';
export { MonthlySums, statementsHealth } from './monthly-sums.ts';
export { feesOfEntries, type AccountEvent } from './events-repository.ts';
export {
  changesAfter,
  type EntryChanges,
  hasMoreMovements,
  netDepositsIn,
  type OwnerEntries,
} from './movements-repository.ts';

/** The services from which a module creates its commands for a replay of the journal. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly pairs: Assets['pairs'];
  readonly coins: Assets['coins'];
}

/** The commands of a module for a replay of the journal, and the state that the replay must reproduce. */
export interface ModuleReplay {
  readonly commands: readonly AnyCommand[];
  /** Loads the state that the commands need into memory, before the replay starts. */
  readonly load?: () => Promise<void>;
  /**
   * The state that a replay must reproduce: SQL queries with the columns `row` (a stored row as text) and `turn` (by
   * which the rows are sorted).
   */
  readonly state: Readonly<Record<string, string>>;
}

/** Declaration of a module that moves money, for the audit, the reconciliation, checkpoints and the replay. */
export interface MoneyModule {
  readonly name: string;
  /** The module's open holds, for reconciliation and audit. */
  readonly holds?: HoldSource | readonly HoldSource[];
  /**
   * Tables that the module's commands read or change, which a replay from a checkpoint needs. All
   * rows by default; a referenced table comes before the referring one.
   */
  readonly tables: readonly (string | Omit<CheckpointPart, 'name'>)[];
  /** Creates the module's commands for a replay, which are independent of the running module. */
  readonly replay: (parts: ReplayParts) => ModuleReplay;
}

/** Declaration of the ledger module for the audit, the reconciliation, checkpoints and the replay. */
export const ledgerMoney: MoneyModule = {
  name: 'ledger',
  tables: [
    'ledger_account',
    {
      table: 'ledger_entry',
      rows: 'sequence = (select max(sequence) from ledger_entry)',
      history: 'true',
    },
    'ledger_halt_change',
  ],
  replay: ledgerReplay,
};
