import { getVerify, submitVerify } from '@exchange/wire/kyc.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { presentStanding } from './present.ts';
import type { Kyc } from './service.ts';

/** The calls of wire/kyc and the use cases that serve them. */
export function kycRoutes(kyc: Kyc, pretends: boolean): Route[] {
  return [
    route(submitVerify, async (fields, { session, key }) => {
      await kyc.submit(session.userId, fields, key);
      return { status: 1 as const };
    }),
    route(getVerify, async (_, { session }) => presentStanding(await kyc.standing(session.userId), pretends)),
  ];
}
