import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { acceptConvert, convertQuote, convertRecords } from '@exchange/wire/convert.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLongForm } from '../../../../tools/test-form.ts';
import { AUDIT_CHECKS, HOLDS } from '../../src/money.ts';
import { audit } from '../../src/modules/ledger/index.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { seededRandom } from '../seeded-random.ts';
import { openAccounts, type Account } from './account.ts';
import { requireBuiltServer } from './built-server.ts';
import { ServerProcess } from './server-process.ts';

const KILLS = 40;
const CUSTOMERS = 8;
const POLL_MS = 1;
const PAID = '20';
/**
 * Keys of refusals that the test accepts for a quote or its acceptance while servers are killed: the quote has expired,
 * or prices are not available yet.
 */
const PERMITTED_REFUSALS: ReadonlySet<string | undefined> = new Set(['l.quote_expired', 'l.no_index']);

type Exchanged = DataOf<typeof acceptConvert>;

/**
 * States of a conversion. Each has an SQL query that counts the conversions which have reached it. The test kills the
 * server when this number has increased.
 */
const STATES = [
  ['quoted', 'select count(*)::int as n from convert_quote'],
  ['exchanged', 'select count(*)::int as n from convert_quote where accepted_at is not null'],
] as const;

/** A client that requests and accepts conversion quotes repeatedly and records the responses. */
class Customer {
  readonly account: Account;
  readonly exchanges: Exchanged[] = [];
  private isStopped = false;

  constructor(account: Account) {
    this.account = account;
  }

  stop(): void {
    this.isStopped = true;
  }

  async work(): Promise<void> {
    while (!this.isStopped) {
      const request = { from: 'USDT', to: 'BTC', fromAmount: PAID };
      const quote = await this.account.requestWithRetries(convertQuote, request);
      if (quote.code === 1) {
        const clientId = randomUUID();
        const answer = await this.account.requestWithRetries(acceptConvert, {
          quoteId: quote.data.quoteId,
          clientId,
        });
        if (answer.code === 1) this.exchanges.push(answer.data);
        else if (!PERMITTED_REFUSALS.has(answer.errKey))
          throw new Error(`accepting was refused: ${answer.text}`);
      } else if (!PERMITTED_REFUSALS.has(quote.errKey)) throw new Error(`a quote was refused: ${quote.text}`);
    }
  }

  async balances(): Promise<Record<string, string>> {
    const { list } = await this.account.request(spotAssets, { pageSize: '100' });
    return Object.fromEntries(list.map((row) => [row.currencyName, row.availableCurrency]));
  }

  async records(): Promise<string[]> {
    const ids: string[] = [];
    for (let pageNo = 1; ; pageNo += 1) {
      const { list, totalRow } = await this.account.request(convertRecords, {
        pageNo: String(pageNo),
        pageSize: '100',
      });
      ids.push(...list.map(({ id }) => id));
      if (list.length === 0 || ids.length >= totalRow) return ids;
    }
  }
}

describe('instant exchange', () => {
  beforeAll(requireBuiltServer);

  it.skipIf(!isLongForm)(
    'CONV-011 when killed after a quote, after an exchange or in between, executes every exchange once and at its quote',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const server = await ServerProcess.prepare();
      const random = seededRandom(11);
      try {
        await server.start();
        const pool = new pg.Pool({ ...clientOptions(server.connection, 'exchanges programme'), max: 2 });
        try {
          const customers = (await openAccounts([server.url], CUSTOMERS, 11)).map(
            (account) => new Customer(account),
          );
          await pool.query('update user_account set kyc_status = $1 where id = any($2)', [
            KYC_STATUS.verified,
            customers.map(({ account }) => account.id),
          ]);
          const balancesBefore = await Promise.all(customers.map((customer) => customer.balances()));
          const working = Promise.all(customers.map((customer) => customer.work()));
          const killedAt: string[] = [];
          for (let kill = 0; kill < KILLS; kill += 1) {
            const [state, query] = STATES[kill % STATES.length]!;
            const count = async () => (await pool.query<{ n: number }>(query)).rows[0]!.n;
            const countBefore = await count();
            while ((await Promise.race([count(), working.then(() => countBefore)])) <= countBefore)
              await sleep(POLL_MS);
            if (kill % 3 === 2) await sleep(random.whole(1, 40));
            await server.killServer();
            killedAt.push(`${state} ${await count()}`);
            await server.start();
          }
          for (const customer of customers) customer.stop();
          await working;
          for (const [at, customer] of customers.entries()) {
            const { exchanges } = customer;
            expect(exchanges.length).toBeGreaterThan(0);
            expect((await customer.records()).toSorted()).toEqual(exchanges.map(({ id }) => id).toSorted());
            const balancesAfter = await customer.balances();
            const sum = (side: 'fromAmount' | 'toAmount') =>
              exchanges.reduce(
                (total, exchanged) => total.plus(Decimal.parse(exchanged[side])),
                Decimal.zero,
              );
            const balanceBefore = (coin: string) => Decimal.parse(balancesBefore[at]![coin] ?? '0');
            expect(balancesAfter['USDT']).toBe(balanceBefore('USDT').minus(sum('fromAmount')).toString());
            expect(balancesAfter['BTC']).toBe(balanceBefore('BTC').plus(sum('toAmount')).toString());
          }
          const { rows } = await pool.query<{ n: number; of: number }>(
            `select count(*)::int as n, count(distinct reference)::int as of from ledger_entry e
               join convert_quote q on q.id = e.reference
              where e.kind = 'convert.exchanged' and q.owner = any($1)`,
            [customers.map(({ account }) => account.id)],
          );
          const exchanged = customers.reduce((total, { exchanges }) => total + exchanges.length, 0);
          expect(rows).toEqual([{ n: exchanged, of: exchanged }]);
          expect((await audit(databaseOver(pool).reader, HOLDS, AUDIT_CHECKS)).problems).toEqual([]);
          // Proves that requests were sent again.
          expect(customers.some(({ account }) => account.retries > 0)).toBe(true);
          console.log(`killed at: ${killedAt.join(', ')}; ${exchanged} exchanges`);
        } finally {
          await pool.end();
        }
      } finally {
        await server.close();
      }
    },
  );
});
