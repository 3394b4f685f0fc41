import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later, SECOND_MS } from '@exchange/core/time.ts';
import { saleFault } from '../../../../tools/verify/subscription.mjs';
import { settlementFault } from '../../../../tools/verify/verify.mjs';
import { createFund } from '../../src/modules/fund/testing/funds.ts';
import { presentSettlement } from '../../src/modules/seconds/present.ts';
import { openSecondsMarket } from '../../src/modules/seconds/testing/players.ts';
import { lineOf } from '../../src/modules/subscription/jobs.ts';
import { createProject } from '../../src/modules/subscription/testing/projects.ts';
import { eventually } from '../eventually.ts';
import type { TestExchange } from '../exchange.ts';
import { entryMismatches, type InterruptedWork } from './mortal-work.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const oneEach = (ids: readonly string[]) => new Map(ids.map((id) => [id, 1]));

/** Creates seconds positions that are due for settlement, including positions that expire while no server runs. */
export async function secondsExpiries(
  exchange: TestExchange,
  owners: readonly UserId[],
  positions: number,
): Promise<InterruptedWork> {
  await openSecondsMarket(exchange, '1000000');
  const { seconds, settling } = exchange.doors.seconds;
  for (const owner of owners) await seconds.transfer(owner, 'USDT', d('100000'), true);
  await settling.stop();
  let openedCount = 0;
  const open = async (symbol: string, length: number) => {
    for (let at = 0; at < Math.floor(positions / 3); at += 1) {
      openedCount += 1;
      const ticket = { direction: at % 2 === 0 ? 'up' : 'down', stake: d('10'), seconds: length } as const;
      const owner = owners[at % owners.length]!;
      const origin = `mortal:${symbol}:${length}:${at}`;
      // While the newest index point is too old, the server refuses a new position. This happens on a busy machine, so
      // opening is retried.
      await eventually(async () => {
        if (!(await seconds.openForDemo(owner, symbol, ticket, origin))) throw new Error('not opened yet');
      });
    }
  };
  // The price of BTC is constant and that of ETH rises. The positions of 120 seconds expire while no server runs, so
  // there is no price at their expiry.
  let price = 2_500;
  const priceRise = setInterval(() => exchange.prices.set('ethusdt', String((price += 1))), 200);
  await Promise.all([open('btcusdt', 2), open('ethusdt', 2), open('btcusdt', 120)]);
  await waitForTape(exchange, 4 * SECOND_MS);
  clearInterval(priceRise);
  exchange.prices.set('ethusdt', '2500');
  return {
    name: 'seconds',
    whole: openedCount,
    done: 'select count(*) from seconds_order where status <> 0',
    finish: ({ doors }) => doors.seconds.settling.settle(),
    problems: async (after) => {
      const { rows } = await after.database.pool.query<{ id: string; result: string | null }>(
        'select id, result from seconds_order',
      );
      const { proofs } = after.doors.seconds;
      const faults: string[] = [];
      for (const { id, result } of rows) {
        const fault =
          result === null ? 'not settled' : settlementFault(presentSettlement(await proofs.settlement(id)));
        if (fault !== undefined) faults.push(`${id}: ${fault}`);
      }
      const results = [...new Set(rows.map(({ result }) => String(result)))].toSorted();
      const kinds = ['seconds.won', 'seconds.lost', 'seconds.returned'];
      return [
        ...faults,
        ...(rows.length === openedCount ? [] : [`${rows.length} positions`]),
        ...(results.join() === 'draw,lose,void,win' ? [] : [`only ${results.join()}`]),
        ...(await entryMismatches(after, kinds, oneEach(rows.map(({ id }) => id)))),
      ];
    },
  };
}

/**
 * Creates fund positions that are due for liquidation because of a single second of the index tape. It stops the fund
 * watch before this second, so the caller must call it last.
 */
