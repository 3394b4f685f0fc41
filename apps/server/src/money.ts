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
import { withdrawalHolds, withdrawalsReplay } from './modules/withdrawals/index.ts';

/** What a module's commands need when nobody asks for them but the journal. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly pairs: ReturnType<typeof createAssets>['pairs'];
  readonly coins: ReturnType<typeof createAssets>['coins'];
}

/** Rows of a table as a checkpoint has them; see `platform/checkpoint`. */
type ReplayTable = string | Omit<CheckpointPart, 'name'>;

/** A module through which money moves, as those see it who check all of them. */
interface MoneyModule {
  readonly name: string;
  /** What it holds of its users' money at the moment; for the reconciliation and the audit. */
  readonly holds?: HoldSource;
  /**
   * What its commands begin with behind a checkpoint: the tables that they read or change, all rows unless told
   * otherwise, and of two tables the one that the other refers to first.
   */
  readonly tables: readonly ReplayTable[];
  /** Its commands on their own, for a replay of the journal, and how its state in memory is read first. */
  readonly replay: (parts: ReplayParts) => Replayed;
}

export interface Replayed {
  readonly commands: readonly AnyCommand[];
  readonly load?: () => Promise<void>;
  /**
   * What a replay has to make again, each as a query that gives one text (`row`) per row and a fixed order
   * (`turn`).
   */
  readonly state: Readonly<Record<string, string>>;
}

/** Every module that moves money, the lower ones first. A new product is added here and in `compose.ts`. */
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
        // A job removes them some time after they have expired.
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
    name: 'deposits',
    tables: ['deposit'],
    replay: depositsReplay,
  },
  {
    name: 'withdrawals',
    tables: ['withdrawal_address', 'withdrawal_whitelist', 'withdrawal', 'withdrawal_time'],
    holds: withdrawalHolds,
    replay: withdrawalsReplay,
  },
];

/** What a checkpoint consists of, of all modules. */
export const CHECKPOINT_PARTS: readonly CheckpointPart[] = MONEY_MODULES.flatMap(({ tables }) =>
  tables.map((table) =>
    typeof table === 'string'
      ? { name: table, table }
      : { ...table, name: table.rows === undefined ? table.table : `${table.table} where ${table.rows}` },
  ),
);

/** What users' money is held for, of all modules. */
export const HOLDS: readonly HoldSource[] = MONEY_MODULES.flatMap(({ holds }) => holds ?? []);

/** What an audit compares besides: what modules keep that follows from the ledger. */
export const AUDIT_CHECKS: readonly AuditCheck[] = [costProblems];
