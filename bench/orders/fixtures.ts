import { runStep } from '../../apps/server/testing/run-step.ts';
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import pg from 'pg';
import { userAddress, worldAddress } from '../../apps/server/src/modules/ledger/index.ts';
import { clientOptions } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { openExchange, type RunningExchange } from './exchange.ts';
import { isBuyer, SYMBOL, TRADERS } from './workload.ts';

const FUNDS = [
  ['USDT', '1000000000'],
  ['BTC', '100000'],
] as const;

export function userOf(trader: number): UserId {
  const user = USERS[trader];
  if (user === undefined) throw new RangeError(`there is no trader ${trader}`);
  return user;
}

/**
 * User ids of the traders. All uses of a trader's id share one string object, as in the server, which has one per
 * session. A new string would have to be hashed at every lookup.
 */
const USERS = Array.from(
  { length: TRADERS },
  (_, trader) => `00000000-0000-7000-8000-${trader.toString(16).padStart(12, '0')}` as UserId,
);

/** Returns the token of a trader's session. */
export function tokenOf(trader: number): string {
  return createHash('sha256').update(`trader ${trader}`).digest('base64url');
}

/**
 * Returns the text that names a trader's API key in requests (`apiKey`). It is not the public key that
 * verifies the signatures.
 */
export function apiKeyOf(trader: number): string {
  return createHash('sha256').update(`key of trader ${trader}`).digest('hex');
}

/** Signs a text with the private key of a trader's API key, which is derived from the trader's number. */
export function signatureOf(trader: number, text: string): string {
  return sign(null, Buffer.from(text), privateKeyOf(trader)).toString('base64');
}

/** Beginning of an Ed25519 private key in DER format. The 32 bytes of the key follow it. */
const PRIVATE_KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

function privateKeyOf(trader: number): KeyObject {
  const seed = createHash('sha256').update(`private key of trader ${trader}`).digest();
  return createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

/**
 * Creates traders with sessions, funds and all necessary accounts, so that all measured sides start with the same data.
 */
export async function prepareDatabase(connection: BenchDatabase): Promise<void> {
  const client = new pg.Client(clientOptions(connection, 'bench stage'));
  await client.connect();
  await insertTraders(client);
  await client.end();
  const exchange = await openExchange(connection);
  const traders = Array.from({ length: TRADERS }, (_, trader) => trader);
  await Promise.all(traders.map((trader) => fund(exchange, userOf(trader))));
  // Each pair of traders trades in both directions, because some ledger accounts are created only by a trade.
  for (const seller of traders) {
    if (isBuyer(seller)) continue;
    await trade(exchange, userOf(seller), userOf(seller - 1));
    await trade(exchange, userOf(seller - 1), userOf(seller));
  }
  await exchange.stop();
}

async function insertTraders(client: pg.Client): Promise<void> {
  const now = Date.now();
  for (let trader = 0; trader < TRADERS; trader += 1) {
    const user = userOf(trader);
    await client.query(
      `insert into user_account (id, uid, email, invitation_code, locale, created_at)
       values ($1, $2, $3, $4, 'en-US', $5)`,
      [user, String(10_000_000 + trader), `trader-${trader}@bench.example`, `BENCH${trader}`, now],
    );
    await client.query(
      `insert into user_session (id, user_id, token_hash, device, device_mark, address, created_at, seen_at)
       values ($1, $1, $2, 'bench', $2, '127.0.0.1', $3, $3)`,
      [user, createHash('sha256').update(tokenOf(trader)).digest(), now],
    );
    const publicKey = createPublicKey(privateKeyOf(trader))
      .export({ type: 'spki', format: 'pem' })
      .toString();
    await client.query(
      `insert into api_key (id, owner, name, key, kind, public_key, may_trade, addresses, created_at)
       values ($1, $1, 'bench', $2, 'ed25519', $3, true, '{}', $4)`,
      [user, apiKeyOf(trader), publicKey, now],
    );
    // The IP address is marked as known. The first use of an API key from an unknown address sends a message and a
    // mail, which does not happen in normal use of the API.
    await client.query('insert into api_key_address (key_id, address, first_used_at) values ($1, $2, $3)', [
      user,
      '127.0.0.1',
      now,
    ]);
  }
}

async function fund({ ledger, sequencer }: RunningExchange, user: UserId): Promise<void> {
  await ledger.prepare(user);
  const postings = FUNDS.map(([asset, amount]) => ({
    source: worldAddress(asset, 'bench'),
    destination: userAddress(user, 'spot', 'available'),
    asset,
    amount: Decimal.parse(amount),
  }));
  await runStep(sequencer, 'bench.fund', {}, (step) => ledger.post(step, 'deposit.credited', null, postings));
}

async function trade({ spot }: RunningExchange, seller: UserId, buyer: UserId): Promise<void> {
  const order = { symbol: SYMBOL, type: 'limit', total: undefined } as const;
  const terms = { price: Decimal.parse('60000'), amount: Decimal.parse('0.001') };
  await spot.place(seller, { ...order, ...terms, side: 'sell' });
  await spot.place(buyer, { ...order, ...terms, side: 'buy' });
}
