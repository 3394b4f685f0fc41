import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userId, tokenOf } from './plan.ts';
import { clientOptions } from '../../apps/server/src/platform/database/pool.ts';
import { testDatabase } from '../../apps/server/testing/database.ts';
import { TestExchange } from '../../apps/server/testing/exchange.ts';
import { signInAs } from '../../apps/server/testing/operators.ts';
import { fillLargeData } from './fill.ts';
import { catalogueOf, GrowingTables, planOf, recordQueries } from './plans.ts';
import { consoleReads, publicReads, send, type Read } from './reads.ts';
import { signIn } from './sessions.ts';

describe('tables that grow with history', () => {
  let exchange: TestExchange;
  const recorded = new Map<string, { text: string; values: readonly unknown[]; by: string }>();

  beforeAll(async () => {
    const target = await testDatabase();
    await fillLargeData(target.connection, { scale: 0.0001, now: Date.now() });
    await signIn(target.connection);
    exchange = new TestExchange(target, {});
    const stop = recordQueries(recorded, 'the start');
    try {
      await exchange.start();
    } finally {
      stop();
    }
  });

  afterAll(() => exchange.close());

  /**
   * Sends reading requests one after another and records the SQL queries that they cause. Returns the number of
   * successful responses.
   */
  async function recordReads(url: string, reads: readonly Read[], headers: Readonly<Record<string, string>>) {
    let served = 0;
    for (const read of reads) {
      const stop = recordQueries(recorded, read.name);
      try {
        for (const form of read.forms) if ((await send(url, read, form, headers)).isServed) served += 1;
      } finally {
        stop();
      }
    }
    return served;
  }

  it('REPO-972 the start, first pages, console pages and the minute’s job never read all rows of a table that grows with history', async () => {
    const token = { 'x-access-token': tokenOf(1) };
    expect(await recordReads(exchange.url, publicReads(Date.now()), token)).toBeGreaterThan(60);
    const cookie = await signInAs(exchange, 'owner');
    const lists = consoleReads(exchange.operations, userId(1));
    expect(await recordReads(exchange.consoleUrl, lists, { cookie })).toBeGreaterThan(30);
    const stop = recordQueries(recorded, 'the minute');
    try {
      await exchange.doors.reconciliation.reconcile();
    } finally {
      stop();
    }
    expect(recorded.size).toBeGreaterThan(100);
    const client = new pg.Client(clientOptions(exchange.database.connection, 'bench plans'));
    await client.connect();
    try {
      const growing = new GrowingTables(await catalogueOf(client));
      for (const query of recorded.values()) growing.check(query, await planOf(client, query));
      expect(growing.fullReads).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('REPO-972 a query without a usable index and a query that counts all rows are reported, a query of the newest rows is not', async () => {
    const client = new pg.Client(clientOptions(exchange.database.connection, 'bench plans'));
    await client.connect();
    try {
      const growing = new GrowingTables(await catalogueOf(client));
      for (const text of [
        `select * from message where kind = 'depositCredited'`,
        'select count(*) from spot_trade',
        'select * from spot_trade order by sequence desc limit 10',
        `select * from spot_order where status = 'open'`,
      ]) {
        const query = {
          text,
          values: [],
          by: 'test',
        };
        growing.check(query, await planOf(client, query));
      }
      expect(growing.fullReads).toEqual([
        expect.stringMatching(/^test: message in/),
        expect.stringMatching(/^test: spot_trade in select count/),
      ]);
    } finally {
      await client.end();
    }
  });
});
