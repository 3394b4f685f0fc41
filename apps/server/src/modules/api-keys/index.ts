/**
 * api-keys: keys with which users' programs call the public trading API. The owners create and revoke their keys and
 * limit the keys' permissions. The module `public-api` looks the keys up and verifies the signatures of requests.
 */
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Route } from '../../platform/http/route.ts';
import { apiKeyRoutes } from './routes.ts';
import { apiKeyRecords } from './repository.ts';
import { RequestLog } from './request-log.ts';
import { ApiKeys, type ApiKeyParts } from './service.ts';

export { isKeyFormat, withdrawsFrom, type ApiKey, type KeyAction } from './domain.ts';
export type { RequestLog } from './request-log.ts';
export type { ApiKeys } from './service.ts';

/**
 * Creates the module of API keys. After `start`, the module regularly writes the times at which keys were
 * last used, and the requests that were made with keys, to the database.
 */
export function createApiKeys(parts: Omit<ApiKeyParts, 'requests'> & { readonly metrics: Metrics }): {
  readonly name: 'api keys';
  readonly keys: ApiKeys;
  readonly requests: RequestLog;
  readonly routes: readonly Route[];
  readonly records: readonly RecordSource[];
  start(): void;
  stop(): Promise<void>;
} {
  const requests = new RequestLog(parts);
  const keys = new ApiKeys({ ...parts, requests });
  parts.metrics.gauge(
    'api_key_requests_unrecorded',
    'Requests of programs that were not recorded because too many waited to be stored',
    () => requests.unrecorded,
  );
  return {
    name: 'api keys',
    keys,
    requests,
    routes: apiKeyRoutes(keys),
    records: [apiKeyRecords(parts.database.reader)],
    start: () => {
      keys.start();
      requests.start();
    },
    stop: async () => {
      await keys.stop();
      await requests.stop();
    },
  };
}
