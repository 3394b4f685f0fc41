import * as wire from '@exchange/wire/api-key.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { presentKey } from './present.ts';
import { optionalInstant, requireAddresses, type ApiKeys } from './service.ts';

/** The calls with which owners manage their keys. */
export function apiKeyRoutes(keys: ApiKeys): Route[] {
  return [
    route(wire.apiKeys, async (_fields, { session }) => ({
      list: (await keys.list(session.userId)).map(presentKey),
    })),
    route(wire.createApiKey, async (fields, { session }) => {
      const { apiKey, secret } = await keys.create(session.userId, {
        name: fields.name,
        mayTrade: fields.trade,
        addresses: requireAddresses(fields.addresses ?? '', wire.API_KEY_ADDRESSES_MAX),
        expiresAt: optionalInstant(fields.expireTime),
        publicKey: fields.publicKey === '' ? undefined : fields.publicKey,
      });
      return { ...presentKey(apiKey), secret };
    }),
    route(wire.revokeApiKey, async ({ id }, { session }) => {
      await keys.revoke(session.userId, id);
      return { list: (await keys.list(session.userId)).map(presentKey) };
    }),
    route(wire.revokeApiKeys, async (_fields, { session }) => {
      await keys.revoke(session.userId);
      return { list: (await keys.list(session.userId)).map(presentKey) };
    }),
  ];
}
