import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../apps/server/src/platform/database/pool.ts';
import { CopyTarget } from './copy-target.ts';
import { writeHistory } from './history.ts';
import { HOUSE_ACCOUNTS, HOUSE_USER, Plan, plain, SYMBOL, USER_ACCOUNTS, userId } from './plan.ts';

export interface FilledData {
  readonly users: number;
  readonly accounts: number;
  readonly orders: number;
  readonly trades: number;
  readonly entries: number;
  readonly movements: number;
  readonly seconds: number;
  /**
   * Text for the printed output with the seconds of each part of the filling: users, history, accounts, indexes and
   * statistics.
   */
  readonly parts: string;
  readonly megabytes: number;
}

/** Large tables whose indexes are created after the rows, which is faster. */
const LARGE_TABLES = [
  'user_account',
  'user_session',
  'ledger_account',
  'ledger_entry',
  'ledger_movement',
  'spot_order',
  'spot_trade',
  'deposit',
  'withdrawal',
  'message',
  'security_event',
  'mail_outbox',
] as const;
const USER = (number: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
/**
 * Returns an SQL expression for the unique id of a row of the user with the number `number`. The id begins
 * with the time `$2` of the query, in milliseconds. `group` differs by table, and `place` numbers the rows of
 * a user from 0 to 7.
 */
const ROW = (group: string, place: string, number: string) =>
  `(lpad(to_hex($2::bigint), 12, '0') || '7000' || '${group}' || lpad(to_hex(${number} * 8 + ${place}), 12, '0'))::uuid`;

/**
 * Fills a database that has the schema but no rows with the exchange that `Plan` describes. The year of history passes
 * reconciliation and audit. Because `step_journal` stays empty, the history cannot be replayed from the beginning.
 * `now` is in milliseconds.
 */
export async function fillLargeData(
  connection: DatabaseConnection,
  { scale, now }: { readonly scale: number; readonly now: number },
): Promise<FilledData> {
  const startMs = performance.now();
  const plan = new Plan(scale, now);
  const client = new pg.Client({ ...clientOptions(connection, 'bench large data'), statement_timeout: 0 });
  await client.connect();
  const parts: string[] = [];
  let partBeganMs = startMs;
  const ended = (part: string) => {
    const nowMs = performance.now();
    parts.push(`${part} ${Math.round((nowMs - partBeganMs) / 1_000)}`);
    partBeganMs = nowMs;
  };
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
    );
    const rebuild = await withoutIndexes(client);
    await insertUsers(client, plan);
    await insertInboxes(client, plan, now);
    ended('users');
    const written = await writeHistory(connection, plan);
    ended('history');
    await insertAccounts(connection, plan, written.balances);
    ended('accounts');
    await rebuild();
    ended('indexes');
    await setProgress(client, written);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    ended('statistics');
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database())::text as bytes',
    );
    return {
      users: plan.users,
      accounts: plan.accounts,
      orders: written.orders,
      trades: written.trades,
      entries: written.entries,
      movements: written.movements,
      seconds: Math.round((performance.now() - startMs) / 1_000),
      parts: parts.join(', '),
      megabytes: Math.round(Number(rows[0]!.bytes) / 1e6),
    };
  } finally {
    await client.end();
  }
}

/**
 * Disables the triggers of the large tables and drops their indexes. Of the primary and unique keys it drops
 * only the primary key of `ledger_movement`. Returns a function that restores all of them.
 */
async function withoutIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any($1) and schemaname = 'public'
       and indexname not in (select conname from pg_constraint where contype in ('p', 'u'))`,
    [LARGE_TABLES],
  );
  // The primary key of `ledger_movement` is also dropped while the rows are written. The rows arrive in random order of
  // their owners, so almost every row would change a different page of the key's index.
  const key = await client.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'ledger_movement_pkey'`,
  );
  for (const table of LARGE_TABLES) await client.query(`alter table ${table} disable trigger user`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('alter table ledger_movement drop constraint ledger_movement_pkey');
  return async () => {
    await client.query(
      `alter table ledger_movement add constraint ledger_movement_pkey ${key.rows[0]!.definition}`,
    );
    for (const { definition } of indexes) await client.query(definition);
    for (const table of LARGE_TABLES) await client.query(`alter table ${table} enable trigger user`);
  };
}

