import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { sql, type CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstRows, PAGED_ROWS_MAX } from '../../platform/database/paged-rows.ts';
import { runStep } from '../../../testing/run-step.ts';
import { sequencerFixture, type SequencerFixture } from '../../../testing/sequenced.ts';
import {
  audit,
  Halting,
  houseAddress,
  Ledger,
  ledgerHealth,
  Movements,
  Reconciliation,
  reconciliationHealth,
  userAddress,
  worldAddress,
  type HoldSource,
  type Posting,
} from './index.ts';

import type { Reader } from '../../platform/database/database.ts';
import { eventsOf, type EventFilter } from './events-repository.ts';
import { coinTotals, displayCoinTotals } from './house-repository.ts';

/** A database reader that records the queries that it sends. */
function recorded(reader: Reader) {
  const queries: CompiledQuery[] = [];
  const executor = reader.getExecutor();
  const recording: Pick<typeof executor, 'transformQuery' | 'compileQuery' | 'executeQuery'> = {
    transformQuery: (node, id) => executor.transformQuery(node, id),
    compileQuery: (node, id) => executor.compileQuery(node, id),
    executeQuery: (query) => {
      queries.push(query);
      return executor.executeQuery(query);
    },
  };
  return { reader: { getExecutor: () => recording } as unknown as Reader, queries };
}

