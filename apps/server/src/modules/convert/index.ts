import type { ProductManifest } from '../../platform/app-module.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { convertCommands, convertReplay } from './commands.ts';
import { seedConvert } from './demo.ts';
import { inventoryExposures } from './inventory.ts';
import { convertOperations } from './operations.ts';
import { convertRoutes } from './routes.ts';
import { Convert, type ConvertParts } from './service.ts';
import { convertRecords } from './repository.ts';

export { ExchangeSteps, type ExchangeRequest } from './exchange-steps.ts';
export type { Convert } from './service.ts';

/**
 * convert: instant exchange of one coin into another. The rate of a quote is based on the index and is fixed
 * for ten seconds. A newer quote of the same user ends the earlier ones that pay in the same coin if the
 * balance cannot pay for all of them. A quote can be accepted once. The exchange's inventory limits the
 * amounts.
 */

/** Declaration of the module convert for audit, reconciliation, checkpoints and replay. */
export const convertMoney: MoneyModule = {
  name: 'convert',
  tables: [
    {
      table: 'convert_quote',
      rows: 'accepted_at is not null',
    },
    {
      table: 'convert_quote',
      rows: 'accepted_at is null',
      // A replay need not reproduce open quotes, because a job deletes those that have expired.
      isVolatile: true,
    },
  ],
  replay: convertReplay,
};

/** Creates the module: registers its commands, and defines the job that deletes expired quotes. */
export function createConvert(
  deps: Omit<ConvertParts, 'commands' | 'market' | 'sequencer'> & {
    readonly jobs: Jobs;
    readonly ledger: Ledger;
    readonly market: Market;
    readonly sequencer: Sequencer;
  },
) {
  const { ledger, market, sequencer, jobs } = deps;
  const commands = convertCommands(ledger);
  sequencer.register(Object.values(commands));
  const convert = new Convert({ ...deps, commands });
  jobs.define('convert.removeStale', () => convert.removeStale(), { cron: '17 * * * *' });
  return {
    name: 'convert',
    convert,
    routes: convertRoutes(convert),
    operations: convertOperations(convert, { ledger, market }),
    exposures: () => Promise.resolve(inventoryExposures(convert, ledger)),
    seed: (demo) => seedConvert(convert, demo),
    records: [convertRecords(deps.database.reader)],
  } satisfies ProductManifest;
}