export async function fundLiquidations(
  exchange: TestExchange,
  owners: readonly UserId[],
  positions: number,
): Promise<InterruptedWork> {
  const fund = await createFund(exchange, 'steep');
  const { funds, watch } = exchange.doors.fund;
  const past = { t: later(exchange.clock.now(), -60 * SECOND_MS), value: d('100') };
  await Promise.all(
    Array.from({ length: positions }, (_, index) => {
      const ticket = { fund, margin: d('20'), leverage: 3 };
      const origin = `mortal:liquidated:${index}`;
      return funds.buyForDemo(owners[index % owners.length]!, ticket, { ...past, origin });
    }),
  );
  await watch.stop();
  await exchange.setPrice('btcusdt', '17250');
  const second = exchange.doors.market.latestPoint('btcusdt')!.t;
  await exchange.setPrice('btcusdt', '50000');
  const liquidatedCondition = `status = 3 and fund = '${fund}'`;
  return {
    name: 'liquidations',
    whole: positions,
    done: `select count(*) from fund_position where ${liquidatedCondition}`,
    finish: ({ database }) =>
      eventually(async () => {
        const { rowCount } = await database.pool.query(
          `select 1 from fund_position where status = 1 and fund = '${fund}' limit 1`,
        );
        if (rowCount !== 0) throw new Error('not judged yet');
      }),
    problems: async (after) => {
      const { rows } = await after.database.pool.query<{
        id: string;
        closed_at: string;
        sale_price: string;
        payout: string;
      }>(
        `select id, closed_at::text, sale_price::text, payout::text from fund_position where ${liquidatedCondition}`,
      );
      // The expected payout of a fund position of 0.6 units bought at 100 with a margin of 20 and sold at 67.25. The
      // fee is 0.5 % of the sale's value.
      const mismatches = rows.filter(
        (row) =>
          Number(row.closed_at) !== second ||
          Number(row.sale_price) !== 67.25 ||
          Number(row.payout) !== 0.14825,
      );
      return [
        ...mismatches.map((row) => `liquidated otherwise: ${JSON.stringify(row)}`),
        ...(rows.length === positions ? [] : [`${rows.length} of ${positions} are liquidated`]),
        ...(await entryMismatches(after, ['fund.liquidated'], oneEach(rows.map(({ id }) => id)))),
      ];
    },
  };
}

/** Creates ended token sales whose commitments are published and whose settlement is due. */
export async function subscriptionSales(
  exchange: TestExchange,
  { projects, participants }: { readonly projects: number; readonly participants: number },
): Promise<InterruptedWork> {
  const { identity, faucet } = exchange.doors;
  const { subscription, jobs } = exchange.doors.subscription;
  const startAt = later(exchange.clock.now(), -40 * DAY_MS);
  const times = { startAt, endAt: later(startAt, DAY_MS), listAt: later(startAt, 2 * DAY_MS) };
  const ids: string[] = [];
  for (let at = 0; at < projects; at += 1) ids.push(await createProject(exchange, `sale${at}`, times));
  for (let at = 0; at < participants; at += 1) {
    const owner = await identity.ensureSystemUser(`participant-${at}`);
    await faucet.fund(owner, [{ asset: 'USDT', amount: Decimal.ofWhole(200 * projects) }]);
    for (let sale = 0; sale < projects; sale += 1)
      await subscription.commitForDemo(
        owner,
        `sale${sale}`,
        Decimal.ofWhole(10 + ((at * 7 + sale) % 180)),
        later(startAt, 1),
      );
  }
  // The allocation of a sale requires that its commitments were published at least this time ago. Because of
  // the infinite time, this run only publishes them, and the allocation remains due.
  await jobs.executeDue(Number.POSITIVE_INFINITY);
  const commitments = projects * participants;
  return {
    name: 'subscription',
    whole: commitments + 2 * projects,
    done: `(select count(*) from subscription_file) + (select count(*) from subscription_commitment where settled_at is not null)`,
    finish: ({ doors }) => doors.subscription.jobs.settle(),
    problems: async (after) => {
      const faults: string[] = [];
      const parts: string[] = [];
      for (const id of ids) {
        const { rows: files } = await after.database.pool.query<{ content: string }>(
          `select string_agg(content, '' order by number) as content
          from subscription_file_block where project = $1 group by kind order by kind`,
          [id],
        );
        const { rows: settled } = await after.database.pool.query<{
          id: string;
          salt: string;
          owner: UserId;
          allocated: string;
          cost: string;
        }>(
          'select id, salt, owner, allocated::text, cost::text from subscription_commitment where project = $1 and settled_at is not null',
          [id],
        );
        const [commitmentsFile, resultFile] = files.map(({ content }) => content);
        const fault = saleFault(commitmentsFile!, resultFile!);
        if (fault !== undefined) faults.push(`${id}: ${fault}`);
        const { results } = JSON.parse(resultFile!) as {
          results: readonly { line: string; allocated: string; cost: string }[];
        };
        const resultsByLine = new Map(results.map((result) => [result.line, result]));
        for (const commitment of settled) {
          const line = resultsByLine.get(lineOf(commitment))!;
          if (!d(line.allocated).equals(d(commitment.allocated)) || !d(line.cost).equals(d(commitment.cost)))
            faults.push(`${commitment.id} was settled otherwise`);
        }
        if (settled.length !== participants) faults.push(`${id}: ${settled.length} are settled`);
        parts.push(...settled.map((commitment) => commitment.id));
      }
      return [
        ...faults,
        ...(await entryMismatches(after, ['subscription.issued'], oneEach(ids))),
        ...(await entryMismatches(after, ['subscription.settled'], oneEach(parts))),
      ];
    },
  };
}

/**
 * Waits until the newest second of the index tape has advanced by `ms`. Throws like `eventually` if that takes too
 * long.
 */
async function waitForTape({ doors }: TestExchange, ms: number): Promise<void> {
  const newest = () => doors.market.latestPoint('btcusdt')?.t ?? 0;
  const until = newest() + ms;
  await eventually(() => {
    if (newest() < until) throw new Error('not yet');
  });
}
