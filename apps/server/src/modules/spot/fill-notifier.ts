import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import { lastEntrySequence, referencesSince } from '../ledger/index.ts';
import type { AddressedMessage, Messages } from '../messages/index.ts';
import { type SpotOrder, averagePrice, feeAsset } from './domain/order.ts';
import { type OrderChanged, orderChanged } from './events.ts';
import { endedWithFills, advanceNotifiedUpTo, notifiedUpTo } from './history-repository.ts';

/**
 * Interval in milliseconds at which messages about fills are written. Writing them in groups does not
 * slow down trading.
 */
const WRITE_EVERY_MS = 250;
/** Milliseconds after a failure before the inbox messages about ended orders are written again. */
const RETRY_MS = 2_000;
const CURSOR_EVERY_MS = 10_000;
const GROUP_MOST = 100;
/**
 * Maximum number of ended orders in each list that wait in memory for their message; further ones are read
 * again from the ledger entries.
 */
const WAITING_MOST = 2_000;
const ENTRIES_MOST = 500;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly sequencer: Pick<Sequencer, 'settled'>;
  readonly assets: Pick<Assets, 'findPair'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Writes inbox messages when an order that rested or waited has ended with fills, and when the exits of an order could
 * not be placed. The exchange's own accounts get none, and neither do the orders of icebergs, chase orders and grids.
 * Ended orders are collected in memory after their commit, and their messages are written in groups. After a crash or
 * failure, missed orders are read from the ledger entries after a stored cursor, because every end of an order with
 * fills posts an entry. A message refers to its order by a unique key, so each order is reported once.
 */
export class FillNotifier {
  private readonly deps: Deps;
  private readonly houseAccounts = new Set<UserId>();
  private endedOrders: SpotOrder[] = [];
  /**
   * Ended orders whose take-profit and stop-loss could not be placed; a message to their owners is still to
   * be written.
   */
  private withoutExits: SpotOrder[] = [];
  /** Whether ended orders may be missing in memory and must be read from the ledger entries. */
  private isBehind = true;
  private cursorMovedMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(deps: Deps) {
    this.deps = deps;
    deps.events.on(orderChanged, (changed) => this.collect(changed));
  }

  /**
   * Starts the periodic writing of messages, beginning with fills that an earlier process did not
   * report.
   */
  start(): void {
    this.isStopped = false;
    this.schedule(0);
  }

