/**
 * api-keys: keys with which programs of users call the public trading API. Owners create, limit and revoke them; the
 * API finds them and verifies signatures.
 */
import type { Route } from '../../platform/http/route.ts';
import { apiKeyRoutes } from './routes.ts';
import { ApiKeys, type ApiKeyParts } from './service.ts';

export { isKeyFormat, type ApiKey, type KeyAction } from './domain.ts';
export type { ApiKeys } from './service.ts';

/** Creates the module. */
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