/** A node of a query plan with its measured figures, as EXPLAIN ANALYZE prints it in JSON. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The number of rows that a query read from tables, including filtered-out rows. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((rows, part) => rows + rowsRead(part), 0);
  if (node['Relation Name'] === undefined) return below;
  return below + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
}

const d = (text: string): Decimal => Decimal.parse(text);
const WORLD = worldAddress('USDT', 'demo');

describe('the ledger', () => {
  let parts: SequencerFixture;
  let ledger: Ledger;
  let anna: UserId;
  let bert: UserId;

  beforeEach(async () => {
    parts = await sequencerFixture();
    ledger = new Ledger({ reader: parts.database.reader, log: parts.log });
    parts.sequencer.join(ledger);
    await parts.sequencer.start();
    anna = randomUUID() as UserId;
    bert = randomUUID() as UserId;
    await Promise.all([ledger.prepare(anna), ledger.prepare(bert)]);
  });

  afterEach(() => parts.end());

  const available = (user: UserId) => userAddress(user, 'spot', 'available');
  const move = (source: Posting['source'], destination: Posting['destination'], amount: string): Posting => ({
    source,
    destination,
    asset: 'USDT',
    amount: d(amount),
  });
  const post = (...postings: Posting[]) =>
    runStep(parts.sequencer, 'test', {}, (step) =>
      ledger.post(step, 'faucet.claimed', step.newId(), postings),
    );
  const audited = () => audit(parts.database.reader, []);

  it('LED-001 moves value, stores balances with the entry, and adds up', async () => {
    await post(move(WORLD, available(anna), '100.5'));
    await post(
      move(available(anna), available(bert), '0.000000000000000001'),
      move(available(anna), houseAddress('fees'), '0.5'),
    );
    expect(ledger.balance(available(anna), 'USDT').toString()).toBe('99.999999999999999999');
    expect(ledger.balance(WORLD, 'USDT').toString()).toBe('-100.5');
    const report = await audited();
    expect(report.problems).toEqual([]);
    expect(report.entries).toBe(2);
  });

  it('LED-002 refuses to take more than is available, and says how much there is', async () => {
    await post(move(WORLD, available(anna), '5'));
    const refused = await post(move(available(anna), available(bert), '5.1')).catch(
      (cause: unknown) => cause,
    );
    expect(refused).toMatchObject({
      refusal: { kind: 'insufficientBalance', parameters: { unit: 'USDT', limit: '5', value: '5.1' } },
    });
    expect(ledger.balance(available(anna), 'USDT').toString()).toBe('5');
    expect((await audited()).problems).toEqual([]);
  });

  it('LED-003 an entry that fails half-way moves nothing at all', async () => {
    await post(move(WORLD, available(anna), '5'));
    await post(
      move(available(anna), available(bert), '3'),
      move(available(anna), houseAddress('fees'), '3'),
    ).catch(() => undefined);
    expect(ledger.balance(available(anna), 'USDT').toString()).toBe('5');
    expect(ledger.balance(available(bert), 'USDT').isZero()).toBe(true);
  });

  it('LED-004 any mix of postings conserves value, and a restart gives the same balances', async () => {
    const accounts = [
      WORLD,
      available(anna),
      available(bert),
      houseAddress('fees'),
      houseAddress('inventory'),
    ];
    const index = fc.integer({ min: 0, max: accounts.length - 1 });
    const attempts = fc.sample(fc.tuple(index, index, fc.integer({ min: 1, max: 1_000 })), {
      numRuns: 400,
      seed: 7,
    });
    // Skips postings that a house account would pay, because the ledger throws if a house account is
    // overdrawn (that is a bug), and postings from an account to itself.
    const payable = attempts.filter(([from, to]) => from !== to && from <= 2);
    await Promise.allSettled(
      payable.map(([from, to, amount]) => post(move(accounts[from]!, accounts[to]!, `${amount}.25`))),
    );
    const before = await audited();
    expect(before.problems).toEqual([]);
    expect(before.entries).toBeGreaterThan(50);
    const inMemory = accounts.map((address) => ledger.balance(address, 'USDT').toString());
    await ledger.load();
    expect(accounts.map((address) => ledger.balance(address, 'USDT').toString())).toEqual(inMemory);
    expect((await audited()).stateHash).toBe(before.stateHash);
  });

  it('LED-005 entries cannot be changed or removed', async () => {
    await post(move(WORLD, available(anna), '1'));
    await expect(parts.testDatabase.pool.query('update ledger_entry set at = 0')).rejects.toThrow(
      'append-only',
    );
    await expect(parts.testDatabase.pool.query('delete from ledger_entry')).rejects.toThrow('append-only');
    await expect(parts.testDatabase.pool.query('truncate ledger_entry')).rejects.toThrow('append-only');
  });

  it('LED-006 the database itself refuses a negative balance', async () => {
    await post(move(WORLD, available(anna), '1'));
    const spoil = `update ledger_account set balance = -1 where owner = '${anna}'`;
    await expect(parts.testDatabase.pool.query(spoil)).rejects.toThrow('check constraint');
  });

  it.each([
    ['M6', `update ledger_account set balance = balance + 1 where address = 'house:fees'`],
    ['M2', `update ledger_account set balance = balance + 1 where address = 'house:fees'`],
    [
      'M7',
      `alter table ledger_entry disable trigger all; update ledger_entry set amounts = array[9] where sequence = 2`,
    ],
    ['M7', `alter table ledger_entry disable trigger all; delete from ledger_entry where sequence = 1`],
    ['M6', `alter table ledger_entry disable trigger all; delete from ledger_entry where sequence = 2`],
    [
      'M7',
      `alter table ledger_entry disable trigger all; update ledger_entry set at = at + 1 where sequence = 1`,
    ],
    ['M6', `delete from ledger_account where address = 'house:fees'`],
    [
      'M4',
      `update ledger_account set address = replace(address, 'available', 'frozen') where owner is not null and balance > 0`,
    ],
  ])(
    'LED-007 finds planted damage (%s: %s) within one reconciliation and halts',
    async (invariant, damage) => {
      await post(move(WORLD, available(anna), '10'));
      await post(move(available(anna), houseAddress('fees'), '2'));
      const reconciliation = new Reconciliation({
        store: parts.database.store,
        halting: new Halting({ ...parts, ledger, reader: parts.database.reader }),
        holds: [],
        clock: parts.clock,
        log: parts.log,
      });
      const before = damage.includes('ledger_entry') ? undefined : await reconciliation.reconcile();
      expect(before?.problems ?? []).toEqual([]);
      await parts.testDatabase.pool.query(damage);
      const found = await reconciliation.reconcile();
      expect(found.problems.map((problem) => problem.invariant)).toContain(invariant);
      expect(ledger.isHalted('USDT')).toBe(true);
      expect((await audited()).problems.map((problem) => problem.invariant)).toContain(invariant);
    },
  );

  it('LED-008 the reconciliation of a minute reads only new entries and agrees with the full audit', async () => {
    const reconciliation = new Reconciliation({
      store: parts.database.store,
      halting: new Halting({ ...parts, ledger, reader: parts.database.reader }),
      holds: [],
      clock: parts.clock,
      log: parts.log,
    });
    await post(move(WORLD, available(anna), '10'));
    expect(await reconciliation.reconcile()).toMatchObject({ entries: 1, problems: [] });
    await post(move(available(anna), available(bert), '2'));
    await post(move(available(bert), available(anna), '1'));
    expect(await reconciliation.reconcile()).toMatchObject({ entries: 2, problems: [] });
    expect(await reconciliation.reconcile()).toMatchObject({ entries: 0, problems: [] });
  });

  function reconciling() {
    const halting = new Halting({ ...parts, ledger, reader: parts.database.reader });
    const { clock, log, database } = parts;
    const reconciliation = new Reconciliation({ store: database.store, halting, holds: [], clock, log });
    return { reconciliation, halting, health: () => reconciliationHealth(reconciliation, clock) };
  }

  it('EDGE-170 health says when no reconciliation has made progress for two minutes, also when none ever ran', async () => {
    const { reconciliation, health } = reconciling();
    reconciliation.start();
    parts.clock.advance(2 * MINUTE_MS);
    expect(health()).toMatchObject({ isUp: true });
    parts.clock.advance(1);
    expect(health()).toMatchObject({ isUp: false, facts: { lastClean: 'not yet' } });
    await post(move(WORLD, available(anna), '10'));
    await reconciliation.reconcile();
    expect(health()).toMatchObject({ isUp: true, facts: { problems: 0 } });
    parts.clock.advance(2 * MINUTE_MS + 1);
    expect(health().reason).toContain('no reconciliation has made progress for two minutes');
    await reconciliation.stop();
  });

  it('EDGE-170 LED-030 a reconciliation that finds something halts the asset, and health names it, since when and why', async () => {
    const { reconciliation, health } = reconciling();
    await post(move(WORLD, available(anna), '10'));
    await reconciliation.reconcile();
    expect(ledgerHealth(ledger)).toEqual({ isUp: true, facts: { halted: 'none' } });
    await parts.testDatabase.pool.query(
      `update ledger_account set balance = balance + 1 where owner = '${anna}'`,
    );
    await reconciliation.reconcile();
    expect(health()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('USDT does not add up: M') as string,
    });
    const since = new Date(parts.clock.now()).toISOString();
    expect(ledgerHealth(ledger)).toMatchObject({
      isUp: false,
      reason: expect.stringContaining(`USDT is halted since ${since} by reconciliation: M`) as string,
    });
    await ledger.load();
    expect(ledgerHealth(ledger).isUp).toBe(false);
    await expect(post(move(WORLD, available(bert), '1'))).rejects.toThrow('l.asset_halted');
  });

  it('LED-030 an asset that was found broken takes no posting while its halt is not stored yet, nor after', async () => {
    const { halting } = reconciling();
    await post(move(WORLD, available(anna), '10'));
    ledger.halt('USDT', 'invariant check', 'M3');
    await expect(post(move(WORLD, available(anna), '1'))).rejects.toThrow('l.asset_halted');
    await ledger.load();
    await expect(post(move(WORLD, available(anna), '1'))).rejects.toThrow('l.asset_halted');
    await Promise.all([
      halting.halt('USDT', { by: 'reconciliation', reason: 'M6' }),
      halting.halt('USDT', { by: 'reconciliation', reason: 'M2' }),
    ]);
    const { halted, changes } = await halting.list();
    expect(halted).toMatchObject([{ asset: 'USDT', by: 'invariant check', reason: 'M3' }]);
    expect(changes).toHaveLength(1);
  });

  let slowHalting: Halting | undefined;
  afterEach(() => (slowHalting = undefined));

  /** A reconciliation for tests, each run of which compares only one account in its comparison of all accounts. */
  function slowly(options: { holds?: HoldSource[]; sliceEntries?: number; touchedMax?: number } = {}) {
    slowHalting ??= new Halting({ ...parts, ledger, reader: parts.database.reader });
    const { clock, log, database } = parts;
    return new Reconciliation({
      store: database.store,
      halting: slowHalting,
      holds: [],
      clock,
      log,
      pageAccounts: 1,
      fullPassMs: 0,
      ...options,
    });
  }

  const spoil = (owner: UserId, by = 1) =>
    parts.testDatabase.pool.query(`update ledger_account set balance = balance + $1 where owner = $2`, [
      by,
      owner,
    ]);

  it('LED-770 a round compares what entries touched since the last one and reads no other account', async () => {
    const reconciliation = slowly();
    await post(move(WORLD, available(anna), '10'));
    await post(move(WORLD, available(bert), '10'));
    await post(move(available(anna), houseAddress('fees'), '1'));
    await reconciliation.reconcile();
    // The comparison of all accounts has compared the first of four accounts and will compare the second in the next
    // run. Bert's account is the third, and no entry changes it.
    await spoil(bert);
    await post(move(available(anna), houseAddress('fees'), '1'));
    expect((await reconciliation.reconcile()).problems).toEqual([]);
    await spoil(bert, -1);
    await post(move(available(bert), available(anna), '1'));
    await spoil(anna);
    const { problems } = await reconciliation.reconcile();
    expect(problems.map(({ invariant, asset }) => [invariant, asset])).toEqual([['M6', 'USDT']]);
    expect(ledger.isHalted('USDT')).toBe(true);
  });

  it.each([
    ['M6', `update ledger_account set balance = balance + 1 where id = 3`],
    ['M6', `delete from ledger_account where id = 3`],
    [
      'M2',
      `update ledger_account set balance = balance + 1 where id = 3; update ledger_checkpoint_balance set balance = balance + 1 where account = 3`,
    ],
    ['M4', `update ledger_account set address = replace(address, 'available', 'frozen') where id = 3`],
  ])(
    'LED-771 the full pass finds %s of an account that no entry changes (%s), page by page, and reports it until it is corrected',
    async (invariant, damage) => {
      const reconciliation = slowly();
      await post(move(WORLD, available(anna), '10'));
      await post(move(WORLD, available(bert), '10'));
      await post(move(available(anna), houseAddress('fees'), '1'));
      expect((await reconciliation.reconcile()).problems).toEqual([]);
      await parts.testDatabase.pool.query(damage);
      const rounds: string[][] = [];
      for (let round = 0; round < 12; round += 1) {
        const { problems } = await reconciliation.reconcile();
        rounds.push(problems.map((problem) => problem.invariant));
      }
      const foundAt = rounds.findIndex((found) => found.includes(invariant));
      expect(foundAt).toBeGreaterThan(0);
      expect(rounds.slice(foundAt).every((found) => found.includes(invariant))).toBe(true);
      expect(ledger.isHalted('USDT')).toBe(true);
    },
  );

  it('LED-771 sums of the full pass are right although entries change accounts that were read already and accounts that are read later', async () => {
    const reconciliation = slowly();
    await post(move(WORLD, available(anna), '100'));
    await post(move(WORLD, available(bert), '100'));
    for (let round = 0; round < 20; round += 1) {
      await post(
        move(available(anna), available(bert), '1'),
        move(available(bert), houseAddress('fees'), '2'),
      );
      expect((await reconciliation.reconcile()).problems).toEqual([]);
    }
    expect(reconciliation.lastFullPassAt).toBeDefined();
    await post(move(available(anna), available(bert), '1'));
    await spoil(anna);
    expect((await reconciliation.reconcile()).problems).not.toEqual([]);
    await spoil(anna, -1);
    expect((await reconciliation.reconcile()).problems).toEqual([]);
  });

  it('LED-772 holds are compared in the database: of owners of changed accounts at once, of all others by the full pass', async () => {
    await parts.testDatabase.pool.query('create table hold (owner uuid, asset text, amount numeric)');
    const hold: HoldSource = {
      name: 'test',
      table: 'hold',
      openHolds: (owners) => sql`select owner, asset, amount from hold where ${owners('owner')}`,
    };
    const reconciliation = slowly({ holds: [hold] });
    const setHold = (owner: UserId, amount: number) =>
      parts.testDatabase.pool.query(`insert into hold values ($1, 'USDT', $2)`, [owner, amount]);
    await post(move(WORLD, available(anna), '10'));
    await post(move(available(anna), userAddress(anna, 'spot', 'frozen'), '4'));
    await setHold(anna, 3);
    const first = await reconciliation.reconcile();
    expect(first.problems.map(({ invariant, detail }) => [invariant, detail])).toEqual([
      ['M4', `${anna} has 4 frozen and locked, the open holds say 3`],
    ]);
    await setHold(anna, 1);
    expect((await reconciliation.reconcile()).problems).toEqual([]);
    // The hold's owner has no ledger account, so only the full comparison of all accounts can find
    // the hold.
    await setHold(randomUUID() as UserId, 7);
    const found: string[] = [];
    for (let round = 0; round < 8; round += 1)
      found.push(...(await reconciliation.reconcile()).problems.map(({ detail }) => detail));
    expect(found.at(-1)).toContain('has 0 frozen and locked, the open holds say 7');
    expect((await audit(parts.database.reader, [hold])).problems.map(({ invariant }) => invariant)).toEqual([
      'M4',
    ]);
  });

  it('LED-773 a backlog of entries is verified in bounded slices, and all accounts that it changed are compared', async () => {
    for (const touchedMax of [1_000, 1]) {
      const reconciliation = slowly({ sliceEntries: 2, touchedMax });
      for (let count = 0; count < 7; count += 1) await post(move(WORLD, available(anna), '1'));
      await post(move(WORLD, available(bert), '1'), move(available(bert), houseAddress('fees'), '1'));
      expect(await reconciliation.reconcile()).toMatchObject({ entries: 8, problems: [] });
    }
    const { rows } = await parts.testDatabase.pool.query('select sequence::int from ledger_checkpoint');
    expect(rows).toEqual([{ sequence: 16 }]);
    for (let count = 0; count < 5; count += 1) await post(move(WORLD, available(anna), '1'));
    for (let count = 0; count < 5; count += 1) await post(move(WORLD, available(bert), '1'));
    // With two entries per slice, the entries of anna's account are verified in earlier slices than the last one.
    await spoil(anna);
    const { problems } = await slowly({ sliceEntries: 2 }).reconcile();
    expect(problems.map(({ invariant }) => invariant)).toEqual(['M6']);
  });

  it('EDGE-771 a slow full pass leaves health up, which says when the last one ended and how far this one is', async () => {
    const reconciliation = slowly();
    const health = () => reconciliationHealth(reconciliation, parts.clock);
    reconciliation.start();
    await post(move(WORLD, available(anna), '10'));
    await reconciliation.reconcile();
    expect(health()).toMatchObject({
      isUp: true,
      facts: { lastFullPass: 'not yet', fullPass: '1 accounts compared' },
    });
    for (let round = 0; round < 5; round += 1) await reconciliation.reconcile();
    expect(health()).toMatchObject({
      isUp: true,
      facts: { lastFullPass: new Date(parts.clock.now()).toISOString() },
    });
    await reconciliation.stop();
  });

  it('LED-774 an operator’s halt asks no table which assets there are, and refuses one that nobody has ever had', async () => {
    const reader = new Proxy(parts.database.reader, {
      get: () => {
        throw new Error('the halt read a table');
      },
    });
    const halting = new Halting({ ...parts, ledger, reader });
    await post(move(WORLD, available(anna), '10'));
    const why = { by: 'owner', reason: 'the bank statement differs' };
    await expect(halting.haltByOperator('ETH', why)).rejects.toThrow('l.not_found');
    await halting.haltByOperator('USDT', why);
    expect(ledger.isHalted('USDT')).toBe(true);
  });

  it('LED-009 statements show each movement once with its running balance', async () => {
    const movements = new Movements({ ...parts, systemUsers: () => Promise.resolve([]) });
    await post(move(WORLD, available(anna), '10'));
    await post(move(available(anna), available(bert), '4'), move(available(anna), available(bert), '1'));
    await Promise.all([movements.catchUp(), movements.catchUp()]);
    await post(move(available(bert), available(anna), '2'));
    await movements.catchUp();
    const { list, total } = await movements.ofOwner(anna, {}, firstRows(10));
    expect(total).toBe(4);
    expect(list.map(({ amount, balance }) => [amount.toString(), balance.toString()])).toEqual([
      ['2', '7'],
      ['-1', '5'],
      ['-4', '6'],
      ['10', '10'],
    ]);
    const theirs = await movements.ofOwner(bert, { asset: 'USDT' }, firstRows(2));
    expect(theirs.total).toBe(3);
    expect(theirs.list).toHaveLength(2);
  });

  it('LED-790 without new entries the projection opens no transaction and reads no system users', async () => {
    const never = () => Promise.reject(new Error('there are no new entries'));
    await new Movements({ ...parts, systemUsers: () => Promise.resolve([]) }).catchUp();
    const database = new Proxy(parts.database, {
      get: (target, name) => (name === 'transaction' ? never : Reflect.get(target, name)),
    });
    const idle = new Movements({ ...parts, database, systemUsers: never });
    await idle.catchUp();
    await post(move(WORLD, available(anna), '1'));
    await expect(idle.catchUp()).rejects.toThrow('there are no new entries');
  });

  it('LED-051 a statement counts no further than it can be paged through', async () => {
    const movements = new Movements({ ...parts, systemUsers: () => Promise.resolve([]) });
    await parts.testDatabase.pool.query(
      `insert into ledger_movement
       select $1, n, 0, 1, 'USDT', 'available', 'spot.held', null, 1, n, n from generate_series(1, $2::int) n`,
      [anna, PAGED_ROWS_MAX + 500],
    );
    const { total, list } = await movements.ofOwner(anna, {}, firstRows(2));
    expect(total).toBe(PAGED_ROWS_MAX);
    expect(list[0]?.balance.toString()).toBe(String(PAGED_ROWS_MAX + 500));
  });

  it('PORT-1012 a page of the history reads as many rows as it shows, whatever lies above, below or beside them', async () => {
    const { pool } = parts.testDatabase;
    const fill = (kind: string, asset: string, first: number, last: number) =>
      pool.query(
        `insert into ledger_movement
         select $1, n, 0, 1, $2, 'available', $3, null, 1, n, n from generate_series($4::int, $5::int) n`,
        [anna, asset, kind, first, last],
      );
    await fill('deposit.credited', 'USDT', 1, 3);
    await fill('spot.traded', 'BTC', 4, 10_000);
    await fill('withdrawal.sent', 'BTC', 10_001, 10_001);
    await fill('spot.traded', 'USDT', 10_002, 20_000);
    await fill('spot.held', 'USDT', 20_001, 60_000);
    await pool.query('vacuum analyze ledger_movement');
    const page = firstRows(10);
    const measure = async (filter: EventFilter, after?: string) => {
      const { reader, queries } = recorded(parts.database.reader);
      await eventsOf(reader, anna, filter, { ...page, after }).catch(() => undefined);
      const query = queries.find(({ sql: text }) => text.includes('offset'))!;
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${query.sql}`,
        [...query.parameters],
      );
      return rowsRead(rows[0]!['QUERY PLAN'][0].Plan);
    };
    expect(await measure({})).toBeLessThan(100);
    expect(await measure({ asset: 'BTC' })).toBeLessThan(100);
    expect(await measure({ kinds: ['deposit.credited', 'withdrawal.sent'] })).toBeLessThan(100);
    expect(await measure({ from: 1, to: 20 })).toBeLessThan(100);
    expect(await measure({}, '5000-5000')).toBeLessThan(100);
  });

  it('LED-050 the exchange’s own users have no statement, and users who trade with them have a complete one', async () => {
    const house = randomUUID() as UserId;
    await ledger.prepare(house);
    const movements = new Movements({ ...parts, systemUsers: () => Promise.resolve([house]) });
    await post(move(WORLD, available(house), '10'));
    await post(
      move(available(house), available(anna), '4'),
      move(available(house), houseAddress('fees'), '1'),
    );
    await post(move(available(anna), available(house), '3'));
    await movements.catchUp();
    const page = firstRows(10);
    expect(await movements.ofOwner(house, {}, page)).toMatchObject({ list: [], total: 0 });
    const { list } = await movements.ofOwner(anna, {}, page);
    expect(list.map(({ amount, balance }) => [amount.toString(), balance.toString()])).toEqual([
      ['-3', '1'],
      ['4', '4'],
    ]);
    expect((await audited()).problems).toEqual([]);
  });

  it('LED-985 the liabilities to users, computed from all other accounts, equal the sum of the users’ accounts', async () => {
    const places = [
      WORLD,
      worldAddress('ETH', 'demo'),
      houseAddress('fees'),
      userAddress(anna, 'spot', 'available'),
      userAddress(anna, 'spot', 'frozen'),
      userAddress(bert, 'spot', 'available'),
    ];
    const pairs = places.slice(2).flatMap((destination) =>
      (['USDT', 'ETH'] as const).map((asset, at) => ({
        source: places[at]!,
        destination,
        asset,
        amount: d(`${destination.name.length + at}.5`),
      })),
    );
    const back: Posting = {
      source: userAddress(anna, 'spot', 'available'),
      destination: userAddress(bert, 'spot', 'available'),
      asset: 'USDT',
      amount: d('0.25'),
    };
    await runStep(parts.sequencer, 'post', {}, (step) => {
      ledger.post(step, 'faucet.claimed', null, pairs);
      ledger.post(step, 'spot.traded', null, [back]);
    });
    const { reader } = parts.database;
    for (const trading of [[], [bert], [anna, bert]]) {
      const added = await coinTotals(reader, trading);
      expect(added.map(({ sum }) => sum)).toEqual(['0', '0']);
      const shown = await displayCoinTotals(reader, trading);
      expect(shown).toEqual(added.map(({ sum: _sum, ...others }) => others));
    }
  });
});
