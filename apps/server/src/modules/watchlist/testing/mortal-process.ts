import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import { addAlert, type Alert } from '@exchange/wire/watchlist.ts';
import { createAssets } from '../../assets/index.ts';
import type { Identity } from '../../identity/index.ts';
import { dealt, type Deal } from '../../market/index.ts';
import { createMessages } from '../../messages/index.ts';
import { collectingFeed, type HouseParts, type TestUser } from '../../identity/testing/identity-house.ts';
import { keptLog, type KeptLog } from '../../../../testing/silent-log.ts';
import { DemoTexts } from '../../../platform/demo-texts.ts';
import type { Database } from '../../../platform/database/database.ts';
import { Events } from '../../../platform/events.ts';
import type { SignedInCaller } from '../../../platform/http/route.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import { systemRandom } from '../../../platform/secrets/random.ts';
import { createWatchlist, type Watchlist } from '../index.ts';

/** Where committed deals are found again: spot's record of trades. */
export type DealRecord = readonly Deal[];

/**
 * The module as one process runs it, over a real database, until it dies: from then on none of its
 * transactions commits, whatever it had under way.
 */
export class MortalProcess {
  readonly watchlist: Watchlist;
  readonly log: KeptLog = keptLog();
  /** What the hourly job does. */
  cleanUp: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** What the job of every minute does. */
  mailAlerts: () => Promise<void> = () => Promise.reject(new Error('no job was defined'));
  /** What open pages were sent. */
  readonly feed = collectingFeed();
  private readonly events = new Events(this.log);
  private readonly record: DealRecord;
  private isDead = false;

  constructor(house: HouseParts & { identity: Identity }, record: DealRecord, mail: Mail = house.outbox) {
    const database = this.mortal(house.database);
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
      market: { lastPrice: () => record.at(-1)?.price, reference: () => record.at(-1)?.price },
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

  /** Sets an alert as the call would. */
  async add(user: TestUser, asked: FieldsOf<typeof addAlert>): Promise<Alert> {
    const route = this.watchlist.routes.find(({ endpoint }) => endpoint === addAlert)!;
    return (await route.serve(asked, { session: { userId: user.userId } } as SignedInCaller)) as Alert;
  }

  /** The latest deal of the record has been committed. */
  receive(deal: Deal): void {
    this.events.publish([{ name: dealt.name, fact: deal }]);
  }

  /** Dies at once. Resolves when what was under way has come to nothing. */
  async die(): Promise<void> {
    this.isDead = true;
    await this.watchlist.stop();
  }

  private mortal(database: Database): Database {
    const requireLife = () => {
      if (this.isDead) throw new Error('the process is dead');
    };
    return {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          requireLife();
          const result = await work(tx);
          requireLife();
          return result;
        }),
    };
  }
}
