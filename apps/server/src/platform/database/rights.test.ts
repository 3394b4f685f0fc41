import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withRuntimeRole, testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { embeddedRuntimeUser } from './embedded/settings.ts';
import { clientOptions } from './pool.ts';
import { grantRights, ownsItsTables } from './rights.ts';

const APPEND_ONLY = [
  'ledger_entry',
  'market_tape_hour',
  'spot_amendment',
  'spot_pair_status_history',
  'spot_trade',
  'step_journal',
];
const DENIED = '42501';

describe('the role that the server works as', () => {
  let testDb: TestDatabase;
  let runtime: pg.Client;
  beforeAll(async () => {
    testDb = await testDatabase();
    await grantRights(testDb.connection, embeddedRuntimeUser, () => undefined);
    runtime = new pg.Client(clientOptions(withRuntimeRole(testDb.connection), 'test'));
    await runtime.connect();
  });
  afterAll(async () => {
    await runtime.end();
    await testDb.drop();
  });

  const outcomeOf = (sql: string) =>
    runtime.query(sql).then(
      () => 'done',
      (cause: unknown) => (cause instanceof pg.DatabaseError ? cause.code : String(cause)),
    );

  it.each(APPEND_ONLY)('DB-061 the role may only append to %s', async (table) => {
    const column = await testDb.pool.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`,
      [table],
    );
    const { name } = column.rows[0]!;
    // GRANT by a role that may not grant only warns. So the test checks the resulting privileges.
    await outcomeOf(`grant all on ${table} to ${embeddedRuntimeUser}`);
    const forbidden = [
      `update ${table} set ${name} = ${name}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `select from ${table} for update`,
      `merge into ${table} t using (select 1) s on true when matched then delete`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} add column more text`,
      `drop trigger ${table}_append_only on ${table}`,
      `create trigger mine before insert on ${table} for each row execute function refuse_change()`,
      `create rule mine as on insert to ${table} do instead nothing`,
      `alter table ${table} owner to ${embeddedRuntimeUser}`,
      `drop table ${table}`,
    ];
    for (const sql of forbidden) {
      const outcome = await outcomeOf(sql);
      expect([sql, outcome]).toEqual([sql, DENIED]);
    }
    expect((await runtime.query(`select count(*) from ${table}`)).rowCount).toBe(1);
    const rights = await runtime.query<{ inserts: boolean }>(
      `select has_table_privilege($1, 'INSERT') as inserts`,
      [table],
    );
    expect(rights.rows[0]?.inserts).toBe(true);
  });

  it('DB-061 the role cannot become the owner, disable triggers or replace protected objects', async () => {
    const forbidden = [
      'set role exchange',
      'set session authorization exchange',
      `set session_replication_role = replica`,
      `alter role ${embeddedRuntimeUser} superuser`,
      'create role another superuser',
      `grant exchange to ${embeddedRuntimeUser}`,
      `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
      'create function mine() returns integer language sql as $$select 1$$',
      'create table mine (n integer)',
      'create temporary table ledger_entry (n integer)',
      'create schema mine',
      'alter function refuse_change() rename to other',
      'update market_tape set line = line',
      'update security_event set kind = kind',
      `update database_setting set value = 'live'`,
      `insert into schema_migration (version, name, sha256) values (9999, 'x', '')`,
    ];
    for (const sql of forbidden) expect([sql, await outcomeOf(sql)]).toEqual([sql, DENIED]);
    expect(await outcomeOf('delete from security_event')).toBe('done');
    expect(await ownsItsTables(withRuntimeRole(testDb.connection))).toBe(false);
    expect(await ownsItsTables(testDb.connection)).toBe(true);
  });

  it('DB-062 new tables get rights, and append-only tables lose them', async () => {
    await testDb.pool.query('create table later (n integer generated always as identity, word text)');
    expect(await outcomeOf('select from later')).toBe(DENIED);
    const grant = () => grantRights(testDb.connection, embeddedRuntimeUser, () => undefined);
    await grant();
    for (const sql of [
      `insert into later (word) values ('a')`,
      `update later set word = 'b'`,
      'select word from later for update',
      'delete from later',
    ])
      expect([sql, await outcomeOf(sql)]).toEqual([sql, 'done']);
    await testDb.pool.query(
      `create trigger later_append_only before update or delete or truncate on later
       for each statement execute function refuse_change()`,
    );
    await grant();
    expect(await outcomeOf(`insert into later (word) values ('c')`)).toBe('done');
    expect(await outcomeOf(`update later set word = 'd'`)).toBe(DENIED);
    expect(await outcomeOf('delete from later')).toBe(DENIED);
    const messages: string[] = [];
    await grantRights(testDb.connection, embeddedRuntimeUser, (_level, message) => messages.push(message));
    expect(messages).toEqual([]);
  });

  it('DB-063 a role that could extend its own rights is refused', async () => {
    await expect(grantRights(testDb.connection, 'exchange', () => undefined)).rejects.toThrow(
      /"exchange" may do all that the owner of the tables may/,
    );
    await expect(grantRights(testDb.connection, 'nobody_there', () => undefined)).rejects.toThrow(/no role/);
  });
});
