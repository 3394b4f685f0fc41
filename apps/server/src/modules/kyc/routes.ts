import { getVerify, submitVerify } from '@exchange/wire/kyc.ts';
import { route, type Route, submissionRoute } from '../../platform/http/route.ts';
import { presentVerification } from './present.ts';
import type { Kyc } from './service.ts';

/** The HTTP endpoints of identity verification for users. */
export function kycRoutes(kyc: Kyc, pretends: boolean): Route[] {
  return [
    submissionRoute(submitVerify, {
      operation: 'kyc.submit',
      serve: (fields, { session, submission }) => kyc.submit(session.userId, fields, submission),
    }),
    route(getVerify, async (_, { session }) =>
      presentVerification(await kyc.verificationState(session.userId), pretends),
    ),
  ];
}
