import type { AnyCommand } from './platform/sequencer/command.ts';
import type { CheckpointPart } from './platform/checkpoint/checkpoint.ts';
import type { Database } from './platform/database/database.ts';
import type { createAssets } from './modules/assets/index.ts';
import { convertReplay } from './modules/convert/index.ts';
import { depositsReplay } from './modules/deposits/index.ts';
import { faucetReplay } from './modules/faucet/index.ts';
import { financeHolds, financeReplay } from './modules/finance/index.ts';
import { fundHolds, fundReplay } from './modules/fund/index.ts';
import { inviteReplay } from './modules/invite/index.ts';
import { ledgerReplay, type AuditCheck, type HoldSource, type Ledger } from './modules/ledger/index.ts';
import { miningHolds, miningReplay } from './modules/mining/index.ts';
import { costProblems } from './modules/portfolio/index.ts';
import { secondsHolds, secondsReplay } from './modules/seconds/index.ts';
import { subscriptionHolds, subscriptionReplay } from './modules/subscription/index.ts';
import { spotHolds, spotReplay, spotTables } from './modules/spot/index.ts';
import { treasuryReplay } from './modules/treasury/index.ts';
import { withdrawalHolds, withdrawalsReplay } from './modules/withdrawals/index.ts';

/** Services for a module's commands in a replay. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly pairs: ReturnType<typeof createAssets>['pairs'];
  readonly coins: ReturnType<typeof createAssets>['coins'];
}

/** Rows of a table in a checkpoint; see `platform/checkpoint`. */
type ReplayTable = string | Omit<CheckpointPart, 'name'>;

/** A module that moves money, as audit, reconciliation and replay use it. */
interface MoneyModule {
  readonly name: string;
  /** The module's open holds, for reconciliation and audit. */
  readonly holds?: HoldSource;
  /**
   * Tables that the module's commands read or change, which a replay from a checkpoint needs. All rows by
   * default; a referenced table comes before the referring one.
   */
  readonly tables: readonly ReplayTable[];
  /** Creates the module's commands for a replay of the journal, with the loading of their state in memory. */
  readonly replay: (parts: ReplayParts) => Replayed;
}

export interface Replayed {
  readonly commands: readonly AnyCommand[];
  readonly load?: () => Promise<void>;
  /**
   * The state that a replay must reproduce: queries that return a text per row (`row`) and a fixed order
   * (`turn`).
   */
  readonly state: Readonly<Record<string, string>>;
}

/** All modules that move money, lower levels first. A new product is added here and in `products.ts`. */
export const MONEY_MODULES: readonly MoneyModule[] = [
  {
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
  },
  {
    name: 'faucet',
    tables: ['faucet_claim'],
    replay: faucetReplay,
  },
  {
    name: 'spot',
    tables: spotTables,
    holds: spotHolds,
    replay: spotReplay,
  },
  {
    name: 'finance',
    tables: [
      'finance_product',
      'finance_product_version',
      'finance_agreement',
      'finance_order',
      'finance_income',
    ],
    holds: financeHolds,
    replay: financeReplay,
  },
  {
    name: 'convert',
    tables: [
      {
        table: 'convert_quote',
        rows: 'accepted_at is not null',
      },
      {
        table: 'convert_quote',
        rows: 'accepted_at is null',
        // A job removes expired quotes after some time.
        isVolatile: true,
      },
    ],
    replay: convertReplay,
  },
  {
    name: 'mining',
    tables: ['mining_product', 'mining_product_version', 'mining_agreement', 'mining_order', 'mining_income'],
    holds: miningHolds,
    replay: miningReplay,
  },
  {
    name: 'fund',
    tables: ['fund_product', 'fund_product_version', 'fund_position', 'fund_sell', 'fund_cost'],
    holds: fundHolds,
    replay: fundReplay,
  },
  {
    name: 'subscription',
    tables: [
      'subscription_project',
      'subscription_project_version',
      'subscription_agreement',
      'subscription_commitment',
    ],
    holds: subscriptionHolds,
    replay: subscriptionReplay,
  },
  {
    name: 'seconds',
    tables: [
      'seconds_terms',
      'seconds_person',
      'seconds_interval',
      'seconds_order',
      'seconds_bucket',
      'seconds_reserve',
      'seconds_day',
      'seconds_transfer',
      'seconds_refund',
      'seconds_figure',
    ],
    holds: secondsHolds,
    replay: secondsReplay,
  },
  {
    name: 'invite',
    tables: ['invite_share', 'invite_reward', 'invite_owed', 'invite_release', 'invite_total'],
    replay: inviteReplay,
  },
  {
    name: 'treasury',
    tables: [
      'treasury_arrival',
      'treasury_payment',
      'treasury_correction',
      'treasury_debt',
      'treasury_pause',
    ],
    replay: treasuryReplay,
  },
  {
    name: 'deposits',
    tables: ['deposit', 'deposit_release'],
    replay: depositsReplay,
  },
  {
    name: 'withdrawals',
    tables: ['withdrawal_address', 'withdrawal_whitelist', 'withdrawal', 'withdrawal_time'],
    holds: withdrawalHolds,
    replay: withdrawalsReplay,
  },
];

/** The tables of a checkpoint, of all modules. */
export const CHECKPOINT_PARTS: readonly CheckpointPart[] = MONEY_MODULES.flatMap(({ tables }) =>
  tables.map((table) =>
    typeof table === 'string'
      ? { name: table, table }
      : { ...table, name: table.rows === undefined ? table.table : `${table.table} where ${table.rows}` },
  ),
);

/** The sources of open holds, of all modules. */
export const HOLDS: readonly HoldSource[] = MONEY_MODULES.flatMap(({ holds }) => holds ?? []);

/** Further checks of an audit: modules' data that must agree with the ledger. */
export const AUDIT_CHECKS: readonly AuditCheck[] = [costProblems];
