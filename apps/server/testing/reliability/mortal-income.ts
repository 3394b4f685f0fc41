import { Decimal } from '@exchange/core/decimal.ts';
import { dailyCost } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later, SECOND_MS, startOfDay } from '@exchange/core/time.ts';
import { aProduct } from '../../src/modules/finance/testing/products.ts';
import { saveCandles } from '../../src/modules/fund/records-repository.ts';
import { positionsByIds } from '../../src/modules/fund/repository.ts';
import { aFund, fundTerms } from '../../src/modules/fund/testing/funds.ts';
import { aMine } from '../../src/modules/mining/testing/products.ts';
import type { TestExchange } from '../exchange.ts';
import { otherEntries, type MortalWork } from './mortal-work.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const PERIOD = 7;
const WIDE = { startAmount: d('1'), maxAmount: d('10000000'), capacity: d('10000000') };
/** Bought that long ago, of a term of seven days: of one product most days are due, of the others all. */
const RUNNING_FOR = 5;
const ENDED_FOR = 9;
const FUND_DAYS = 6;

interface IncomeRow {
  readonly id: string;
  readonly days: readonly number[];
  readonly amount: string;
  readonly daily: string;
}

/** Days one after another from the first, each credited with the order's daily amount. */
function wrongIncome(rows: readonly IncomeRow[], orders: number, least: number): string[] {
  const wrong = rows.filter(({ days, amount, daily }) => {
    const sum = Decimal.ofAtoms(d(daily).atoms * BigInt(days.length));
    return days.some((day, at) => day !== at + 1) || days.length < least || !d(amount).equals(sum);
  });
  const missing = rows.length === orders ? [] : [`${rows.length} of ${orders} orders have income`];
  return [...missing, ...wrong.map((row) => `income of ${row.id}: ${row.days.join(' ')}, ${row.amount}`)];
}

/** Paydays of fixed terms: paid daily while they run, after their end, and at maturity. */
export async function financePaydays(
  exchange: TestExchange,
  owners: readonly UserId[],
  orders: number,
): Promise<MortalWork> {
  await aProduct(exchange, 'daily', { ...WIDE, payMode: 'daily' });
  await aProduct(exchange, 'ended', { ...WIDE, payMode: 'daily' });
  await aProduct(exchange, 'whole', WIDE);
  const ages = { daily: RUNNING_FOR, ended: ENDED_FOR, whole: ENDED_FOR };
  const { finance } = exchange.doors.finance;
  const today = exchange.clock.now();
  let whole = 0;
  await Promise.all(
    Array.from({ length: orders }, async (_, turn) => {
      const code = (['daily', 'ended', 'whole'] as const)[turn % 3]!;
      whole += Math.min(PERIOD, ages[code] - 1);
      const house = { origin: `mortal:${turn}`, since: later(today, -ages[code] * DAY_MS) };
      const owner = owners[turn % owners.length]!;
      const amount = Decimal.ofWhole(10 + (turn % 7));
      if (!(await finance.buyForHouse(owner, code, amount, house))) throw new Error('it was not bought');
    }),
  );
  return {
    name: 'paydays',
    whole,
    done: 'select count(*) from finance_income',
    finish: ({ doors }) => doors.finance.jobs.settle(),
    problems: async ({ database }) => {
      const { rows } = await database.pool.query<IncomeRow>(
        `select o.id, array_agg(i.day order by i.day) as days, sum(i.amount)::text as amount,
           max(o.daily_interest)::text as daily
         from finance_order o join finance_income i on i.order_id = o.id group by o.id`,
      );
      return wrongIncome(rows, orders, RUNNING_FOR - 1);
    },
  };
}

interface DigestRow {
  readonly owner: string;
  readonly digests: number;
  readonly notices: number;
  readonly parameters: unknown;
}

/** Digests of income from before the last cut-off: two payments of each of so many people, in more than one page. */
export async function incomeDigests(
  exchange: TestExchange,
  [buyer]: readonly UserId[],
  people: number,
): Promise<MortalWork> {
  await aProduct(exchange, 'digest', { ...WIDE, payMode: 'daily' });
  const { finance } = exchange.doors.finance;
  const { pool } = exchange.database;
  const house = { origin: 'mortal:digest', since: exchange.clock.now() };
  if (!(await finance.buyForHouse(buyer!, 'digest', d('10'), house))) throw new Error('it was not bought');
  const created = await pool.query<{ id: string }>(
    `insert into user_account (id, uid, email, invitation_code, locale, created_at)
     select gen_random_uuid(), (90000000 + n)::text, 'digest' || n || '@example.com', 'digest' || n, 'en-US', 0
     from generate_series(1, $1::int) n returning id`,
    [people],
  );
  const owners = created.rows.map(({ id }) => id);
  await pool.query(
    `insert into finance_notice (id, owner, order_id, kind, amount, at)
     select gen_random_uuid(), owner, placed.id, 'income', 1.25, $2
     from unnest($1::uuid[]) owner, generate_series(1, 2), (select id from finance_order where origin = 'mortal:digest') placed`,
    [owners, later(startOfDay(exchange.clock.now()), -2 * DAY_MS)],
  );
  return {
    name: 'digests',
    whole: people,
    done: 'select count(*) from income_digest where owner in (select id from user_account where email like $$digest%$$)',
    finish: ({ doors }) => doors.income.jobs.settle(),
    problems: async ({ database }) => {
      const { rows } = await database.pool.query<DigestRow>(
        `select owner, (select count(*)::int from message where user_id = owner and kind = 'incomeDigest') as digests,
           (select count(*)::int from finance_notice n where n.owner = listed.owner) as notices,
           (select parameters from message where user_id = owner limit 1) as parameters
         from unnest($1::uuid[]) as listed(owner)`,
        [owners],
      );
      return rows
        .filter(
          ({ digests, notices, parameters }) =>
            digests !== 1 || notices !== 0 || !JSON.stringify(parameters).includes('2.5 USDT'),
        )
        .map((row) => `digest of ${row.owner}: ${JSON.stringify(row)}`);
    },
  };
}

