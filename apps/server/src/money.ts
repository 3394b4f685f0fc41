import type { AnyCommand } from './platform/sequencer/command.ts';
import type { Database } from './platform/database/database.ts';
import type { createAssets } from './modules/assets/index.ts';
import { convertReplay } from './modules/convert/index.ts';
import { depositsReplay } from './modules/deposits/index.ts';
import { faucetReplay } from './modules/faucet/index.ts';
import { financeHolds, financeReplay } from './modules/finance/index.ts';
import { fundHolds, fundReplay } from './modules/fund/index.ts';
import { inviteReplay } from './modules/invite/index.ts';
import { ledgerReplay, type HoldSource, type Ledger } from './modules/ledger/index.ts';
import { miningHolds, miningReplay } from './modules/mining/index.ts';
import { secondsHolds, secondsReplay } from './modules/seconds/index.ts';
import { subscriptionHolds, subscriptionReplay } from './modules/subscription/index.ts';
import { spotHolds, spotReplay } from './modules/spot/index.ts';
import { withdrawalHolds, withdrawalsReplay } from './modules/withdrawals/index.ts';

/** What a module's commands need when nobody asks for them but the journal. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly pairs: ReturnType<typeof createAssets>['pairs'];
  readonly coins: ReturnType<typeof createAssets>['coins'];
}

/** A module through which money moves, as those see it who check all of them. */
interface MoneyModule {
  readonly name: string;
  /** What it holds of its users' money at the moment; for the reconciliation and the audit. */
  readonly holds?: HoldSource;
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
  { name: 'ledger', replay: ledgerReplay },
  { name: 'faucet', replay: faucetReplay },
  { name: 'spot', holds: spotHolds, replay: spotReplay },
  { name: 'finance', holds: financeHolds, replay: financeReplay },
  { name: 'convert', replay: convertReplay },
  { name: 'mining', holds: miningHolds, replay: miningReplay },
  { name: 'fund', holds: fundHolds, replay: fundReplay },
  { name: 'subscription', holds: subscriptionHolds, replay: subscriptionReplay },
  { name: 'seconds', holds: secondsHolds, replay: secondsReplay },
  { name: 'invite', replay: inviteReplay },
  { name: 'deposits', replay: depositsReplay },
  { name: 'withdrawals', holds: withdrawalHolds, replay: withdrawalsReplay },
];

/** What users' money is held for, of all modules. */
export const HOLDS: readonly HoldSource[] = MONEY_MODULES.flatMap(({ holds }) => holds ?? []);
