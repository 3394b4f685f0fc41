import { PUSH_DEVICES_MAX, type PushKind } from '@exchange/core/push.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as wire from '@exchange/wire/push.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { PushDevice, PushPreferences } from './domain.ts';
import type { Push } from './service.ts';

/** The endpoints of push devices and push messages. */
export function pushRoutes(push: Push): readonly Route[] {
  return [
    route(wire.pushDevices, async (_, { session }) => ({
      publicKey: await push.publicKey(),
      list: (await push.devices(session.userId)).map((device) => present(device)),
      limit: PUSH_DEVICES_MAX,
    })),
    route(wire.subscribePush, async (fields, { session, userAgent }) => {
      const { endpoint, p256dh, auth, token } = fields;
      const { kinds, timeZone, quiet } = preferencesOf(fields);
      const subscription = { endpoint, p256dh, auth, token, kinds, timeZone, quiet };
      return present(await push.subscribe(session, subscription, userAgent));
    }),
    route(wire.changePush, async (fields, { session }) =>
      present(await push.change(session.userId, fields.id, preferencesOf(fields))),
    ),
    route(wire.removePush, async ({ id }, { session }) => ({ count: await push.remove(session.userId, id) })),
    route(wire.renewPush, async ({ token, endpoint, p256dh, auth }) => {
      await push.renew(token, { endpoint, p256dh, auth });
      return {};
    }),
    route(wire.readPush, ({ token, nonce }) => push.read(token, nonce)),
  ];
}

function preferencesOf({
  kinds,
  timeZone,
  quietFrom: from,
  quietTo: to,
}: {
  readonly kinds: readonly PushKind[];
  readonly timeZone: string;
  readonly quietFrom?: number | undefined;
  readonly quietTo?: number | undefined;
}): PushPreferences {
  if (from === undefined && to === undefined) return { kinds, timeZone, quiet: undefined };
  if (from === undefined || to === undefined) {
    const field = from === undefined ? 'quietFrom' : 'quietTo';
    throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  }
  return { kinds, timeZone, quiet: { from, to } };
}

function present(device: PushDevice) {
  return {
    id: device.id,
    name: device.name,
    kinds: [...device.kinds],
    quietFrom: device.quiet?.from ?? -1,
    quietTo: device.quiet?.to ?? -1,
    timeZone: device.timeZone,
    createTime: device.createdAt,
    lastSentTime: device.lastSentAt,
  };
}
