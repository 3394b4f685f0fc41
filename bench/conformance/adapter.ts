/* oxlint-disable typescript/no-non-null-assertion -- parallel arrays of one length; a check per read would be timed */
import { createHash } from 'node:crypto';
import { PriceTimeBook, type Fill } from '../../apps/server/src/modules/matching/index.ts';

/** Types of messages in a workload file. Every other type changes an order. */
const NEW = 0;
const CANCEL = 1;

/** Types of reports, with the numbers that the benchmark uses for them. */
const ORDER_ACK = 0;
const TRADE = 1;
const CANCEL_ACK = 2;
const MODIFY_ACK = 3;
const CANCEL_REJECT = 4;
const MODIFY_REJECT = 5;

/** "MEBW_001", the first eight bytes of a workload file. */
const MAGIC = 0x4d45_4257_5f30_3031n;
const VERSION = 1;
const HEADER_BYTES = 16;
const RECORD_BYTES = 40;

/** The messages of a workload file, with one array per field. The index of a message is its sequence number. */
export interface Workload {
  readonly count: number;
  readonly types: Uint8Array;
  /** 1 for a sell order and 0 for a buy order, by the index of the message. */
  readonly isSell: Uint8Array;
  /** 1 for an order whose unfilled remainder is cancelled immediately, otherwise 0, by the index of the message. */
  readonly isIoc: Uint8Array;
  readonly quantities: Uint32Array;
  readonly orders: Uint32Array;
  readonly prices: Int32Array;
}

/**
 * Reads a workload file of the benchmark. The little-endian file has a header with magic number, version and count, and
 * then a record of 40 bytes for each message. Throws for another format or length, for messages out of order, and for
 * an order number or a price that has more than 31 bits or a price that is not positive.
 */
export function readWorkload(file: Buffer): Workload {
  const isKnown =
    file.length >= HEADER_BYTES && file.readBigUInt64LE(0) === MAGIC && file.readUInt32LE(8) === VERSION;
  if (!isKnown) throw new Error('this is no workload file of a known version');
  const count = file.readUInt32LE(12);
  if (file.length !== HEADER_BYTES + count * RECORD_BYTES)
    throw new Error(`a workload of ${count} messages has ${file.length} bytes`);
  const workload = {
    count,
    types: new Uint8Array(count),
    isSell: new Uint8Array(count),
    isIoc: new Uint8Array(count),
    quantities: new Uint32Array(count),
    orders: new Uint32Array(count),
    prices: new Int32Array(count),
  };
  for (let at = 0; at < count; at += 1) {
    const start = HEADER_BYTES + at * RECORD_BYTES;
    const sequence = file.readBigUInt64LE(start + 8);
    const order = file.readBigUInt64LE(start + 16);
    const price = file.readBigInt64LE(start + 24);
    if (sequence !== BigInt(at) || order >= 2n ** 31n || price <= 0n || price >= 2n ** 31n)
      throw new Error(`message ${at} is out of order or range`);
    workload.types[at] = file[start]!;
    workload.isSell[at] = file[start + 1]!;
    workload.isIoc[at] = file[start + 2]!;
    workload.quantities[at] = file.readUInt32LE(start + 4);
    workload.orders[at] = Number(order);
    workload.prices[at] = Number(price);
  }
  return workload;
}

/** The reports of a matching engine in the order of the benchmark's canonical text, as numbers in a growing array. */
export class Reports {
  count = 0;
  private figures = new Uint32Array(6 * 65_536);

  /**
   * Adds the report that an order or its change was accepted, with the side, order, price and quantity of the message.
   */
  addAccepted(type: typeof ORDER_ACK | typeof MODIFY_ACK, sequence: number, workload: Workload): void {
    const at = this.begin(type, sequence);
    this.figures[at] = workload.isSell[sequence]!;
    this.figures[at + 1] = workload.orders[sequence]!;
    this.figures[at + 2] = workload.prices[sequence]!;
    this.figures[at + 3] = workload.quantities[sequence]!;
  }

  addTrade(sequence: number, { price, amount, makerId }: Fill, taker: number): void {
    const at = this.begin(TRADE, sequence);
    this.figures[at] = Number(price);
    this.figures[at + 1] = Number(amount);
    this.figures[at + 2] = Number(makerId);
    this.figures[at + 3] = taker;
  }

