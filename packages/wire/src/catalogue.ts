import * as account from './account.ts';
import * as board from './board.ts';
import * as coinInfo from './coin-info.ts';
import * as convert from './convert.ts';
import * as deposit from './deposit.ts';
import type { Endpoint } from './endpoint.ts';
import * as exported from './export.ts';
import * as file from './file.ts';
import * as finance from './finance.ts';
import * as fund from './fund.ts';
import * as invite from './invite.ts';
import * as kyc from './kyc.ts';
import * as market from './market.ts';
import * as mining from './mining.ts';
import * as message from './message.ts';
import * as parameter from './parameter.ts';
import * as portfolio from './portfolio.ts';
import * as proof from './proof.ts';
import * as seconds from './seconds.ts';
import * as spot from './spot.ts';
import * as support from './support.ts';
import * as subscription from './subscription.ts';
import * as user from './user.ts';
import * as watchlist from './watchlist.ts';
import * as withdrawal from './withdrawal.ts';

/** Every call of the application, for the server's registration check, the API page and the tests that walk all of them. */
export const ENDPOINTS: readonly Endpoint[] = [
  user,
  message,
  parameter,
  board,
  market,
  watchlist,
  coinInfo,
  spot,
  finance,
  deposit,
  withdrawal,
  file,
  convert,
  mining,
  fund,
  subscription,
  invite,
  kyc,
  seconds,
  proof,
  account,
  portfolio,
  exported,
  support,
].flatMap((described) => (Object.values(described) as unknown[]).filter(isEndpoint));

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
