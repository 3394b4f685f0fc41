/**
 * api-keys: keys with which programs of users call the public trading API. Their owners create and revoke them and limit
 * their permissions; `public-api` looks them up and verifies the signatures of requests.
 */
import type { Route } from '../../platform/http/route.ts';
import { apiKeyRoutes } from './routes.ts';
import { ApiKeys, type ApiKeyParts } from './service.ts';

export { isKeyFormat, type ApiKey, type KeyAction } from './domain.ts';
export type { ApiKeys } from './service.ts';

/** Creates the module; `start` begins to store the times of last uses. */
export function createApiKeys(parts: ApiKeyParts): {
  readonly name: 'api keys';
  readonly keys: ApiKeys;
  readonly routes: readonly Route[];
  start(): void;
  stop(): Promise<void>;
} {
  const keys = new ApiKeys(parts);
  return {
    name: 'api keys',
    keys,
    routes: apiKeyRoutes(keys),
    start: () => keys.start(),
    stop: () => keys.stop(),
  };
}
