import * as wire from '@exchange/wire/api-key.ts';
import { mapPage, pageAnswer, route, submissionRoute, type Route } from '../../platform/http/route.ts';
import { WEIGHT_PER_MINUTE } from '@exchange/wire/public-api/calls.ts';
import { presentKey, presentRequest } from './present.ts';
import { optionalInstant, requireAddresses, type ApiKeys } from './service.ts';

/** The calls with which owners manage their keys. */
export function apiKeyRoutes(keys: ApiKeys): Route[] {
  return [
    route(wire.apiKeys, async (_fields, { session }) => ({
      list: (await keys.list(session.userId)).map(presentKey),
    })),
    route(wire.apiKeyRequests, async ({ id, ...fields }, { session }) => {
      const { page, usedWeight } = await keys.requests(session.userId, id, fields);
      return {
        ...pageAnswer(mapPage(page, presentRequest), fields),
        usedWeight,
        weightLimit: WEIGHT_PER_MINUTE,
      };
    }),
    submissionRoute(wire.createApiKey, {
      operation: 'apiKeys.create',
      serve: async (fields, caller) => {
        const newKey = {
          name: fields.name,
          mayTrade: fields.trade,
          addresses: requireAddresses(fields.addresses ?? '', wire.API_KEY_ADDRESSES_MAX),
          expiresAt: optionalInstant(fields.expireTime),
          publicKey: fields.publicKey === '' ? undefined : fields.publicKey,
        };
        const { submission } = caller;
        const { apiKey, secret } = await keys.create(caller.session.userId, newKey, { caller, submission });
        return { ...presentKey(apiKey), secret };
      },
      restore: async (stored, { session }) => {
        const created = JSON.parse(stored) as ReturnType<typeof presentKey>;
        return { ...created, secret: await keys.secretForRepetition(session.userId, created.id) };
      },
    }),
    route(wire.revokeApiKey, async ({ id }, caller) => {
      const { userId } = caller.session;
      await keys.revoke(userId, id, { caller });
      return { list: (await keys.list(userId)).map(presentKey) };
    }),
    route(wire.revokeApiKeys, async (_fields, caller) => {
      const { userId } = caller.session;
      await keys.revoke(userId, undefined, { caller });
      return { list: (await keys.list(userId)).map(presentKey) };
    }),
  ];
}
