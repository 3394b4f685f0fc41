import type { CheckpointPart } from '../../platform/checkpoint/checkpoint.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AnyCommand } from '../../platform/sequencer/command.ts';
import type { Assets } from '../assets/index.ts';
import type { HoldSource } from './audit-repository.ts';
import type { Ledger } from './service.ts';

/** Services for a module's commands in a replay. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly pairs: Assets['pairs'];
  readonly coins: Assets['coins'];
}

/** A module's commands and state in a replay of the journal. */
export interface ModuleReplay {
  readonly commands: readonly AnyCommand[];
  /** Loads the state that the commands have in memory. */
  readonly load?: () => Promise<void>;
  /**
   * The state that a replay must reproduce: queries that return a text per row (`row`) and a fixed order
   * (`turn`).
   */
  readonly state: Readonly<Record<string, string>>;
}

/** Declares a module that moves money to audit, reconciliation, checkpoints and replay. */
export interface MoneyModule {
  readonly name: string;
  /** The module's open holds, for reconciliation and audit. */
  readonly holds?: HoldSource;
  /**
   * Tables that the module's commands read or change, which a replay from a checkpoint needs. All rows by
   * default; a referenced table comes before the referring one.
   */
  readonly tables: readonly (string | Omit<CheckpointPart, 'name'>)[];
  /** Creates the module's commands for a replay, which are independent of the running module. */
  readonly replay: (parts: ReplayParts) => ModuleReplay;
}