  /**
   * Writes the messages about the collected orders, and stops the notifier. Later fills are reported after
   * the next start.
   */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    this.cursorMovedMs = Number.NEGATIVE_INFINITY;
    await this.writeAll();
  }

  private collect({ order, state, fills }: OrderChanged): void {
    if (state.state === 'open' || state.filledAmount.isZero() || this.houseAccounts.has(order.owner)) return;
    // Orders of icebergs, chase orders and grids get no message here, because `AlgoNotifier` reports the end of the
    // whole algo order.
    if (this.isBehind || order.parentId !== '') return;
    // This event reports the result of placing the order's exits; the end of the order itself was reported by
    // an earlier event. So the order is collected only if its exits could not be placed.
    if (state.exits !== undefined && state.exits.status !== 'waiting') {
      if (isWithoutExits(order)) this.enqueue(this.withoutExits, order);
      return;
    }
    // An order that ends without a fill in this change, or with a fill as a maker, was open before. A taker
    // order was open before if it waited or was amended.
    const hadWaited = fills.length === 0 || fills[0]!.role === 'maker' || hasWaited(order);
    if (hadWaited) this.enqueue(this.endedOrders, order);
  }

  private enqueue(list: SpotOrder[], order: SpotOrder): void {
    if (list.length < WAITING_MOST) list.push(order);
    else this.isBehind = true;
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.writeAll().then((isDone) => {
        if (!this.isStopped) this.schedule(isDone ? WRITE_EVERY_MS : RETRY_MS);
      });
    }, afterMs);
    this.timer.unref();
  }

  /** Writes all missing messages about fills. Returns whether all were written. */
  private async writeAll(): Promise<boolean> {
    try {
      if (this.isBehind) await this.catchUp();
      await this.writeCollected();
      await this.moveCursor();
      return true;
    } catch (cause) {
      // The collected orders are dropped. The cursor has not moved, so they are read again from the ledger
      // entries.
      this.endedOrders = [];
      this.withoutExits = [];
      this.isBehind = true;
      this.deps.log.warn('spot.fills_not_notified', { cause });
      return false;
    }
  }

  private async writeCollected(): Promise<void> {
    while (this.endedOrders.length > 0) await this.send(this.endedOrders.splice(0, GROUP_MOST), fillMessage);
    while (this.withoutExits.length > 0)
      await this.send(this.withoutExits.splice(0, GROUP_MOST), unprotectedMessage);
  }

  /**
   * Reads ended orders without a message from the ledger entries; from here on orders are collected
   * in memory again.
   */
  private async catchUp(): Promise<void> {
    const { database, assets } = this.deps;
    this.isBehind = false;
    for (;;) {
      const page = await referencesSince(database.store, await notifiedUpTo(database.store), ENTRIES_MOST);
      const referred = (kind: string) =>
        page.flatMap((entry) => (entry.kind === kind && entry.reference !== null ? entry.reference : []));
      const ended = await endedWithFills(
        database.store,
        { trades: referred('spot.traded') as TradeId[], orders: referred('spot.released') as OrderId[] },
        (symbol) => assets.findPair(symbol)?.pair,
      );
      const unreported = ended.filter(({ order, wasMaker }) => wasMaker || hasWaited(order));
      for (let start = 0; start < unreported.length; start += GROUP_MOST) {
        await this.send(
          unreported.slice(start, start + GROUP_MOST).map(({ order }) => order),
          fillMessage,
        );
      }
      const unprotectedOrders = ended.map(({ order }) => order).filter(isWithoutExits);
      for (let start = 0; start < unprotectedOrders.length; start += GROUP_MOST)
        await this.send(unprotectedOrders.slice(start, start + GROUP_MOST), unprotectedMessage);
      const last = page.at(-1);
      if (last !== undefined) await advanceNotifiedUpTo(database, last.sequence);
      if (page.length < ENTRIES_MOST) return;
    }
  }

  private async moveCursor(): Promise<void> {
    const { clock, database, sequencer } = this.deps;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.cursorMovedMs < CURSOR_EVERY_MS) return;
    const last = await lastEntrySequence(database.store);
    // The cursor may advance only past ledger entries whose events have been delivered to this object, so pending
    // deliveries are awaited.
    await sequencer.settled();
    await this.writeCollected();
    if (this.isBehind) return;
    await advanceNotifiedUpTo(database, last);
    this.cursorMovedMs = nowMs;
  }

  private async send(
    orders: readonly SpotOrder[],
    messageOf: (order: SpotOrder) => AddressedMessage,
  ): Promise<void> {
    const { database, identity, messages } = this.deps;
    const owners = await identity.addressees([...new Set(orders.map(({ owner }) => owner))]);
    for (const [id, { isSystemUser }] of owners) if (isSystemUser) this.houseAccounts.add(id);
    const recipients = orders.filter(({ owner }) => {
      const addressee = owners.get(owner);
      return addressee?.isSystemUser === false;
    });
    if (recipients.length === 0) return;
    await database.transaction((tx) => messages.send(tx, recipients.map(messageOf)));
    for (const owner of new Set(recipients.map((order) => order.owner))) await this.notifyInbox(owner);
  }

  private async notifyInbox(owner: UserId): Promise<void> {
    try {
      await this.deps.messages.announce(owner);
    } catch (cause) {
      // The message is stored and the inbox shows it when it is fetched; only the notification of open
      // pages failed.
      this.deps.log.warn('spot.bell_not_rung', { cause });
    }
  }
}

/** Whether an order is a stop order or was changed after its placement, so that it did not end at once. */
function hasWaited({ stop, createdAt, updatedAt }: SpotOrder): boolean {
  return stop !== undefined || updatedAt > createdAt;
}

/** Whether the order has a take-profit or stop-loss that could not be placed. */
function isWithoutExits({ exits }: SpotOrder): boolean {
  return exits !== undefined && !['waiting', 'placed', 'unfilled'].includes(exits.status);
}

function unprotectedMessage({ id, owner, pair, filledAmount, updatedAt }: SpotOrder): AddressedMessage {
  const parameters = {
    pair: `${pair.base}/${pair.quote}`,
    coin: pair.base,
    amount: filledAmount.toString(),
    time: timeText(updatedAt),
    order: id,
  };
  return { userId: owner, about: id, message: { type: 'trade', kind: 'exitsNotPlaced', parameters } };
}

/** The inbox message about an ended order with fills. */
export function fillMessage(order: SpotOrder): AddressedMessage {
  const { id, owner, pair, side, state, filledAmount, filledTotal, fee, updatedAt } = order;
  const isWhole = state === 'filled';
  const kinds =
    side === 'buy'
      ? (['buyFilled', 'buyPartlyFilled'] as const)
      : (['sellFilled', 'sellPartlyFilled'] as const);
  return {
    userId: owner,
    about: id,
    message: {
      type: 'trade',
      kind: kinds[isWhole ? 0 : 1],
      parameters: {
        pair: `${pair.base}/${pair.quote}`,
        coin: pair.base,
        unit: pair.quote,
        amount: filledAmount.toString(),
        price: averagePrice(order)?.toPlaces(pair.priceDigits) ?? '0',
        total: filledTotal.toString(),
        fee: fee.toString(),
        feeCoin: feeAsset(order),
        time: timeText(updatedAt),
        order: id,
      },
    },
  };
}
