/**
 * public-api: the exchange for programs, in the wire format that most trading tools speak. It reads and trades
 * through the same modules as the apps: one market, one ledger, one set of limits.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { MountedApi } from '../../platform/http/mounted-api.ts';
import type { Page } from '../../platform/http/page.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { IdOrigin } from '../../platform/sequencer/step-ids.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Records, Spot } from '../spot/index.ts';
import { chartRoutes } from './chart-routes.ts';
import { listingRoutes } from './listing-routes.ts';
import { marketRoutes } from './market-routes.ts';
import { openApiPage } from './open-api-routes.ts';
import { ListedPairs } from './pair-routes.ts';
import { PublicApi } from './routes.ts';
import { ApiMarket } from './service.ts';
import { tradingRoutes } from './trading-routes.ts';
import { createApiTrading } from './trading-service.ts';

interface PublicApiParts {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly assets: Assets;
  readonly market: Market;
  readonly spot: Spot;
  readonly records: Records;
  readonly identity: Identity;
  readonly keys: ApiKeys;
  readonly reader: Reader;
  /** The step in which an id was generated. */
  readonly originOf: (id: string) => IdOrigin;
}

/** Creates the module. */
export function createPublicApi(parts: PublicApiParts): {
  readonly name: 'public api';
  readonly apis: readonly MountedApi[];
  readonly pages: readonly Page[];
} {
  const { limits, spot } = parts;
  const market = new ApiMarket(parts);
  const trading = createApiTrading({ ...parts, spot });
  const shared = { market, trading, pairs: new ListedPairs(market) };
  const chargeOrder = (owner: string) =>
    limits.charge({ limit: 'apiOrder', weight: 1 }, { addressGroup: '', userId: owner });
  const handlers = [
    ...marketRoutes(shared),
    ...tradingRoutes({ ...shared, chargeOrder }),
    ...chartRoutes(shared),
    ...listingRoutes(shared),
  ];
  return {
    name: 'public api',
    apis: [new PublicApi({ ...parts, handlers })],
    pages: [openApiPage(parts.version)],
  };
}
