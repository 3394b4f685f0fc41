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
import { systemRandom } from '../../../platform/secrets/random.ts';
import { createWatchlist, type Watchlist } from '../index.ts';

/** The committed trades, as the spot module stores them. */
export type DealRecord = readonly Deal[];

/**
 * The watchlist module as one of several processes over a real database. After `die`, none of its
 * transactions commits.
 */
export class MortalProcess {
  readonly watchlist: Watchlist;
  readonly log: RecordingLog = recordingLog();
  /** Runs the hourly clean-up of old alerts. */
  cleanUp: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** Runs the job that mails alerts every minute. */
  mailAlerts: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** Messages that open pages received over the feed. */
  readonly feed = collectingFeed();
  private readonly events = new Events(this.log);
  private readonly record: DealRecord;
  private isDead = false;

  constructor(house: HouseParts & { identity: Identity }, record: DealRecord, mail: Mail = house.outbox) {
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
        indexPrice: () => undefined,
        lastPrice: () => record.at(-1)?.price,
        reference: () => record.at(-1)?.price,
      },
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

  /** Creates a price alert through the endpoint. */
  async add(user: TestUser, fields: FieldsOf<typeof addAlert>): Promise<Alert> {
    const route = this.watchlist.routes.find(({ endpoint }) => endpoint === addAlert)!;
    return (await route.serve(fields, { session: { userId: user.userId } } as SignedInCaller)) as Alert;
  }

  /** Publishes a committed trade to the module. */
  receive(deal: Deal): void {
    this.events.publish([{ name: dealt.name, fact: deal }]);
  }

  /** Ends the simulated process at once. Resolves after its running work has failed. */
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
