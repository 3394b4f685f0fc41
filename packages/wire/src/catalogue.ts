import * as account from './account.ts';
import * as apiKey from './api-key.ts';
import * as board from './board.ts';
import * as coinInfo from './coin-info.ts';
import * as convert from './convert.ts';
import * as recurring from './recurring.ts';
import * as smallBalances from './small-balances.ts';
import * as deposit from './deposit.ts';
import { isEndpoint, type Endpoint } from './endpoint.ts';
import * as exported from './export.ts';
import * as file from './file.ts';
import * as finance from './finance.ts';
import * as fund from './fund.ts';
import * as invite from './invite.ts';
import * as kyc from './kyc.ts';
import * as chase from './chase.ts';
import * as grid from './grid.ts';
import * as iceberg from './iceberg.ts';
import * as ladder from './ladder.ts';
import * as twap from './twap.ts';
import * as market from './market.ts';
import * as mining from './mining.ts';
import * as message from './message.ts';
import * as parameter from './parameter.ts';
import * as portfolio from './portfolio.ts';
import * as push from './push.ts';
import * as fillExplanation from './fill-explanation.ts';
import * as proof from './proof.ts';
import * as proofs from './proofs.ts';
import * as recordedBook from './recorded-book.ts';
import * as stamps from './stamps.ts';
import * as seconds from './seconds.ts';
import * as spot from './spot.ts';
import * as subAccount from './sub-account.ts';
import * as support from './support.ts';
import * as subscription from './subscription.ts';
import * as tracking from './tracking.ts';
import * as tax from './tax.ts';
import * as treasury from './treasury.ts';
import * as user from './user.ts';
import * as watchlist from './watchlist.ts';
import * as withdrawal from './withdrawal.ts';
import * as withdrawalTimes from './withdrawal-times.ts';

/** A section of the API page: the endpoints of one product. */
interface CallGroup {
  readonly name: string;
  readonly about: string;
  readonly calls: readonly Endpoint[];
}

const ACCOUNT = group(
  'Account and security',
  'Signing up and in, passwords, codes, the authenticator, devices.',
  user,
);
const API_KEYS = group('API keys', 'Keys for programs, which use the public trading API.', apiKey);
const IDENTITY = group('Identity verification', 'The form, its pictures and its state.', kyc, file);
const WITHDRAWAL = group(
  'Withdrawal',
  'The address book, withdrawing and records.',
  withdrawal,
  withdrawalTimes,
);
const MESSAGES = group('Messages', 'The inbox and the settings of notifications.', message, push);

/**
 * All endpoints of the groups account, API keys, identity, withdrawal and messages, through which a person with a
 * stolen session could take over an account or withdraw coins. Each of them that requires a session must also require
 * an email code, or give a reason why the session is enough (`confirmationProblem`); otherwise the server does not
 * start.
 */
export const GUARDED: ReadonlySet<Endpoint> = new Set(
  [ACCOUNT, API_KEYS, IDENTITY, WITHDRAWAL, MESSAGES].flatMap(({ calls }) => calls),
);

/** All endpoints, grouped by product in the sequence of the API page. */
export const CALL_GROUPS: readonly CallGroup[] = [
  ACCOUNT,
  API_KEYS,
  group('Sub-accounts', 'Own balances, orders and keys below a main account.', subAccount),
  IDENTITY,
  group('Market data', 'Pairs, prices, candles, order books, deals and coins.', market, coinInfo),
  group(
    'Spot trading',
    'Orders, stops, OCOs, ladders, icebergs, chase orders, grids, TWAP orders and fills.',
    spot,
    ladder,
    iceberg,
    chase,
    grid,
    twap,
    fillExplanation,
  ),
  group('Seconds contract', 'Short positions up or down, their terms, limits and records.', seconds),
  group(
    'Proof',
    'The signed index tape, the recorded order books, the data to recompute a result, the proof of liabilities, and time stamps.',
    proof,
    recordedBook,
    proofs,
    stamps,
  ),
  group('Fixed-term finance', 'Products with a daily rate, buying and redeeming.', finance),
  group('Mining', 'Pools, buying, income and redeeming.', mining),
  group('Leveraged funds', 'Unit values, buying, margin and selling.', fund),
  group('New-coin subscription', 'Projects, commitments, allocation and claiming.', subscription),
  group('Instant exchange', 'Firm quotes, small balances, and records.', convert, smallBalances),
  group('Recurring buys', 'Plans that buy coins at regular times, and their records.', recurring),
  group(
    'Assets and records',
    'Balances, worth, statements and files.',
    account,
    portfolio,
    treasury,
    exported,
    tax,
  ),
  group('Deposit', 'Networks, addresses, proofs and records.', deposit),
  WITHDRAWAL,
  group('Finding transfers', 'Where a deposit or a withdrawal is, and asking about it.', tracking),
  MESSAGES,
  group('Watchlist and alerts', 'Favorite pairs and price alerts.', watchlist),
  group('Invitations', 'The code, who was invited, and rebates.', invite),
  group('Parameters and notices', 'Settings of the site, banners, announcements and help.', parameter, board),
  group('Customer service', 'Contact and requests.', support),
];

/** All endpoints. The server checks at its start that each is registered; some tests run over all of them. */
export const ENDPOINTS: readonly Endpoint[] = CALL_GROUPS.flatMap(({ calls }) => calls);

function group(name: string, about: string, ...modules: readonly object[]): CallGroup {
  const calls = modules.flatMap((module) => (Object.values(module) as unknown[]).filter(isEndpoint));
  return { name, about, calls };
}
