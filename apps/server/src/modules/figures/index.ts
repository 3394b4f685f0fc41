import type { UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { Flows } from './flows.ts';
import { figureOperations } from './operations.ts';
import { Periods, type PeriodParts } from './periods.ts';
import { HouseFigures, type FigureParts } from './service.ts';

export type { FigureSources } from './service.ts';

/**
 * figures: the operators' overview of the exchange's own results. It adds the ledger's entries to daily flows, computes
 * the figures that `core/figures.ts` defines, and compares current risk measures with limits that two operators set.
 */
export function createFigures(
  parts: Omit<FigureParts, 'flows'> &
    Pick<PeriodParts, 'signingKey'> & {
      readonly database: Database;
      readonly systemUsers: () => Promise<readonly UserId[]>;
    },
) {
  const flows = new Flows(parts);
  const figures = new HouseFigures({ ...parts, flows });
  const periods = new Periods({ ...parts, flows, figures });
  return {
    name: 'figures',
    figures,
    flows,
    periods,
    operations: figureOperations(figures, periods),
    health: () => figures.health(),
    start: () => figures.start(),
    stop: () => figures.stop(),
  };
}
