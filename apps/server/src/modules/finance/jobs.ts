import type { UserId } from '@exchange/core/ids.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import type { AddressedMessage, Messages } from '../messages/index.ts';
import type { FinanceCommands } from './commands.ts';
import { accruedOf } from './domain.ts';
import {
  dueAccruals,
  duePayments,
  takeNotices,
  type DueOrder,
  type DuePlace,
  type Notice,
} from './records-repository.ts';

/** Orders of one step: it holds the sequencer for 7 ms, and 19 in the longest hundredth (bench/finance.ts). */
const CHUNK = 40;
const NOTICES = 200;
/** What is due for longer is late: the house has not funded its interest, or the asset is halted. */
const LATE_MS = 10 * MINUTE_MS;
const KINDS = { bought: 'financeBought', income: 'financeIncome', matured: 'financeMatured' } as const;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: FinanceCommands;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Finds what is due and proposes it in small steps, between which orders of spot pass: the next day of every order
 * that has earned one, then the payment of what has matured, then what owners are told. Days that were missed are
 * caught up one after another. Nothing here moves money or decides anything: a step leaves alone what is not due.
 */
export class FinanceJobs {
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private telling: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  define(jobs: Jobs): void {
    jobs.define('finance.settle', () => this.settle(), { cron: '* * * * *' });
  }

  /** Begins with what came due while nothing ran; nobody waits for it, and every minute tries again. */
  start(): void {
    void this.settle().catch((cause: unknown) => this.deps.log.warn('finance.not_settled', { cause }));
  }

  /** Does all that is due now; whoever asks meanwhile waits for the same. */
  settle(): Promise<void> {
    this.running ??= this.settleDue().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Writes into inboxes what is to be told. What fails stays for the next minute. */
  tell(): Promise<void> {
    this.telling = this.telling
      .then(() => this.tellAll())
      .catch((cause: unknown) => this.deps.log.warn('finance.not_told', { cause }));
    return this.telling;
  }

  /** Ends with what is under way. */
  async stop(): Promise<void> {
    await this.running?.catch(() => undefined);
    await this.telling;
  }

  /** Since when the order that waits longest for a day or its payment has waited, where that is late. */
  async lateSince(): Promise<Instant | undefined> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const oldest = [
      ...(await dueAccruals(database.store, now, undefined, 1)),
      ...(await duePayments(database.store, now, undefined, 1)),
    ].map(({ at }) => at);
    const since = oldest.toSorted((one, other) => one - other)[0];
    return since !== undefined && now - since > LATE_MS ? since : undefined;
  }

  private async settleDue(): Promise<void> {
    const { commands, sequencer, database, clock } = this.deps;
    const { store } = database;
    await throughAll(
      (behind) => dueAccruals(store, clock.now(), behind, CHUNK),
      (orders) =>
        sequencer.execute(commands.accrue, {
          orders: orders.map(({ id, owner, day }) => ({ id, owner, day })),
        }),
    );
    await throughAll(
      (behind) => duePayments(store, clock.now(), behind, CHUNK),
      (orders) => sequencer.execute(commands.pay, { orders: orders.map(({ id, owner }) => ({ id, owner })) }),
    );
    await this.tell();
  }

  private async tellAll(): Promise<void> {
    const { database, identity, messages } = this.deps;
    for (;;) {
      const told = await database.transaction(async (tx) => {
        const notices = await takeNotices(tx, NOTICES);
        const owners = [...new Set(notices.map(({ order }) => order.owner))];
        const people = await identity.addressees(owners);
        const wanted = notices.filter(({ order }) => people.get(order.owner)?.isHouse === false);
        await messages.send(tx, wanted.map(messageOf));
        return { count: notices.length, owners: new Set(wanted.map(({ order }) => order.owner)) };
      });
      for (const owner of told.owners) await messages.announce(owner);
      if (told.count < NOTICES) return;
    }
  }
}

/**
 * Page by page behind the last, so that what a page leaves due is passed by; again from the start until a whole pass
 * has done nothing: an order that is behind by several days is due again at once.
 */
async function throughAll(
  next: (behind: DuePlace | undefined) => Promise<DueOrder[]>,
  propose: (orders: readonly DueOrder[]) => Promise<{ readonly done: number }>,
): Promise<void> {
  for (let done = 1; done > 0;) {
    done = 0;
    for (let orders = await next(undefined); orders.length > 0; orders = await next(orders.at(-1)))
      done += (await propose(orders)).done;
  }
}

function messageOf({ id, kind, amount, order }: Notice): AddressedMessage & { readonly userId: UserId } {
  return {
    userId: order.owner,
    about: kind === 'income' ? id : order.id,
    message: {
      type: 'asset',
      kind: KINDS[kind],
      parameters: {
        ...{ coin: order.asset, days: String(order.period) },
        ...{ amount: amount.toString(), principal: order.principal.toString() },
        ...{ total: accruedOf(order).toString(), order: order.id },
        ...{ start: timeText(order.startAt), end: timeText(order.endAt) },
      },
    },
  };
}
