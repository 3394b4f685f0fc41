import * as wire from '@exchange/wire/api-key.ts';
import { mapPage, pageAnswer, route, submissionRoute, type Route } from '../../platform/http/route.ts';
import { WEIGHT_PER_MINUTE } from '@exchange/wire/public-api/calls.ts';
import { presentKey, presentRequest } from './present.ts';
import { optionalInstant, requireAddresses, type ApiKeys } from './service.ts';

/**
 * Returns the HTTP endpoints with which users list, create and revoke their API keys and read the request
 * logs of the keys.
 */
export function apiKeyRoutes(keys: ApiKeys): Route[] {
  return [
    route(wire.apiKeys, async ({ subAccount }, { session }) => ({
      list: (await keys.list(await keys.requireOwner(session.userId, subAccount))).map(presentKey),
    })),
    route(wire.apiKeyRequests, async ({ id, subAccount, unproven, ...fields }, { session }) => {
      const owner = await keys.requireOwner(session.userId, subAccount);
      const ring = unproven === true ? 'unproven' : 'proven';
      const { page, unprovenCount, usedWeight } = await keys.requests(owner, { id, ring }, fields);
      return {
        ...pageAnswer(mapPage(page, presentRequest), fields),
        unprovenCount,
        usedWeight,
        weightLimit: WEIGHT_PER_MINUTE,
      };
    }),
    submissionRoute(wire.createApiKey, {
      operation: 'apiKeys.create',
      serve: async (fields, caller) => {
        const newKey = {
          ...commonFields(fields),
          mayTransfer: fields.transfer ?? false,
          withdrawalLimit: undefined,
        };
        const { submission } = caller;
        const owner = await keys.requireOwner(caller.session.userId, fields.subAccount);
        const { apiKey, secret } = await keys.create(owner, newKey, { caller, submission });
        return { ...presentKey(apiKey), secret };
      },
      restore: async (stored, { session }, { subAccount }) => {
        const created = JSON.parse(stored) as ReturnType<typeof presentKey>;
        const owner = await keys.requireOwner(session.userId, subAccount);
        return { ...created, secret: await keys.secretForRepetition(owner, created.id) };
      },
    }),
    submissionRoute(wire.createWithdrawalKey, {
      operation: 'apiKeys.createWithdrawal',
      serve: async ({ withdrawalLimit, ...fields }, caller) => {
        const newKey = { ...commonFields(fields), mayTransfer: false, withdrawalLimit };
        const { submission, session } = caller;
        const { apiKey, secret } = await keys.create(session.userId, newKey, { caller, submission });
        return { ...presentKey(apiKey), secret };
      },
      restore: async (stored, { session }) => {
        const created = JSON.parse(stored) as ReturnType<typeof presentKey>;
        return { ...created, secret: await keys.secretForRepetition(session.userId, created.id) };
      },
    }),
    route(wire.revokeApiKey, async ({ id, subAccount }, caller) => {
      const owner = await keys.requireOwner(caller.session.userId, subAccount);
      await keys.revoke(owner, id, { caller });
      return { list: (await keys.list(owner)).map(presentKey) };
    }),
    route(wire.revokeApiKeys, async ({ subAccount }, caller) => {
      const owner = await keys.requireOwner(caller.session.userId, subAccount);
      await keys.revoke(owner, undefined, { caller });
      return { list: (await keys.list(owner)).map(presentKey) };
    }),
  ];
}

/**
 * Converts the fields that the requests for an ordinary API key and for a key that may withdraw have in
 * common; refuses an invalid list of IP addresses.
 */
function commonFields(fields: {
  readonly name: string;
  readonly trade: boolean;
  readonly addresses?: string | undefined;
  readonly expireTime?: number | undefined;
  readonly publicKey?: string | undefined;
}) {
  return {
    name: fields.name,
    mayTrade: fields.trade,
    addresses: requireAddresses(fields.addresses ?? '', wire.API_KEY_ADDRESSES_MAX),
    expiresAt: optionalInstant(fields.expireTime),
    publicKey: fields.publicKey === '' ? undefined : fields.publicKey,
  };
}
