import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Route } from '../../platform/http/route.ts';
import { ParameterRepository } from './repository.ts';
import { parameterRoutes } from './routes.ts';
import { ParameterService, type Elsewhere, type ServerFacts } from './service.ts';

/**
 * parameters: public settings that are stored in the database, the texts of agreements, and facts about the server such
 * as its mode and version.
 */
export interface Parameters {
  readonly routes: readonly Route[];
}

export interface ParametersDeps extends ServerFacts {
  readonly clock: Clock;
  readonly database: Database;
  readonly elsewhere?: Elsewhere;
}

export function createParameters({ clock, database, elsewhere, ...facts }: ParametersDeps): Parameters {
  const repository = new ParameterRepository(database.reader);
  return { routes: parameterRoutes(new ParameterService(repository, clock, facts, elsewhere)) };
}
