import type { Operation } from '../../platform/console/operation.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger } from '../ledger/index.ts';
import { convertCommands } from './commands.ts';
import { seedConvert } from './demo.ts';
import { convertOperations } from './operations.ts';
import { convertRoutes } from './routes.ts';
import { Convert, type ConvertParts } from './service.ts';

/**
 * convert: instant exchange. A quote from the index binds the house for ten seconds and is good once; what the house
 * cannot hand out it does not quote.
 */
export { convertReplay } from './commands.ts';

/** The module as the house puts it together. */
export interface ConvertModule {
  readonly name: 'convert';
  readonly convert: Convert;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createConvert(
  deps: Omit<ConvertParts, 'commands' | 'sequencer'> & {
    readonly jobs: Jobs;
    readonly ledger: Ledger;
    readonly sequencer: Sequencer;
  },
): ConvertModule {
  const { ledger, sequencer, jobs } = deps;
  const commands = convertCommands(ledger);
  sequencer.register(Object.values(commands));
  const convert = new Convert({ ...deps, commands });
  jobs.define('convert.removeStale', () => convert.removeStale(), { cron: '17 * * * *' });
  return {
    name: 'convert',
    convert,
    routes: convertRoutes(convert),
    operations: convertOperations(convert, ledger),
    seed: (demo) => seedConvert(convert, demo),
  };
}
