import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Faucet } from './service.ts';

export function faucetRoutes(faucet: Faucet): Route[] {
  return [
    route(faucetState, (_, { session }) => faucet.state(session.userId)),
    route(claimFaucet, (_, { session, key }) => faucet.claim(session.userId, key)),
  ];
}
