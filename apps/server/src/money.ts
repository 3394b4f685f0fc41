import type { CheckpointPart } from './platform/checkpoint/checkpoint.ts';
import { convertMoney } from './modules/convert/index.ts';
import { depositsMoney } from './modules/deposits/index.ts';
import { faucetMoney } from './modules/faucet/index.ts';
import { financeMoney } from './modules/finance/index.ts';
import { fundMoney } from './modules/fund/index.ts';
import { inviteMoney } from './modules/invite/index.ts';
import { ledgerMoney, type AuditCheck, type HoldSource, type MoneyModule } from './modules/ledger/index.ts';
import { miningMoney } from './modules/mining/index.ts';
import { costProblems } from './modules/portfolio/index.ts';
import { recurringMoney } from './modules/recurring/index.ts';
import { secondsMoney } from './modules/seconds/index.ts';
import { spotMoney } from './modules/spot/index.ts';
import { subAccountsMoney } from './modules/sub-accounts/index.ts';
import { subscriptionMoney } from './modules/subscription/index.ts';
import { treasuryMoney } from './modules/treasury/index.ts';
import { withdrawalsMoney } from './modules/withdrawals/index.ts';

/**
 * All modules that register commands of the sequencer. A new product with commands is added both here and in
 * `products.ts`.
 */
export const MONEY_MODULES: readonly MoneyModule[] = [
  ledgerMoney,
  faucetMoney,
  spotMoney,
  subAccountsMoney,
  financeMoney,
  convertMoney,
  recurringMoney,
  miningMoney,
  fundMoney,
  subscriptionMoney,
  secondsMoney,
  inviteMoney,
  treasuryMoney,
  depositsMoney,
  withdrawalsMoney,
];

/** The parts of a checkpoint, of all modules: whole database tables, or selected rows of a table. */
export const CHECKPOINT_PARTS: readonly CheckpointPart[] = MONEY_MODULES.flatMap(({ tables }) =>
  tables.map((table) =>
    typeof table === 'string'
      ? { name: table, table }
      : { ...table, name: table.rows === undefined ? table.table : `${table.table} where ${table.rows}` },
  ),
);

/**
 * The sources of all holds: for each module that freezes amounts of users' balances, queries of these amounts. The
 * audit and the reconciliation compare them with the ledger.
 */
export const HOLDS: readonly HoldSource[] = MONEY_MODULES.flatMap(({ holds }) => holds ?? []);

/**
 * Checks of modules whose data must agree with the ledger. An audit executes them in addition to the rules of
 * the ledger.
 */
export const AUDIT_CHECKS: readonly AuditCheck[] = [costProblems];
