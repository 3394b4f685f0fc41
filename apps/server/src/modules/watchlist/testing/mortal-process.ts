import { randomUUID } from 'node:crypto';
import { CANDLE_SECONDS, candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { greatest, least, type Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import { addAlert, type Alert } from '@exchange/wire/watchlist.ts';
import { createAssets } from '../../assets/index.ts';
import type { Identity } from '../../identity/index.ts';
import { dealt, type Deal } from '../../market/index.ts';
import { createMessages } from '../../messages/index.ts';
import { collectingFeed, type HouseParts, type TestUser } from '../../identity/testing/identity-fixture.ts';
import { recordingLog, type RecordingLog } from '../../../../testing/recording-log.ts';
import { DemoTexts } from '../../../platform/demo-texts.ts';
import type { Database } from '../../../platform/database/database.ts';
import { Events } from '../../../platform/events.ts';
import type { SignedInCaller } from '../../../platform/http/route.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import { Submissions, type Submission } from '../../../platform/sequencer/submission.ts';
import { systemRandom } from '../../../platform/secrets/random.ts';
import { createWatchlist, type Watchlist } from '../index.ts';

type WatchlistDeps = Parameters<typeof createWatchlist>[0];
type Place = WatchlistDeps['spot']['place'];

/**
 * The orders that alerts have placed. They outlive a simulated process, as the exchange's stored orders do. Each key
 * has at most one order; a repeated request gets the answer of the first one.
 */
export class PlacedOrders {
  readonly placed: { readonly owner: string; readonly key: string; readonly order: Parameters<Place>[1] }[] =
    [];
  /** Called before a new order is stored; may refuse the order. */
  beforePlacing: () => void = () => undefined;
  /** Called after an order is stored and before its request is answered. */
  afterPlacing: () => Promise<void> = () => Promise.resolve();
  readonly submissions: WatchlistDeps['submissions'];
  private readonly answers = new Map<string, string>();

  constructor() {
    const answers = {
      find: ({ name }: Submission) => Promise.resolve(this.answers.get(name)),
      expect: () => undefined,
    };
    this.submissions = {
      serve: (submission, serving) => new Submissions(answers).serve(submission, serving),
    };
  }

  async place(...[owner, order, submission]: Parameters<Place>): ReturnType<Place> {
    this.beforePlacing();
    const { key, name } = submission!;
    const answer = JSON.stringify({ id: randomUUID() });
    this.answers.set(name, answer);
    this.placed.push({ owner, key, order });
    await this.afterPlacing();
    return JSON.parse(answer) as Awaited<ReturnType<Place>>;
  }
}

/**
 * Returns the candles of a pair, computed from its recorded trades, without gaps, as the market module
 * computes them.
 */
function candlesOf(record: DealRecord, symbol: string, timer: CandleTimer, now: Instant) {
  const candles: { opened: number; open: Decimal; high: Decimal; low: Decimal; close: Decimal }[] = [];
  const seconds = CANDLE_SECONDS[timer];
  const fillUpTo = (opened: number) => {
    for (let last = candles.at(-1); last !== undefined && last.opened < opened; last = candles.at(-1)!) {
      const { close } = last;
      candles.push({ opened: last.opened + seconds, open: close, high: close, low: close, close });
    }
  };
  for (const { price, at } of record.filter((deal) => deal.symbol === symbol)) {
    const opened = candleStart(timer, at) / 1_000;
    fillUpTo(opened - seconds);
    const last = candles.at(-1);
    if (last?.opened !== opened) candles.push({ opened, open: price, high: price, low: price, close: price });
    else Object.assign(last, { high: greatest(last.high, price), low: least(last.low, price), close: price });
  }
  fillUpTo(candleStart(timer, now) / 1_000);
  return candles;
}

/** The committed trades in their order, as the spot module stores them. */
export type DealRecord = readonly Deal[];

/**
 * The watchlist module in a simulated process with a real database; a test runs several of them one after another.
 * After `die`, no transaction of the process commits.
 */
export class MortalProcess {
  readonly watchlist: Watchlist;
  readonly log: RecordingLog = recordingLog();
  /** Runs the job that deletes old alerts, which is scheduled hourly. */
  cleanUp: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** Runs the job that every minute sends emails about alerts. */
  mailAlerts: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** The index price that every pair has; undefined to simulate that there is no index price. */
  index: Decimal | undefined;
  /** A simulated live feed. It collects the feed messages that the module publishes to open pages. */
  readonly feed = collectingFeed();
  private readonly events = new Events(this.log);
  private readonly record: DealRecord;
  private isDead = false;
  private readonly orders: PlacedOrders;

  constructor(
    house: HouseParts & { identity: Identity },
    record: DealRecord,
    mail: Mail = house.outbox,
    orders: PlacedOrders = new PlacedOrders(),
  ) {
    this.orders = orders;
    const database = this.mortalDatabase(house.database);
    const { clock, identity } = house;
    const { log, events } = this;
    const feed = this.feed;
    this.record = record;
    this.watchlist = createWatchlist({
      clock,
      log,
      events,
      database,
      identity,
      mail,
      feed,
      random: systemRandom,
      assets: createAssets({ mode: 'demo' }),
      market: {
        indexPrice: () => this.index && { price: this.index, at: clock.now(), flags: [] },
        lastPrice: () => record.at(-1)?.price,
        reference: () => record.at(-1)?.price,
        pastCandles: (symbol, timer, count) => candlesOf(record, symbol, timer, clock.now()).slice(-count),
      },
      spot: {
        place: (owner, order, submission) => this.orders.place(owner, order, submission),
        restoreOrder: (_, stored) => Promise.resolve(JSON.parse(stored)),
      },
      submissions: this.orders.submissions,
      accountStatuses: { requireTrading: () => Promise.resolve() },
      messages: createMessages({ clock, log, events, database, feed, mail, demoTexts: new DemoTexts([]) }),
      jobs: {
        define: (name, job) => {
          if (name === 'watchlist.cleanUp') this.cleanUp = () => job(undefined);
          else this.mailAlerts = () => job(undefined);
        },
        add: () => Promise.reject(new Error('the module adds no jobs')),
      },
    });
  }

  start(): Promise<void> {
    return this.watchlist.start((sequence, limit) =>
      Promise.resolve(this.record.filter((deal) => deal.sequence > sequence).slice(0, limit)),
    );
  }

  /** Creates a price alert by calling the handler of the endpoint directly, without HTTP. */
  async add(user: TestUser, fields: FieldsOf<typeof addAlert>): Promise<Alert> {
    const route = this.watchlist.routes.find(({ endpoint }) => endpoint === addAlert)!;
    return (await route.serve(fields, { session: { userId: user.userId } } as SignedInCaller)) as Alert;
  }

  /** Publishes a committed trade to the watchlist module. */
  receive(deal: Deal): void {
    this.events.publish([{ name: dealt.name, fact: deal }]);
  }

  /** Simulates a crash: no transaction of the process commits any more. Resolves after the running work has failed. */
  async die(): Promise<void> {
    this.isDead = true;
    await this.watchlist.stop();
  }

  private mortalDatabase(database: Database): Database {
    const requireAlive = () => {
      if (this.isDead) throw new Error('the process is dead');
    };
    return {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          requireAlive();
          const result = await work(tx);
          requireAlive();
          return result;
        }),
    };
  }
}
