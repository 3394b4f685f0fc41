import { Decimal } from '@exchange/core/decimal.ts';
import { dailyCost } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later, SECOND_MS, startOfDay } from '@exchange/core/time.ts';
import { createProduct } from '../../src/modules/finance/testing/products.ts';
import { saveCandles } from '../../src/modules/fund/records-repository.ts';
import { positionsByIds } from '../../src/modules/fund/repository.ts';
import { createFund, fundTerms } from '../../src/modules/fund/testing/funds.ts';
import { createMiningProduct } from '../../src/modules/mining/testing/products.ts';
import type { TestExchange } from '../exchange.ts';
import { entryMismatches, type InterruptedWork } from './mortal-work.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const PERIOD = 7;
const WIDE = { startAmount: d('1'), maxAmount: d('10000000'), capacity: d('10000000') };
/**
 * Age in days of running and of ended orders with a term of seven days. At least four days of income are due for a
 * running order, and all seven for an ended one.
 */
const RUNNING_FOR = 5;
const ENDED_FOR = 9;
const FUND_DAYS = 6;

interface IncomeRow {
  readonly id: string;
  readonly days: readonly number[];
  readonly amount: string;
  readonly daily: string;
}

/**
 * Finds orders with wrong income: the paid days do not run from day one without gaps, are fewer than `minDays`, or the
 * paid amount is not the sum of the daily amounts. Also checks the number of orders.
 */
function wrongIncome(rows: readonly IncomeRow[], orders: number, minDays: number): string[] {
  const wrongRows = rows.filter(({ days, amount, daily }) => {
    const sum = Decimal.ofAtoms(d(daily).atoms * BigInt(days.length));
    return days.some((day, at) => day !== at + 1) || days.length < minDays || !d(amount).equals(sum);
  });
  const missing = rows.length === orders ? [] : [`${rows.length} of ${orders} orders have income`];
  return [...missing, ...wrongRows.map((row) => `income of ${row.id}: ${row.days.join(' ')}, ${row.amount}`)];
}

/**
 * Creates fixed-term orders with interest that is due: running orders that pay daily, ended orders that pay daily, and
 * ended orders that pay at maturity.
 */
export async function financePaydays(
  exchange: TestExchange,
  owners: readonly UserId[],
  orders: number,
): Promise<InterruptedWork> {
  await createProduct(exchange, 'daily', { ...WIDE, payMode: 'daily' });
  await createProduct(exchange, 'ended', { ...WIDE, payMode: 'daily' });
  await createProduct(exchange, 'whole', WIDE);
  const ages = { daily: RUNNING_FOR, ended: ENDED_FOR, whole: ENDED_FOR };
  const { finance } = exchange.doors.finance;
  const today = exchange.clock.now();
  let dueRows = 0;
  await Promise.all(
    Array.from({ length: orders }, async (_, index) => {
      const code = (['daily', 'ended', 'whole'] as const)[index % 3]!;
      dueRows += Math.min(PERIOD, ages[code] - 1);
      const house = { origin: `mortal:${index}`, since: later(today, -ages[code] * DAY_MS) };
      const owner = owners[index % owners.length]!;
      const amount = Decimal.ofWhole(10 + (index % 7));
      if (!(await finance.buyForSystem(owner, code, amount, house))) throw new Error('it was not bought');
    }),
  );
  return {
    name: 'paydays',
    whole: dueRows,
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

/**
 * Stores two notices of income for each of `people` new users, so that for each user one message that
 * summarizes them (the income digest) is due since the last daily cut-off.
 */
export async function incomeDigests(
  exchange: TestExchange,
  [buyer]: readonly UserId[],
  people: number,
): Promise<InterruptedWork> {
  await createProduct(exchange, 'digest', { ...WIDE, payMode: 'daily' });
  const { finance } = exchange.doors.finance;
  const { pool } = exchange.database;
  const house = { origin: 'mortal:digest', since: exchange.clock.now() };
  if (!(await finance.buyForSystem(buyer!, 'digest', d('10'), house))) throw new Error('it was not bought');
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

/** Creates mining orders whose term has ended and whose income is due. */
export async function miningIncome(
  exchange: TestExchange,
  owners: readonly UserId[],
  orders: number,
): Promise<InterruptedWork> {
  await createMiningProduct(exchange, 'mine', { ...WIDE, cycle: PERIOD });
  const since = later(exchange.clock.now(), -ENDED_FOR * DAY_MS);
  const { mining } = exchange.doors.mining;
  await Promise.all(
    Array.from({ length: orders }, async (_, index) => {
      const house = { origin: `mortal:${index}`, since };
      const amount = Decimal.ofWhole(10 + (index % 7));
      const owner = owners[index % owners.length]!;
      if (!(await mining.buyForSystem(owner, 'mine', amount, house))) throw new Error('it was not bought');
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
      return [
        ...wrongIncome(rows, orders, PERIOD),
        ...(await entryMismatches(after, ['mining.paid'], posted)),
      ];
    },
  };
}

interface CostRow {
  readonly position: string;
  readonly days: readonly string[];
  readonly amounts: readonly string[];
  readonly value: string;
}

/** Creates fund positions whose daily costs of several days are due. */
export async function fundCosts(
  exchange: TestExchange,
  owners: readonly UserId[],
  positions: number,
): Promise<InterruptedWork> {
  const fund = await createFund(exchange, 'calm');
  const { funds } = exchange.doors.fund;
  const entry = {
    t: later(startOfDay(exchange.clock.now()), -(FUND_DAYS - 1) * DAY_MS - 60 * SECOND_MS),
    value: d('100'),
  };
  const candle = { open: d('100'), high: d('100'), low: d('100'), close: d('100') };
  const opened = Math.floor(entry.t / SECOND_MS) - 3_600;
  await saveCandles(exchange.doors.database, [{ fund, timer: '60min', opened, ...candle }], undefined);
  const ids = await Promise.all(
    Array.from({ length: positions }, (_, index) => {
      const ticket = { fund, margin: Decimal.ofWhole(20 + (index % 7)), leverage: 1 };
      const house = { ...entry, origin: `mortal:cost:${index}` };
      return funds.buyForDemo(owners[index % owners.length]!, ticket, house);
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
      const positionRows = await positionsByIds(after.doors.database.reader, ids);
      const costs = new Map(rows.map((row) => [row.position, row]));
      const wrongPositions = positionRows.filter((position) => {
        const row = costs.get(position.id);
        if (row === undefined || position.costAt === undefined) return true;
        const daily = dailyCost(position, d(row.value), fundTerms('calm'));
        const days = row.days.map(Number);
        const areConsecutive = days.every((day, at) => day === days[0]! + at * DAY_MS);
        const isNextDue = position.costAt === days.at(-1)! + DAY_MS && position.costAt > after.clock.now();
        const sum = Decimal.ofAtoms(daily.atoms * BigInt(days.length));
        const isSumCorrect =
          position.costs.equals(sum) && row.amounts.every((amount) => d(amount).equals(daily));
        return !areConsecutive || !isNextDue || !isSumCorrect || days.length < FUND_DAYS;
      });
      const posted = new Map(rows.map(({ position, days }) => [position, days.length]));
      return [
        ...wrongPositions.map(
          ({ id, costs: paid }) => `costs of ${id}: ${paid} ${JSON.stringify(costs.get(id))}`,
        ),
        ...(await entryMismatches(after, ['fund.cost'], posted)),
      ];
    },
  };
}