  addCancelled(sequence: number, side: number, order: number, price: number): void {
    const at = this.begin(CANCEL_ACK, sequence);
    this.figures[at] = side;
    this.figures[at + 1] = order;
    this.figures[at + 2] = price;
  }

  addRejected(type: typeof CANCEL_REJECT | typeof MODIFY_REJECT, sequence: number, order: number): void {
    this.figures[this.begin(type, sequence)] = order;
  }

  /** Begins a report with its type and sequence number. Returns the array index of the report's next number. */
  private begin(type: number, sequence: number): number {
    const at = 6 * this.count;
    if (at === this.figures.length) {
      const grown = new Uint32Array(2 * at);
      grown.set(this.figures);
      this.figures = grown;
    }
    this.figures[at] = type;
    this.figures[at + 1] = sequence;
    this.count += 1;
    return at + 2;
  }

  /**
   * Returns the SHA-256, in hexadecimal, of the canonical text, which has one report per line and no line
   * break at the end.
   */
  hash(): string {
    const digest = createHash('sha256');
    let lines: string[] = [];
    for (let n = 0; n < this.count; n += 1) {
      lines.push((n === 0 ? '' : '\n') + this.lineAt(n));
      if (lines.length < 10_000) continue;
      digest.update(lines.join(''));
      lines = [];
    }
    return digest.update(lines.join('')).digest('hex');
  }

  lineAt(n: number): string {
    const [type, sequence, a, b, c, d] = this.figures.subarray(6 * n, 6 * n + 6);
    if (type === CANCEL_REJECT || type === MODIFY_REJECT) return `${type},${sequence},${a}`;
    if (type === CANCEL_ACK) return `${type},${sequence},${a},${b},${c}`;
    return `${type},${sequence},${a},${b},${c},${d}`;
  }
}

/**
 * Converts the numbers of a workload file to the types of the book's interface: text ids, bigint prices and amounts.
 */
export function prepare({ orders, prices, quantities }: Workload) {
  return {
    ids: Array.from(orders, String),
    ticks: Array.from(prices, BigInt),
    lots: Array.from(quantities, BigInt),
  };
}

/**
 * Runs a workload through the exchange's order book and reports what each message did. A modify message amends the
 * order: with a new price or a greater amount the order goes to the back of its queue, as the benchmark requires. The
 * workloads contain no change to a smaller amount only. For it the exchange's book would leave the order at its place
 * in the queue.
 */
export function runWorkload(
  workload: Workload,
  { ids, ticks, lots }: ReturnType<typeof prepare>,
): { readonly reports: Reports; readonly book: PriceTimeBook } {
  const { count, types, isSell, isIoc, orders, prices } = workload;
  const book = new PriceTimeBook();
  const reports = new Reports();
  for (let at = 0; at < count; at += 1) {
    const id = ids[at]!;
    const order = orders[at]!;
    const side = isSell[at]!;
    if (types[at] === NEW) {
      reports.addAccepted(ORDER_ACK, at, workload);
      const { fills, outcome } = book.place({
        id,
        // All sell orders belong to one owner and all buy orders to another one, so that no order meets an order of the
        // same owner.
        owner: side === 1 ? 'seller' : 'buyer',
        side: side === 1 ? 'sell' : 'buy',
        price: ticks[at]!,
        amount: lots[at]!,
        timeInForce: isIoc[at] === 1 ? 'IOC' : 'GTC',
        postOnly: false,
        selfTrade: 'cancelTaker',
      });
      for (const fill of fills) reports.addTrade(at, fill, order);
      if (outcome === 'partly' || outcome === 'cancelled') reports.addCancelled(at, side, order, prices[at]!);
    } else if (types[at] === CANCEL) {
      const cancelled = book.cancel(id);
      if (cancelled === null) reports.addRejected(CANCEL_REJECT, at, order);
      else reports.addCancelled(at, cancelled.side === 'sell' ? 1 : 0, order, Number(cancelled.price));
    } else {
      const { fills, outcome } = book.amend(id, { price: ticks[at]!, amount: lots[at]! });
      if (outcome === 'rejected') {
        reports.addRejected(MODIFY_REJECT, at, order);
        continue;
      }
      for (const fill of fills) reports.addTrade(at, fill, order);
      reports.addAccepted(MODIFY_ACK, at, workload);
    }
  }
  return { reports, book };
}
