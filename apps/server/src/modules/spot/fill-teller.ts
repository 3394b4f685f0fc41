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
import { endedWithFills, moveToldUpTo, toldUpTo } from './history-repository.ts';

/** Fills of this long are written together: an order is told a moment after its trade, and trading goes first. */
const TURN_MS = 250;
/** After a failed turn. */
const RETRY_MS = 2_000;
const CURSOR_EVERY_MS = 10_000;
const GROUP_MOST = 100;
/** Beyond it memory keeps no more: the rest is read from the entries. */
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
 * Tells that an order which rested or waited has ended filled or partly filled, and that the exits of a buy could not be
 * placed; never tells the house. Orders are heard of after their commit and written in groups. What a crash or a
 * failure kept from being written is found in the ledger's entries behind a cursor: every ending of an order with
 * fills is a trade or gives back what was held. An order is told once, since a message about it can be stored once.
 */
export class FillTeller {
  private readonly deps: Deps;
  private readonly house = new Set<UserId>();
  private waiting: SpotOrder[] = [];
  /** Buys whose exits could not be placed. */
  private unprotected: SpotOrder[] = [];
  /** Memory may not hold all that is still to be told. */
  private isBehind = true;
  private cursorMovedMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(deps: Deps) {
    this.deps = deps;
    deps.events.on(orderChanged, (changed) => this.hear(changed));
  }

  /** Begins to write; what an earlier process left untold comes first. */
  start(): void {
    this.isStopped = false;
    this.schedule(0);
  }

  /** Writes what waits; a later fill is told after the next start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    this.cursorMovedMs = Number.NEGATIVE_INFINITY;
    await this.turn();
  }

  private hear({ order, state, fills }: OrderChanged): void {
    if (state.state === 'open' || state.filledAmount.isZero() || this.house.has(order.owner)) return;
    if (this.isBehind) return;
    // What became of its exits is heard after the end of the order itself.
    if (state.exits !== undefined && state.exits.status !== 'waiting') {
      if (isWithoutExits(order)) this.remember(this.unprotected, order);
      return;
    }
    // An end without a fill comes to an order that was open; a maker rested; a taker may have waited or been changed.
    const hadWaited = fills.length === 0 || fills[0]!.role === 'maker' || hasWaited(order);
    if (hadWaited) this.remember(this.waiting, order);
  }

  private remember(list: SpotOrder[], order: SpotOrder): void {
    if (list.length < WAITING_MOST) list.push(order);
    else this.isBehind = true;
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.turn().then((isDone) => {
        if (!this.isStopped) this.schedule(isDone ? TURN_MS : RETRY_MS);
      });
    }, afterMs);
    this.timer.unref();
  }

  /** Writes all there is; gives whether it could. */
  private async turn(): Promise<boolean> {
    try {
      if (this.isBehind) await this.catchUp();
      await this.tellWaiting();
      await this.moveCursor();
      return true;
    } catch (cause) {
      // The database may be away for a moment. The cursor has not moved, so nothing is lost.
      this.waiting = [];
      this.unprotected = [];
      this.isBehind = true;
      this.deps.log.warn('spot.fills_not_told', { cause });
      return false;
    }
  }

  private async tellWaiting(): Promise<void> {
    while (this.waiting.length > 0) await this.tell(this.waiting.splice(0, GROUP_MOST), fillMessage);
    while (this.unprotected.length > 0)
      await this.tell(this.unprotected.splice(0, GROUP_MOST), unprotectedMessage);
  }

  /** Reads from the entries what has not been told; from here on orders are heard of again. */
  private async catchUp(): Promise<void> {
    const { database, assets } = this.deps;
    this.isBehind = false;
    for (;;) {
      const page = await referencesSince(database.store, await toldUpTo(database.store), ENTRIES_MOST);
      const referred = (kind: string) =>
        page.flatMap((entry) => (entry.kind === kind && entry.reference !== null ? entry.reference : []));
      const ended = await endedWithFills(
        database.store,
        { trades: referred('spot.traded') as TradeId[], orders: referred('spot.released') as OrderId[] },
        (symbol) => assets.findPair(symbol)?.pair,
      );
      const untold = ended.filter(({ order, wasMaker }) => wasMaker || hasWaited(order));
      for (let from = 0; from < untold.length; from += GROUP_MOST) {
        await this.tell(
          untold.slice(from, from + GROUP_MOST).map(({ order }) => order),
          fillMessage,
        );
      }
      const unprotected = ended.map(({ order }) => order).filter(isWithoutExits);
      for (let from = 0; from < unprotected.length; from += GROUP_MOST)
        await this.tell(unprotected.slice(from, from + GROUP_MOST), unprotectedMessage);
      const last = page.at(-1);
      if (last !== undefined) await moveToldUpTo(database, last.sequence);
      if (page.length < ENTRIES_MOST) return;
    }
  }

  private async moveCursor(): Promise<void> {
    const { clock, database, sequencer } = this.deps;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.cursorMovedMs < CURSOR_EVERY_MS) return;
    const last = await lastEntrySequence(database.store);
    // What is stored may be unheard of for a moment yet.
    await sequencer.settled();
    await this.tellWaiting();
    if (this.isBehind) return;
    await moveToldUpTo(database, last);
    this.cursorMovedMs = nowMs;
  }

  private async tell(
    orders: readonly SpotOrder[],
    messageOf: (order: SpotOrder) => AddressedMessage,
  ): Promise<void> {
    const { database, identity, messages } = this.deps;
    const owners = await identity.addressees([...new Set(orders.map(({ owner }) => owner))]);
    for (const [id, { isHouse }] of owners) if (isHouse) this.house.add(id);
    const told = orders.filter(({ owner }) => {
      const found = owners.get(owner);
      return found?.isHouse === false;
    });
    if (told.length === 0) return;
    await database.transaction((tx) => messages.send(tx, told.map(messageOf)));
    for (const owner of new Set(told.map((order) => order.owner))) await this.ring(owner);
  }

  private async ring(owner: UserId): Promise<void> {
    try {
      await this.deps.messages.announce(owner);
    } catch (cause) {
      // The message stands; the bell shows it at its next reading.
      this.deps.log.warn('spot.bell_not_rung', { cause });
    }
  }
}

/** Whether something happened to the order after it was placed. */
function hasWaited({ stop, createdAt, updatedAt }: SpotOrder): boolean {
  return stop !== undefined || updatedAt > createdAt;
}

/** Whether take-profit and stop-loss were wanted and could not be placed for what was bought. */
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

/** What the owner of an ended order with fills is told; told once per order. */
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
