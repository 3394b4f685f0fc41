import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import { route, type Route, submissionRoute } from '../../platform/http/route.ts';
import type { Faucet } from './service.ts';

export function faucetRoutes(faucet: Faucet): Route[] {
  return [
    route(faucetState, (_, { session }) => faucet.state(session.userId)),
    submissionRoute(claimFaucet, {
      operation: 'faucet.claim',
      serve: (_, { session, submission }) => faucet.claim(session.userId, submission),
    }),
  ];
}
