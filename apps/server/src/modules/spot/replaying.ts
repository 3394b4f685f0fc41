import type { Pair, PairFilters } from '@exchange/core/pair.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { readCommand, runCommand } from './commands.ts';
import { SpotExchange } from './exchange.ts';
import { loadExchange } from './loading.ts';

/** The exchange without its service: carries out again what the journal says was asked. */
export class SpotReplay {
  private readonly exchange: SpotExchange;
  private readonly database: Database;
  private readonly ledger: Ledger;

  constructor(parts: {
    pairs: readonly { readonly pair: Pair; readonly filters: PairFilters }[];
    database: Database;
    ledger: Ledger;
  }) {
    this.database = parts.database;
    this.ledger = parts.ledger;
    this.exchange = new SpotExchange(parts.ledger);
    for (const { pair, filters } of parts.pairs) this.exchange.list(pair, filters, new PriceTimeBook());
  }

  /** Reads the books of the base copy; of an empty database, empty ones. */
  load(): Promise<void> {
    return loadExchange(this.exchange, this.database, this.ledger);
  }

  /** Whose accounts the step will touch first; makers were there before. */
  ownerOf(input: unknown): UserId | undefined {
    return (input as { owner?: UserId }).owner;
  }

  /** One recorded step again. Throws where it is refused now: it was not then. */
  run(step: Step, operation: string, input: unknown): void {
    runCommand(this.exchange, step, readCommand(operation, input));
  }
}
