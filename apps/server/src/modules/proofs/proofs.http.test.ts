import { createPublicKey, verify } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { checkLeaves, LEAVES_PER_USER } from '@exchange/core/proofs.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { proofKeys } from '@exchange/wire/proof.ts';
import { inclusion, liabilities } from '@exchange/wire/proofs.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { runVerifier } from '../../../testing/verifier.ts';
import { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { SigningKey } from '../../platform/secrets/signing-key.ts';
import { dayOf, dayText, KEPT_SNAPSHOTS } from './domain.ts';
import { clearDay } from './repository.ts';
import { takeSnapshot, type SnapshotParts } from './snapshot-taking.ts';

/** Number of users with balances: two test users and the demo trader. Other users have no leaf in a snapshot. */
const PEOPLE = 3;

type Snapshot = DataOf<typeof liabilities>['list'][number];

describe('proof of liabilities', () => {
  let exchange: TestExchange;
  let rich: TestTrader;
  let poor: TestTrader;
  beforeAll(async () => {
    exchange = await anExchange();
    rich = await exchange.aUser({ BTC: '2.5', ETH: '7', USDT: '1000' });
    poor = await exchange.aUser({ USDT: '3.00000001' });
    await exchange.aUser();
    // Balances in open orders and on other accounts are owed to the user as well.
    await rich.request(createOrder, {
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      tradeType: '1',
      price: '49000',
      amount: '0.01',
    });
    await rich.request(secondsTransfer, { amount: '100', currency: 'USDT', type: '1' });
    const house = await exchange.doors.identity.ensureSystemUser('maker-1');
    await exchange.doors.faucet.fund(house, [{ asset: 'BTC', amount: Decimal.parse('40') }]);
  });
  afterAll(() => exchange.close());

  const takeDue = () => exchange.doors.proofs.liabilities.takeDue();
  const listed = async () => (await exchange.call(liabilities)).data;
  const owned = async () => {
    const { rows } = await exchange.database.pool.query<{ asset: string; owed: string }>(
      `select asset, trim_scale(sum(balance))::text as owed from ledger_account
       where owner is not null and owner <> all($1) and asset not like '%:%' group by asset having sum(balance) <> 0 order by asset`,
      [await exchange.doors.identity.systemUsers()],
    );
    return rows.map(({ asset, owed }) => ({ currency: asset, owed }));
  };
  const totals = ({ totals: all }: Snapshot) =>
    all.filter(({ owed }) => owed !== '0').map(({ currency, owed }) => ({ currency, owed }));

  it('POL-006 before the first snapshot the list is empty and there is no leaf', async () => {
    expect(await listed()).toMatchObject({ list: [], totalRow: 0 });
    expect(await rich.call(inclusion)).toMatchObject({ errKey: 'l.not_found' });
  });

  it('POL-001 POL-002 a snapshot is public: its root, totals that match the ledger, and a valid signature', async () => {
    await takeDue();
    const { list, totalRow } = await listed();
    expect(totalRow).toBe(1);
    const [snapshot] = list;
    expect(snapshot).toMatchObject({
      day: dayText(dayOf(exchange.clock.now())),
      leaves: PEOPLE * LEAVES_PER_USER,
    });
    expect(totals(snapshot!)).toEqual(await owned());
    const { house } = snapshot!.totals.find(({ currency }) => currency === 'BTC')!;
    expect(house).toContainEqual({ account: 'trading', amount: '40' });
    const { receipt, ...content } = snapshot!;
    const [key] = (await exchange.call(proofKeys)).data.keys;
    expect(receipt.key).toBe(key!.id);
    const text = Buffer.from(`liabilities|${canonicalText(content)}`);
    expect(
      verify(null, text, createPublicKey(key!.publicKey), Buffer.from(receipt.signature, 'base64')),
    ).toBe(true);
  });

  it('POL-004 POL-005 each user gets valid leaves; the stand-alone verifier confirms them and detects a change', async () => {
    const keys = await exchange.call(proofKeys);
    for (const user of [rich, poor]) {
      const { snapshot, leaf } = await user.request(inclusion);
      expect(leaf!.user).toBe(user.id);
      expect(checkLeaves(snapshot, leaf!)).toEqual({ amounts: true, path: true, totals: true });
      const proof = { snapshot, leaf };
      expect(runVerifier('proofs', { 'leaf.json': proof, 'keys.json': keys })).toMatchObject({
        isValid: true,
      });
      const changed = structuredClone(proof);
      changed.leaf!.leaves[0]!.path[0]!.hash = '0'.repeat(64);
      expect(runVerifier('proofs', { 'leaf.json': changed }).isValid).toBe(false);
    }
    expect((await poor.request(inclusion)).leaf!.amounts).toEqual([
      { currency: 'USDT', amount: '3.00000001' },
    ]);
    expect((await rich.request(inclusion)).leaf!.amounts).toEqual([
      { currency: 'BTC', amount: '2.5' },
      { currency: 'ETH', amount: '7' },
      { currency: 'USDT', amount: '1000' },
    ]);
  });

  it('POL-004 nobody gets another user’s leaf, and sibling nodes reveal no complete balance', async () => {
    expect(await exchange.call(inclusion)).toMatchObject({ code: -2 });
    const url = `${exchange.url}/bb/app/proof/inclusion?user=${rich.id}&userId=${rich.id}`;
    const answer = await (await fetch(url, { headers: { 'x-access-token': poor.token } })).text();
    expect(answer).not.toContain(rich.id);
    const { leaf } = await poor.request(inclusion);
    const beside = leaf!.leaves.flatMap(({ path }) => path[0]!.amounts.map(({ amount }) => amount));
    expect(beside.filter((amount) => ['2.5', '7', '1000'].includes(amount))).toEqual([]);
    const { rows } = await exchange.database.pool.query<{ row: string }>(
      `select row_to_json(l)::text as row from proof_leaf l union all select row_to_json(n)::text from proof_node n`,
    );
    expect(rows.filter(({ row }) => row.includes(rich.id))).toEqual([]);
  });

  it('POL-006 a user who is owed nothing gets no leaf, and a day without a snapshot is not found', async () => {
    const nobody = await exchange.aUser();
    expect(await nobody.request(inclusion)).not.toHaveProperty('leaf');
    for (const day of ['2020-01-01', '2026-02-31'])
      expect(await rich.call(inclusion, { day })).toMatchObject({ errKey: 'l.not_found' });
    expect(await rich.call(inclusion, { day: 'today' })).toMatchObject({ errKey: 'l.field_invalid' });
  });

  it('POL-007 a day has one snapshot, however often it is requested, concurrently and after a restart', async () => {
    const before = await listed();
    await Promise.all([takeDue(), takeDue()]);
    await exchange.restart();
    await takeDue();
    expect(await listed()).toEqual(before);
  });

  it('POL-007 interrupted at any statement, it is eventually taken once, and nothing is published before that', async () => {
    const { database } = exchange.doors;
    const secret = new ServerSecret(Buffer.alloc(32, 9));
    const parts: SnapshotParts = {
      database,
      secret,
      signingKey: new SigningKey(secret.key('tape checkpoints')),
      systemUsers: () => exchange.doors.identity.systemUsers(),
    };
    const day = dayOf(exchange.clock.now()) + 1;
    let interruptions = 0;
    for (;;) {
      let left = interruptions;
      const store = database.store.withPlugin({
        transformQuery: ({ node }) => {
          if (left === 0) throw new Error('interrupted');
          left -= 1;
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      });
      const tried = takeSnapshot({ ...parts, database: { ...database, store } }, day, exchange.clock.now());
      const [ended] = await Promise.allSettled([tried]);
      expect(ended.status === 'rejected' ? String(ended.reason) : 'interrupted').toContain('interrupted');
      // The last SQL statement of a snapshot publishes it, because there are no old snapshots to delete.
      if ((await listed()).list[0]!.day === dayText(day)) break;
      interruptions += 1;
    }
    expect(interruptions).toBeGreaterThan(4);
    const { list, totalRow } = await listed();
    expect(totalRow).toBe(2);
    expect(list[0]).toMatchObject({ day: dayText(day), leaves: PEOPLE * LEAVES_PER_USER });
    expect(totals(list[0]!)).toEqual(await owned());
    const { rows } = await exchange.database.pool.query<{ count: string }>(
      `select count(*) from proof_leaf where day = ${day}`,
    );
    expect(Number(rows[0]!.count)).toBe(PEOPLE * LEAVES_PER_USER);
  });

  it('POL-002 POL-009 a mismatch with the ledger prevents publication and is logged and reported by health until it is resolved', async () => {
    await exchange.advanceTime(2 * DAY_MS);
    const { proofs } = exchange.doors;
    const change = (by: string) =>
      exchange.database.pool.query(
        `update ledger_account set balance = balance + ${by} where owner = '${poor.id}' and address like '%:spot:available'`,
      );
    const before = await listed();
    await change('1');
    await takeDue();
    await change('-1');
    expect(await listed()).toEqual(before);
    expect(
      exchange.log.lines.filter(({ event }) => event === 'proofs.does_not_add_up').length,
    ).toBeGreaterThan(0);
    expect(await proofs.health()).toMatchObject({ isUp: false });
    await takeDue();
    expect((await listed()).totalRow).toBe(before.totalRow + 1);
    expect(await proofs.health()).toMatchObject({ isUp: true });
  });

  it('POL-014 EDGE-203 liabilities and holdings match the ledger, without the exchange’s own trading accounts', async () => {
    const { coverage } = exchange.doors.proofs;
    await coverage.refresh();
    const { isUp, rows = [] } = coverage.health();
    expect(isUp).toBe(true);
    const owed = rows
      .filter(({ owedToUsers }) => owedToUsers !== '0')
      .toSorted((left, right) => (left['asset']! < right['asset']! ? -1 : 1));
    expect(owed.map(({ asset, owedToUsers }) => ({ currency: asset, owed: owedToUsers }))).toEqual(
      await owned(),
    );
    const btc = rows.find(({ asset }) => asset === 'BTC')!;
    const houses = Decimal.parse(btc['ownedByHouse']!);
    expect(houses.isLess(Decimal.ofWhole(40))).toBe(false);
    // In a demo all coins came from outside, so everything not owed belongs to the exchange.
    for (const { difference, ownedByHouse, state } of rows)
      expect([state, difference]).toEqual(['covered', ownedByHouse]);
    // The health endpoint shows the latest stored result; it does not compute a new one.
    await exchange.aUser({ BTC: '1' });
    expect(coverage.health().rows).toEqual(rows);
    const metrics = await (await fetch(`${exchange.consoleUrl}/metrics`)).text();
    expect(metrics).toContain(`coverage_percent{asset="BTC"} ${btc['coveragePercent']}`);
    const health = (await (await fetch(`${exchange.consoleUrl}/health`)).json()) as {
      components: { coverage: unknown };
    };
    expect(health.components.coverage).toMatchObject({
      isUp: true,
      rows: [{ asset: rows[0]!['asset'] }, ...rows.slice(1).map(() => ({}))],
    });
  });

  it('POL-013 an attempt unaware of the published snapshot deletes nothing of it', async () => {
    const before = await rich.request(inclusion);
    await clearDay(exchange.doors.database.store, dayOf(exchange.clock.now()), 1_000);
    expect(before.snapshot.day).toBe(dayText(dayOf(exchange.clock.now())));
    expect(await rich.request(inclusion)).toEqual(before);
  });

  it('POL-008 leaves of thirty snapshots are kept, and published data is kept unchanged forever', async () => {
    const oldest = (await listed()).list.at(-1)!;
    const liabilitiesService = exchange.doors.proofs.liabilities;
    expect((await liabilitiesService.proofOf(rich.id, oldest.day)).leaf).toBeDefined();
    for (let count = 0; count < KEPT_SNAPSHOTS; count += 1) {
      await exchange.advanceTime(DAY_MS);
      await takeDue();
    }
    await expect(liabilitiesService.proofOf(rich.id, oldest.day)).rejects.toThrow('not_found');
    const { rows } = await exchange.database.pool.query<{ days: string }>(
      `select count(distinct day) as days from proof_owed union all select count(distinct day) from proof_leaf
       union all select count(distinct day) from proof_node`,
    );
    expect(rows.map(({ days }) => Number(days))).toEqual([KEPT_SNAPSHOTS, KEPT_SNAPSHOTS, KEPT_SNAPSHOTS]);
    const all = (await exchange.call(liabilities, { pageSize: '100' })).data;
    expect(all.list.at(-1)).toEqual(oldest);
    expect(all.totalRow).toBeGreaterThan(KEPT_SNAPSHOTS);
    const { store } = exchange.doors.database;
    await expect(store.deleteFrom('proof_snapshot' as never).execute()).rejects.toThrow('permission denied');
  });

  it('POL-009 health reports when a day’s snapshot is missing', async () => {
    expect(await exchange.doors.proofs.health()).toMatchObject({ isUp: true });
    exchange.clock.shift(DAY_MS + DAY_MS / 4);
    expect(await exchange.doors.proofs.health()).toMatchObject({ isUp: false });
  });
});
