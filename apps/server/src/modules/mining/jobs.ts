import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DueWork, throughAll } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { MiningCommands } from './commands.ts';
import { totalOf } from './domain.ts';
import { dueCredits, takeNotices, type DueOrder, type Notice } from './records-repository.ts';

/** Orders of one step, as in finance, whose step does the same work (bench/finance.ts). */
const CHUNK = 40;
/** What is due for longer is late: the house has not funded the income, or the asset is halted. */
const LATE_MS = 10 * MINUTE_MS;
const KINDS = {
  bought: 'miningStarted',
  income: 'miningIncome',
  ended: 'miningEnded',
  redeemed: 'miningRedeemed',
} as const;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: MiningCommands;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Finds the income that is due and proposes it in small steps, between which orders of spot pass; then owners are
 * told. Days that were missed are caught up one after another. Nothing here moves money or decides anything.
 */
export class MiningJobs extends DueWork {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super({
      ...{ name: 'mining', log: deps.log, settle: () => creditDue(deps) },
      tell: () =>
        tellNotices(deps, async (tx, limit) => (await takeNotices(tx, limit)).map((one) => messageOf(one))),
    });
    this.deps = deps;
  }

  /** Since when the order that waits longest for a day's income has waited, where that is late. */
  async lateSince(): Promise<Instant | undefined> {
    const now = this.deps.clock.now();
    const [oldest] = await dueCredits(this.deps.database.store, now, undefined, 1);
    return oldest !== undefined && now - oldest.at > LATE_MS ? oldest.at : undefined;
  }
}

function creditDue({ commands, sequencer, database, clock }: Deps): Promise<void> {
  return throughAll<DueOrder>(
    (behind) => dueCredits(database.store, clock.now(), behind, CHUNK),
    (orders) =>
      sequencer.execute(commands.credit, {
        orders: orders.map(({ id, owner, day }) => ({ id, owner, day })),
      }),
  );
}

function messageOf({ id, kind, amount, order }: Notice): AddressedMessage {
  return {
    userId: order.owner,
    about: kind === 'income' ? id : order.id,
    message: {
      type: 'asset',
      kind: KINDS[kind],
      parameters: {
        ...{ coin: order.asset, days: String(order.cycle), order: order.id },
        ...{ amount: amount.toString(), principal: order.principal.toString() },
        ...{ total: totalOf(order).toString() },
        ...{ start: timeText(order.startAt), end: timeText(order.endAt) },
      },
    },
  };
}
