import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { ParameterRepository } from './repository.ts';

/** Settings that the operator keeps in the database, and what a page asks before it draws anything. */
export interface Parameters {
  readonly routes: readonly Route[];
}

export interface ParametersDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly mode: 'demo' | 'live';
  readonly version: string;
}

/** Names that may be answered to anybody. A row must be public as well: one slip alone gives nothing away. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'customer_service_email',
  'customer_service_url',
  'contract_fee_rate',
]);

export function createParameters({ clock, database, mode, version }: ParametersDeps): Parameters {
  const repository = new ParameterRepository(database.reader);
  return {
    routes: [
      route(parameter, async ({ paramName }) => ({
        valueName: PUBLIC_NAMES.has(paramName) ? ((await repository.publicValue(paramName)) ?? '') : '',
      })),
      route(serverInfo, () => ({ mode, time: clock.now(), version })),
    ],
  };
}