/** Income of mining orders whose cycle is over. */
export async function miningIncome(
  exchange: TestExchange,
  owners: readonly UserId[],
  orders: number,
): Promise<MortalWork> {
  await aMine(exchange, 'mine', { ...WIDE, cycle: PERIOD });
  const since = later(exchange.clock.now(), -ENDED_FOR * DAY_MS);
  const { mining } = exchange.doors.mining;
  await Promise.all(
    Array.from({ length: orders }, async (_, turn) => {
      const house = { origin: `mortal:${turn}`, since };
      const amount = Decimal.ofWhole(10 + (turn % 7));
      const owner = owners[turn % owners.length]!;
      if (!(await mining.buyForHouse(owner, 'mine', amount, house))) throw new Error('it was not bought');
    }),
  );
  return {
    name: 'mining',
    whole: orders * PERIOD,
    done: 'select count(*) from mining_income',
    finish: ({ doors }) => doors.mining.jobs.settle(),
    problems: async (after) => {
      const { rows } = await after.database.pool.query<IncomeRow>(
        `select o.id, array_agg(i.day order by i.day) as days, sum(i.amount)::text as amount,
           max(o.daily_income)::text as daily
         from mining_order o join mining_income i on i.order_id = o.id group by o.id`,
      );
      const posted = new Map(rows.map(({ id, days }) => [id, days.length]));
      return [...wrongIncome(rows, orders, PERIOD), ...(await otherEntries(after, ['mining.paid'], posted))];
    },
  };
}

interface CostRow {
  readonly position: string;
  readonly days: readonly string[];
  readonly amounts: readonly string[];
  readonly value: string;
}

/** Daily costs of a fund's positions that were missed for days. */
export async function fundCosts(
  exchange: TestExchange,
  owners: readonly UserId[],
  positions: number,
): Promise<MortalWork> {
  const fund = await aFund(exchange, 'calm');
  const { funds } = exchange.doors.fund;
  const bought = {
    t: later(startOfDay(exchange.clock.now()), -(FUND_DAYS - 1) * DAY_MS - 60 * SECOND_MS),
    value: d('100'),
  };
  const hour = { open: d('100'), high: d('100'), low: d('100'), close: d('100') };
  const opened = Math.floor(bought.t / SECOND_MS) - 3_600;
  await saveCandles(exchange.doors.database, [{ fund, timer: '60min', opened, ...hour }], undefined);
  const ids = await Promise.all(
    Array.from({ length: positions }, (_, turn) => {
      const ticket = { fund, margin: Decimal.ofWhole(20 + (turn % 7)), leverage: 1 };
      const past = { ...bought, origin: `mortal:cost:${turn}` };
      return funds.enterForHouse(owners[turn % owners.length]!, ticket, past);
    }),
  );
  return {
    name: 'fund costs',
    whole: positions * FUND_DAYS,
    done: 'select count(*) from fund_cost',
    finish: ({ doors }) => doors.fund.jobs.settle(),
    problems: async (after) => {
      const { rows } = await after.database.pool.query<CostRow>(
        `select position, array_agg(day::text order by day) as days, array_agg(amount::text order by day) as amounts,
           max(value)::text as value from fund_cost group by position`,
      );
      const held = await positionsByIds(after.doors.database.reader, ids);
      const costs = new Map(rows.map((row) => [row.position, row]));
      const wrong = held.filter((position) => {
        const row = costs.get(position.id);
        if (row === undefined || position.costAt === undefined) return true;
        const daily = dailyCost(position, d(row.value), fundTerms('calm'));
        const days = row.days.map(Number);
        const areInTurn = days.every((day, at) => day === days[0]! + at * DAY_MS);
        const isNext = position.costAt === days.at(-1)! + DAY_MS && position.costAt > after.clock.now();
        const sum = Decimal.ofAtoms(daily.atoms * BigInt(days.length));
        const isSum = position.costs.equals(sum) && row.amounts.every((amount) => d(amount).equals(daily));
        return !areInTurn || !isNext || !isSum || days.length < FUND_DAYS;
      });
      const posted = new Map(rows.map(({ position, days }) => [position, days.length]));
      return [
        ...wrong.map(({ id, costs: paid }) => `costs of ${id}: ${paid} ${JSON.stringify(costs.get(id))}`),
        ...(await otherEntries(after, ['fund.cost'], posted)),
      ];
    },
  };
}
