/**
 * ledger: balances and entries. Every change of money is an entry of postings that move value between
 * accounts. Entries are append-only and hash-chained. Balances are in memory for the sequencer's steps and
 * are stored with the same commit. Other modules post in their steps and read balances through this file;
 * they never access its tables. `audit` recomputes everything from the entries. The reconciliation checks new
 * entries every minute and halts an asset whose balances are wrong.
 */
import { ledgerReplay } from './halts.ts';
import type { MoneyModule } from './money-module.ts';

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
export type { MoneyModule } from './money-module.ts';
export {
  holdingsOf,
  holdingsOn,
  storedBalance,
  nextUserValues as worthOfNext,
  type Holdings,
} from './repository.ts';
export { lastEntrySequence, referencesSince } from './repository.ts';
export {
  coinTotals,
  houseAccounts,
  outsideAccounts,
  displayCoinTotals as shownCoinTotals,
} from './house-repository.ts';
export { nextOwedBalances as owedToNext, type OwedBalance as Owed } from './house-repository.ts';
export { Reconciliation } from './reconciliation.ts';
export { Eviction } from './eviction.ts';
export { Halting } from './halting.ts';
export { fundingOperation } from './funding.ts';
export { haltOperations } from './operations.ts';
export { houseOperations } from './operations.ts';
export { ledgerHealth, reconciliationHealth } from './reconciliation.ts';
export { Movements } from './movements.ts';
export { MonthlySums, statementsHealth } from './monthly-sums.ts';
export type { AccountEvent } from './events-repository.ts';
export {
  changesAfter,
  type EntryChanges,
  hasMoreMovements,
  netDepositsIn,
  type OwnerPeriod,
} from './movements-repository.ts';

/** ledger in audit, reconciliation, checkpoints and replay. */
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
