import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AlertCondition } from '@exchange/core/price-alert.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type { MailMessage } from '../../platform/mail/mail.ts';
import { identityHouse, type IdentityHouse, type TestUser } from '../identity/testing/identity-fixture.ts';
import type { Deal } from '../market/index.ts';
import { MortalProcess, PlacedOrders } from './testing/mortal-process.ts';
import { NaiveWatch } from './testing/naive-watch.ts';

const BETWEEN_DEALS_MS = 61_000;
const TICK_MS = 1_000;
const DEALS = 50;
const KINDS = {
  gte: 'priceRose',
  lte: 'priceFell',
  pct: 'priceMoved',
  move: 'priceSwung',
} as const satisfies Partial<Record<AlertCondition, string>>;
const CONDITIONS = ['gte', 'lte', 'pct', 'move'] as const;
const ALERT = {
  symbol: 'btcusdt',
  source: 'last',
  condition: 'gte',
  price: Decimal.parse('110'),
  repeat: false,
  pauseMinutes: 1,
} as const;

describe('price alerts across crashes', () => {
  let house: IdentityHouse;
  let record: Deal[];

  beforeAll(async () => {
    house = await identityHouse();
  });

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    record = [];
    const { pool } = house.testDatabase;
    await pool.query('delete from price_alert');
    await pool.query(
      'update price_alert_progress set deal_sequence = 0, window_sequence = 0, candles_at = 0',
    );
    commit('100');
  });

  afterEach(() => vi.useRealTimers());
  afterAll(() => house.close());

  function commit(price: string): Deal {
    const sequence = record.length + 1;
    const amount = Decimal.one;
    const at = house.clock.now();
    const fields = {
      symbol: 'btcusdt',
      tradeId: `t${sequence}`,
      takerSide: 'buy',
      takerOrder: 'taker',
      amount,
      at,
      sequence,
    } as const;
    const deal = { ...fields, price: Decimal.parse(price) };
    record.push(deal);
    return deal;
  }

  async function aProcess(
    mail = house.outbox as ConstructorParameters<typeof MortalProcess>[2],
    orders = new PlacedOrders(),
  ) {
    const process = new MortalProcess(house, record, mail, orders);
    await process.start();
    return process;
  }

  /** Counts the inbox messages about each alert, by the message's kind and the alert's limit. */
  async function notificationCounts({ userId }: TestUser): Promise<Record<string, number>> {
    const { rows } = await house.testDatabase.pool.query<{ alert: string; n: string }>(
      `select concat_ws(' ', kind, parameters ->> 'limit') as alert, count(*)::text as n from message
       where user_id = $1 and kind ~ '^(price|index|candle|alertOrder)' group by 1`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ alert, n }) => [alert, Number(n)]));
  }

  it.each([1, 2, 3, 4, 5])(
    'WATCH-022 no crossing triggers twice and none is lost, whenever the process dies (seed %i)',
    async (seed) => {
      const random = new SeededGenerator(seed);
      const naive = new NaiveWatch();
      const user = await house.aUser();
      const expected: Record<string, number> = {};
      let process = await aProcess();
      const countTriggered = (changes: ReturnType<NaiveWatch['updatePrice']>) => {
        for (const { kind, before } of changes)
          if (kind === 'triggered') expected[before.id] = (expected[before.id] ?? 0) + 1;
      };
      naive.updatePrice(record[0]!);
      for (let n = 0; n < 12; n += 1) {
        const condition = CONDITIONS[n % 4]!;
        const windowMinutes = condition === 'move' ? 5 : undefined;
        const size = (1 + n + random.next()).toFixed(2);
        const price = {
          gte: Decimal.parse('100').plus(Decimal.parse(size)),
          lte: Decimal.parse('100').minus(Decimal.parse(size)),
          pct: Decimal.parse(size),
          move: Decimal.parse(size),
        }[condition];
        const repeats = n % 3 !== 0;
        await process.add(user, {
          symbol: 'btcusdt',
          source: 'last',
          condition,
          price,
          repeat: repeats,
          pauseMinutes: 1,
          channels: 'inbox',
          windowMinutes,
        });
        const name = `${KINDS[condition]} ${condition === 'pct' || condition === 'move' ? price : price.toPlaces(2)}`;
        const now = house.clock.now();
        const state = {
          from: Decimal.parse('100'),
          createdAt: now,
          triggeredAt: undefined,
          isArmed: true,
          sequence: 1,
        };
        const identity = { id: name, owner: user.userId as UserId, symbol: 'btcusdt', condition, price };
        const terms = {
          source: 'last',
          pauseMinutes: 1,
          repeats,
          channels: ['inbox'],
          order: undefined,
          windowMinutes,
        } as const;
        naive.add(Object.assign({}, identity, state, terms), now, 1);
      }
      let price = 100;
      for (let n = 0; n < DEALS; n += 1) {
        house.clock.pass(BETWEEN_DEALS_MS);
        vi.advanceTimersByTime(TICK_MS);
        countTriggered(naive.advanceTime(house.clock.now(), record.length));
        price = Math.min(125, Math.max(75, price + random.between(-8, 8)));
        const deal = commit(price.toFixed(2));
        countTriggered(naive.updatePrice(deal));
        const outcome = random.next();
        if (outcome >= 0.1) process.receive(deal);
        // A random outcome decides whether the process dies (40 % of the cases: before it receives the trade, while it
        // processes the trade or shortly afterwards), is stopped regularly (3 %), or continues.
        if (outcome >= 0.2) await new Promise((resolve) => setTimeout(resolve, random.between(0, 20)));
        if (outcome < 0.4) await process.die();
        else if (outcome < 0.43) await process.watchlist.stop();
        else continue;
        process = await aProcess();
      }
      await eventually(async () => expect(await notificationCounts(user)).toEqual(expected));
      await process.watchlist.stop();
      process = await aProcess();
      vi.advanceTimersByTime(TICK_MS);
      await process.watchlist.stop();
      expect(await notificationCounts(user)).toEqual(expected);
      expect(Object.keys(expected).length).toBeGreaterThan(6);
    },
  );

  /** Waits until exactly `count` alerts to the user have been stored for emails, sent or not. */
  const waitForMails = ({ userId }: TestUser, count: number) =>
    eventually(async () => {
      const { rows } = await house.testDatabase.pool.query(
        'select count(*)::int as n from price_alert_mail where user_id = $1',
        [userId],
      );
      expect(rows).toEqual([{ n: count }]);
    });

  it('WATCH-060 alerts that trigger within ten minutes after an email are combined in the next email', async () => {
    const user = await house.aUser();
    const process = await aProcess();
    let n = -1;
    const triggerAt = async (price: string) => {
      n += 1;
      await process.add(user, { ...ALERT, price: Decimal.parse(price), channels: 'mail' });
      process.receive(commit(price));
      await waitForMails(user, n + 1);
    };
    const emails = async () =>
      (await house.outbox.latest(user.email)).filter(({ subject }) => /price alerts|BTC\/USDT/.test(subject));
    const countBefore = (await emails()).length;
    const newEmailCount = async () => (await emails()).length - countBefore;
    await triggerAt('110');
    expect(await newEmailCount()).toBe(1);
    expect((await emails())[0]?.subject).toMatch(/^\[Amethyst\] BTC\/USDT/);
    for (const price of ['120', '130', '140']) await triggerAt(price);
    await process.mailAlerts();
    expect(await newEmailCount()).toBe(1);
    house.clock.pass(10 * 60_000);
    await Promise.all([process.mailAlerts(), process.mailAlerts()]);
    expect(await newEmailCount()).toBe(2);
    const [digest] = await emails();
    expect(digest?.subject).toBe('[Amethyst] 3 price alerts');
    for (const price of ['120.00', '130.00', '140.00']) expect(digest?.text).toContain(price);
    await process.die();
  });

  it('WATCH-061 a user gets at most twenty alert emails in 24 hours; later alerts are in the next email', async () => {
    const user = await house.aUser();
    const process = await aProcess();
    const count = async () => {
      const { rows } = await house.testDatabase.pool.query<{ n: number }>(
        "select count(*)::int as n from mail_outbox where recipient = $1 and purpose = 'priceAlert'",
        [user.email],
      );
      return rows[0]?.n;
    };
    for (let n = 0; n < 25; n += 1) {
      const price = String(110 + n);
      await process.add(user, { ...ALERT, price: Decimal.parse(price), channels: 'mail' });
      process.receive(commit(price));
      await waitForMails(user, n + 1);
      house.clock.pass(11 * 60_000);
    }
    await process.mailAlerts();
    expect(await count()).toBe(20);
    expect((await house.outbox.latest(user.email))[0]?.text).toContain('20th price alert email');
    house.clock.pass(24 * 3_600_000 - 24 * 11 * 60_000);
    await process.mailAlerts();
    expect(await count()).toBe(21);
    expect((await house.outbox.latest(user.email))[0]?.subject).toBe('[Amethyst] 5 price alerts');
    await process.die();
  });

  it('WATCH-024 a change that cannot be stored is retried, atomically with its email and message, and does not delay other alerts', async () => {
    // Storing the changes of two triggered alerts fails three times: the first time for the group of both,
    // then twice for the unlucky user's alert alone.
    let failures = 3;
    const emails: MailMessage[] = [];
    const process = await aProcess({
      write: (_tx, message) => {
        if (failures > 0) return Promise.reject(new Error(`the mail table is away, ${(failures -= 1)} more`));
        emails.push(message);
        return Promise.resolve();
      },
    });
    const [unlucky, lucky] = [await house.aUser(), await house.aUser()];
    await process.add(unlucky, { ...ALERT, channels: 'inbox,mail' });
    await process.add(lucky, { ...ALERT, channels: 'inbox' });
    process.receive(commit('111'));
    await eventually(async () => expect(await notificationCounts(lucky)).toEqual({ 'priceRose 110.00': 1 }));
    expect(await notificationCounts(unlucky)).toEqual({});
    await eventually(async () => {
      vi.advanceTimersByTime(TICK_MS);
      expect(await notificationCounts(unlucky)).toEqual({ 'priceRose 110.00': 1 });
    });
    expect(emails.map(({ to }) => to)).toEqual([unlucky.email]);
    expect(process.log.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(process.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    await process.watchlist.stop();
  });

  it('WATCH-1020 open pages of the owner receive an alert once, after its message is stored, whatever its channels are', async () => {
    const user = await house.aUser();
    const process = await aProcess();
    await process.add(user, { ...ALERT, channels: 'mail' });
    process.receive(commit('111.5'));
    process.receive(commit('112'));
    await waitForMails(user, 1);
    const received = () => process.feed.sent.filter(({ topic }) => topic === 'alert');
    await eventually(() => Promise.resolve(expect(received()).toHaveLength(1)));
    expect(received()[0]).toMatchObject({
      userId: user.userId,
      data: [
        {
          symbol: 'btcusdt',
          baseCoin: 'BTC',
          quoteCoin: 'USDT',
          condition: 'gte',
          price: '110',
          from: '100.00',
          lastPrice: '111.50',
        },
      ],
    });
    await process.watchlist.stop();
  });

  it('WATCH-028 a thousand alerts triggered by one price are stored in groups of a hundred, each once', async () => {
    const users = [await house.aUser(), await house.aUser()];
    const { pool } = house.testDatabase;
    await pool.query(
      `insert into price_alert (id, user_id, symbol, condition, price, from_price, repeats, channels, created_at, armed, deal_sequence)
       select gen_random_uuid(), u, 'btcusdt', 'gte', 110, 100, n % 2 = 0, '{inbox}', 0, true, 0
       from unnest($1::uuid[]) u, generate_series(1, 500) n`,
      [users.map(({ userId }) => userId)],
    );
    const transactions = async () =>
      Number(
        (
          await pool.query<{ n: string }>(
            `select count(distinct m.xmin::text) as n from message m where kind = 'priceRose' and user_id = any($1)`,
            [users.map(({ userId }) => userId)],
          )
        ).rows[0]!.n,
      );
    const process = await aProcess();
    process.receive(commit('111'));
    await eventually(async () => {
      for (const user of users) expect(await notificationCounts(user)).toEqual({ 'priceRose 110.00': 500 });
    });
    expect(await transactions()).toBe(10);
    const { rows } = await pool.query(
      'select repeats, armed, ended_at is not null as ended, from_price::int as from_price, count(*)::int as n from price_alert group by 1, 2, 3, 4 order by 1',
    );
    expect(rows).toEqual([
      { repeats: false, armed: true, ended: true, from_price: 100, n: 500 },
      { repeats: true, armed: false, ended: false, from_price: 111, n: 500 },
    ]);
    await process.watchlist.stop();
  });

  /**
   * Returns the states of the orders that a user's alerts place, each with the reason if the order was
   * refused.
   */
  async function orderStates({ userId }: TestUser) {
    const { rows } = await house.testDatabase.pool.query<{ state: string }>(
      `select order_status || coalesce(' ' || order_refusal, '') as state from price_alert where user_id = $1`,
      [userId],
    );
    return rows.map(({ state }) => state);
  }

  const WITH_ORDER = {
    ...ALERT,
    channels: 'inbox',
    tradeType: 'buy',
    orderType: 'limit',
    orderPrice: Decimal.parse('108.5'),
    orderAmount: Decimal.parse('1'),
  } as const;
  const TRIGGERED = { 'priceRose 110.00': 1 } as const;

  it('ALRT-121 the order of a triggered alert is placed once, when the process dies before or after it was placed', async () => {
    const orders = new PlacedOrders();
    const user = await house.aUser();
    let process = await aProcess(house.outbox, orders);
    await process.add(user, WITH_ORDER);
    expect(await orderStates(user)).toEqual(['waiting']);
    orders.beforePlacing = () => {
      throw new Error('the process dies before the order is placed');
    };
    process.receive(commit('111'));
    await eventually(async () => expect(await notificationCounts(user)).toEqual(TRIGGERED));
    await process.die();
    expect([orders.placed.length, await orderStates(user)]).toEqual([0, ['due']]);
    orders.beforePlacing = () => undefined;
    process = new MortalProcess(house, record, house.outbox, orders);
    orders.afterPlacing = () => {
      void process.die();
      return Promise.resolve();
    };
    await process.start();
    await eventually(() => Promise.resolve(expect(orders.placed).toHaveLength(1)));
    await process.die();
    expect(await orderStates(user)).toEqual(['due']);
    orders.afterPlacing = () => Promise.resolve();
    // An hour later, a new process finds the order that was placed before by its key, so it does not refuse it as too
    // late.
    house.clock.pass(3_600_000);
    for (let n = 0; n < 2; n += 1) {
      process = await aProcess(house.outbox, orders);
      await eventually(async () => expect(await orderStates(user)).toEqual(['placed']));
      await process.watchlist.stop();
    }
    expect(orders.placed).toHaveLength(1);
    expect(orders.placed[0]).toMatchObject({
      owner: user.userId,
      order: { symbol: 'btcusdt', side: 'buy', timeInForce: 'GTC' },
    });
    expect(await notificationCounts(user)).toEqual({ ...TRIGGERED, alertOrderPlaced: 1 });
  });

  it('ALRT-122 an order that could not be placed within five minutes after the trigger is refused with a message', async () => {
    const orders = new PlacedOrders();
    const user = await house.aUser();
    const process = await aProcess(house.outbox, orders);
    orders.beforePlacing = () => {
      throw new Refused(refusal('maintenance', 'l.maintenance'));
    };
    await process.add(user, WITH_ORDER);
    process.receive(commit('111'));
    await eventually(async () => expect(await orderStates(user)).toEqual(['due']));
    house.clock.pass(299_000);
    vi.advanceTimersByTime(TICK_MS);
    await process.watchlist.stop();
    expect(await orderStates(user)).toEqual(['due']);
    orders.beforePlacing = () => undefined;
    house.clock.pass(2_000);
    const next = await aProcess(house.outbox, orders);
    await eventually(async () => expect(await orderStates(user)).toEqual(['refused l.alert_order_late']));
    await next.watchlist.stop();
    expect(orders.placed).toEqual([]);
    expect(await notificationCounts(user)).toEqual({ ...TRIGGERED, alertOrderRefused: 1 });
  });

  it('ALRT-105 windows of the index are complete again after a restart, without the time in between', async () => {
    const user = await house.aUser();
    const withIndex = async (index: string) => {
      const process = await aProcess();
      process.index = Decimal.parse(index);
      vi.advanceTimersByTime(TICK_MS);
      return process;
    };
    let process = await withIndex('100');
    for (const minutes of ['5', '15'] as const) {
      const move = { ...ALERT, source: 'index', condition: 'move', price: Decimal.parse(minutes) } as const;
      await process.add(user, { ...move, windowMinutes: minutes === '5' ? 5 : 15, channels: 'inbox' });
    }
    await process.watchlist.stop();
    house.clock.pass(8 * 60_000);
    process = await withIndex('116');
    await eventually(async () => expect(await notificationCounts(user)).toEqual({ 'indexSwung 15': 1 }));
    await process.watchlist.stop();
    expect(await notificationCounts(user)).toEqual({ 'indexSwung 15': 1 });
  });

  it('ALRT-114 a candle that crossed its average triggers once, whenever the process dies', async () => {
    const user = await house.aUser();
    const minute = async (price: string, process?: MortalProcess) => {
      house.clock.pass(60_000);
      const deal = commit(price);
      process?.receive(deal);
      vi.advanceTimersByTime(TICK_MS);
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (const price of ['100', '100', '100']) await minute(price);
    let process = await aProcess();
    const terms = { average: 'ma', averagePeriod: 2, averageTimer: '1min' } as const;
    const cross = { ...ALERT, ...terms, price: undefined, channels: 'inbox', repeat: true } as const;
    await process.add(user, { ...cross, condition: 'crossUp' });
    await minute('103', process);
    // The candle is still open, so it triggers nothing. It closes above its average while no process runs.
    expect(await notificationCounts(user)).toEqual({});
    await process.die();
    // Passes enough time for the candle of the current minute to close and, two seconds later, to be compared.
    house.clock.pass(63_000);
    process = await aProcess();
    await eventually(async () =>
      expect(await notificationCounts(user)).toEqual({ 'candleCrossedUp 0.00': 1 }),
    );
    await process.die();
    for (let n = 0; n < 2; n += 1) {
      process = await aProcess();
      vi.advanceTimersByTime(6 * TICK_MS);
      await process.watchlist.stop();
    }
    expect(await notificationCounts(user)).toEqual({ 'candleCrossedUp 0.00': 1 });
  });

  it('WATCH-025 an alert is watched from its request on, also while it is being stored', async () => {
    const process = await aProcess();
    const user = await house.aUser();
    const client = await house.testDatabase.pool.connect();
    const lock = [`watchlist ${user.userId}`];
    // The insert of the alert waits, because another connection holds the user's lock.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', lock);
    const adding = process.add(user, { ...ALERT, channels: 'inbox' });
    process.receive(commit('110'));
    process.receive(commit('100'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', lock);
    client.release();
    expect(await adding).toMatchObject({ price: '110', toldTime: 0 });
    await eventually(async () => expect(await notificationCounts(user)).toEqual({ 'priceRose 110.00': 1 }));
    await process.watchlist.stop();
  });

  it('WATCH-026 a price that is past the limit when the process starts triggers the alert then', async () => {
    const first = await aProcess();
    const user = await house.aUser();
    await first.add(user, { ...ALERT, channels: 'inbox' });
    await first.die();
    commit('115');
    const second = await aProcess();
    await eventually(async () => expect(await notificationCounts(user)).toEqual({ 'priceRose 110.00': 1 }));
    await second.watchlist.stop();
  });

  it('WATCH-027 alerts that ended a month ago are deleted; later and active alerts are kept', async () => {
    const process = await aProcess();
    const user = await house.aUser();
    await process.add(user, { ...ALERT, channels: 'inbox' });
    const ended = await process.add(user, { ...ALERT, price: Decimal.parse('120'), channels: 'inbox' });
    const { pool } = house.testDatabase;
    await pool.query('update price_alert set ended_at = $2 where id = $1', [ended.id, house.clock.now()]);
    const remainingCount = async () =>
      (await pool.query('select 1 from price_alert where user_id = $1', [user.userId])).rowCount;
    await process.cleanUp();
    expect(await remainingCount()).toBe(2);
    house.clock.pass(31 * 86_400_000);
    await process.cleanUp();
    expect(await remainingCount()).toBe(1);
    await process.watchlist.stop();
  });
});
