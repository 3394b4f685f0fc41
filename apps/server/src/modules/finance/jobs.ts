import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DueWork, throughAll } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { FinanceCommands } from './commands.ts';
import { accruedOf } from './domain.ts';
import { dueAccruals, duePayments, takeNotices, type DueOrder, type Notice } from './records-repository.ts';

/** Orders of one step: it holds the sequencer for 7 ms, and 19 in the longest hundredth (bench/finance.ts). */
const CHUNK = 40;
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
export class FinanceJobs extends DueWork {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super({
      ...{ name: 'finance', log: deps.log, settle: () => settleDue(deps) },
      tell: () =>
        tellNotices(deps, async (tx, limit) => (await takeNotices(tx, limit)).map((one) => messageOf(one))),
    });
    this.deps = deps;
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
}

async function settleDue({ commands, sequencer, database, clock }: Deps): Promise<void> {
  const { store } = database;
  await throughAll<DueOrder>(
    (behind) => dueAccruals(store, clock.now(), behind, CHUNK),
    (orders) =>
      sequencer.execute(commands.accrue, {
        orders: orders.map(({ id, owner, day }) => ({ id, owner, day })),
      }),
  );
  await throughAll<DueOrder>(
    (behind) => duePayments(store, clock.now(), behind, CHUNK),
    (orders) => sequencer.execute(commands.pay, { orders: orders.map(({ id, owner }) => ({ id, owner })) }),
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
        ...{ coin: order.asset, days: String(order.period) },
        ...{ amount: amount.toString(), principal: order.principal.toString() },
        ...{ total: accruedOf(order).toString(), order: order.id },
        ...{ start: timeText(order.startAt), end: timeText(order.endAt) },
      },
    },
  };
}