/** Inserts the users, each with an ended session. Every fiftieth user was invited. */
async function insertUsers(client: pg.Client, { users, start }: Plan): Promise<void> {
  await client.query(
    `insert into user_account (id, uid, email, invitation_code, invited_by, kyc_status, locale, created_at)
     select ${USER('n')}, (10000000 + n)::text, 'user-' || n || '@bench.example', 'BENCH' || n,
       case when n % 50 = 0 then ${USER('n / 50')} end, n % 3, 'en-US', $2::bigint + n
     from generate_series(1, $1::int) as n`,
    [users, start],
  );
  await client.query(
    `insert into user_account (id, uid, house_name, invitation_code, locale, created_at)
     values ($1, '99999999', 'maker-1', 'BENCHMAKER', 'en-US', $2)`,
    [HOUSE_USER, start],
  );
  await client.query(
    `insert into user_session (id, user_id, token_hash, device, device_mark, address, created_at, seen_at, ended_at)
     select ${USER('n')}, ${USER('n')}, sha256(('ended ' || n)::bytea), 'bench', sha256('bench'), '127.0.0.1',
       $2::bigint + n, $2::bigint + n, $2::bigint + n
     from generate_series(1, $1::int) as n`,
    [users, start],
  );
}

async function insertAccounts(
  connection: DatabaseConnection,
  plan: Plan,
  balances: BigInt64Array,
): Promise<void> {
  const target = await CopyTarget.open(connection, 'ledger_account', [
    'id',
    'address',
    'asset',
    'owner',
    'balance',
  ]);
  for (let user = 1; user <= plan.users; user += 1) {
    const owner = userId(user);
    for (const [place, [bucket, asset]] of USER_ACCOUNTS.entries()) {
      const account = plan.accountOf(user, place);
      target.row(account, `user:${owner}:spot:${bucket}`, asset, owner, plain(balances[account]!));
    }
    await target.drain();
  }
  for (const [place, [name, asset]] of HOUSE_ACCOUNTS.entries()) {
    const account = plan.houseAccount(place);
    const address = name.replace('HOUSE', HOUSE_USER);
    const owner = address === name ? null : HOUSE_USER;
    target.row(account, address, asset, owner, plain(balances[account]!));
  }
  await target.end();
}

/** Inserts the messages, emails and security events of each user. Their times are spread from the start to `now`. */
async function insertInboxes(client: pg.Client, { users, start }: Plan, now: number): Promise<void> {
  const spread = `$2::bigint + (n * (($3::bigint - $2::bigint) / $1::int))`;
  const values = [users, start, now];
  await client.query(
    `insert into message (id, user_id, type, kind, parameters, read_at, created_at)
     select ${ROW('8005', 'place', 'n')}, ${USER('n')}, 3, 'depositCredited',
       '{"amount":"10","asset":"USDT","network":"TRC20"}', case when place > 0 then ${spread} end, ${spread}
     from generate_series(1, $1::int) as n, generate_series(0, 3) as place`,
    values,
  );
  await client.query(
    `insert into security_event (id, user_id, kind, device, address, at)
     select ${ROW('8006', 'place', 'n')}, ${USER('n')}, 'signedIn', 'bench', '127.0.0.1', ${spread}
     from generate_series(1, $1::int) as n, generate_series(0, 2) as place`,
    values,
  );
  await client.query(
    `insert into mail_outbox (id, recipient, purpose, subject, body, status, created_at, sent_at)
     select ${ROW('8007', '0', 'n')}, 'user-' || n || '@bench.example', 'notice', 'Deposit', 'Credited.', 'sent',
       ${spread}, ${spread}
     from generate_series(1, $1::int) as n`,
    values,
  );
}

/**
 * Computes the daily volumes, and marks all entries and trades as already processed by the projections. Also
 * stores the last price, a checkpoint of the ledger, and the number of entries as the sequence of the writer.
 */
async function setProgress(
  client: pg.Client,
  { entries, trades, hash, lastPrice }: Awaited<ReturnType<typeof writeHistory>>,
): Promise<void> {
  await client.query(
    `insert into spot_day_volume (owner, day, value)
     select owner, at / 86400000, sum(value_usdt) from (
       select taker as owner, at, value_usdt from spot_trade
       union all select maker, at, value_usdt from spot_trade
     ) as traded group by 1, 2`,
  );
  await client.query('update writer set sequence = $1', [entries]);
  await client.query(
    `insert into ledger_checkpoint_balance (account, balance) select id, balance from ledger_account`,
  );
  await client.query('delete from ledger_checkpoint');
  await client.query(`insert into ledger_checkpoint (id, sequence, hash) values (1, $1, decode($2, 'hex'))`, [
    entries,
    hash,
  ]);
  await client.query('update ledger_movement_cursor set sequence = $1', [entries]);
  await client.query('update spot_fill_cursor set sequence = $1', [trades]);
  await client.query('insert into spot_last_price (symbol, price, trade_sequence) values ($1, $2, $3)', [
    SYMBOL,
    String(lastPrice),
    trades,
  ]);
  await client.query(
    `insert into market_progress (deal_sequence) values ($1)
     on conflict (single) do update set deal_sequence = excluded.deal_sequence`,
    [trades],
  );
}
