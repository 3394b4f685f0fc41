/**
 * A program that reads streams of market data over many connections and checks that no event is missing. It is started
 * by `fork` with a `ReaderTask` as JSON, reports `open` when all connections are open, and sends a `ReaderReport` when
 * it receives a message.
 */
import { WebSocket } from 'ws';
import {
  LocalBook,
  type DepthEvent,
  type DepthSnapshot,
} from '../../src/modules/public-api/testing/local-book.ts';
import type { ReaderReport, ReaderTask } from './streams-programme.ts';

const task = JSON.parse(process.argv[2] ?? '') as ReaderTask;
/** Number of connections that this program opens from one IP address. The server permits 300. */
const PER_ADDRESS = 100;
/** Number of connections that are opened at once. */
const OPENED_AT_ONCE = 50;
const COMPARE_EVERY_MS = 3_000;
/** Number of compared levels per side. */
const LEVELS = 1_000;
/**
 * Milliseconds after a snapshot is fetched within which the book that is kept from events must contain all
 * changes of the snapshot.
 */
const SNAPSHOT_REACHED_MS = 10_000;
const PROBLEMS_KEPT = 20;

const report: ReaderReport = {
  opened: 0,
  ended: 0,
  slowEnded: 0,
  events: 0,
  compared: 0,
  problems: [],
};
function note(problem: string): void {
  if (report.problems.length < PROBLEMS_KEPT) report.problems.push(problem);
}

/** Returns the ten streams that each connection reads of its pair. */
const streamsOf = (symbol: string) =>
  [
    'depth@100ms',
    'depth',
    'depth20@100ms',
    'trade',
    'aggTrade',
    'bookTicker',
    'kline_1m',
    'ticker',
    'miniTicker',
    'avgPrice',
  ].map((name) => `${symbol}@${name}`);

/**
 * Returns the number after a field such as `"u":` in the text of an event; NaN if the text has no such field.
 * Only these numbers are read, because parsing every event would take too much processor time from the
 * measured server.
 */
function numberAfter(text: string, field: string): number {
  const start = text.indexOf(field);
  return start === -1
    ? Number.NaN
    : Number.parseInt(text.slice(start + field.length, start + field.length + 20), 10);
}

/**
 * Map that contains, for each stream of trades, the trade id that follows each trade id, as the first
 * connection that received both saw it. Every other connection must receive the same id after it.
 */
const followers = new Map<string, Map<number, number>>();

/** Checks that one connection misses no event of the streams of books and trades. */
class Reader {
  private readonly last = new Map<string, number>();

  receive(text: string): void {
    report.events += 1;
    const name = text.slice('{"stream":"'.length, text.indexOf('","data"'));
    const kind = name.slice(name.indexOf('@') + 1);
    if (kind === 'depth' || kind === 'depth@100ms')
      this.requireNext(name, numberAfter(text, '"U":'), numberAfter(text, '"u":'));
    else if (kind === 'trade') this.requireSame(name, numberAfter(text, '"t":'));
    else if (kind === 'aggTrade') this.requireSame(name, numberAfter(text, '"a":'));
  }

  /**
   * Reports a problem if the first change of an event of a book does not follow the last change of the event before it.
   */
  private requireNext(name: string, first: number, last: number): void {
    const before = this.last.get(name);
    if (before !== undefined && first !== before + 1) note(`${name}: ${first} after ${before}`);
    this.last.set(name, last);
  }

  /**
   * Reports a problem if another connection received a different event id after the same previous id of a
   * stream.
   */
  private requireSame(name: string, id: number): void {
    const before = this.last.get(name);
    this.last.set(name, id);
    if (before === undefined) return;
    const known = followers.get(name) ?? new Map<number, number>();
    followers.set(name, known);
    const expected = known.get(before);
    if (expected === undefined) known.set(before, id);
    else if (expected !== id) note(`${name}: ${id} after ${before}, others got ${expected}`);
  }
}

/** Builds the book of a pair from a snapshot and its stream, and compares it with later snapshots. */
class ComparedBook {
  private readonly symbol: string;
  private book: LocalBook | undefined;
  private readonly early: DepthEvent[] = [];
  /** The snapshot that the book is compared with as soon as it contains all changes of the snapshot. */
  private awaited: { readonly snapshot: DepthSnapshot; readonly untilMs: number } | undefined;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  async start(): Promise<void> {
    const snapshot = await this.snapshot();
    this.book = new LocalBook(snapshot);
    for (const event of this.early.splice(0)) this.book.apply(event);
  }

  receive(event: DepthEvent): void {
    const { book, awaited } = this;
    if (book === undefined) {
      this.early.push(event);
      return;
    }
    try {
      book.apply(event);
    } catch (cause) {
      note(`${this.symbol}: ${String(cause)}`);
      this.book = new LocalBook({ lastUpdateId: event.u, bids: [], asks: [] });
      return;
    }
    if (awaited === undefined || event.u < awaited.snapshot.lastUpdateId) return;
    this.awaited = undefined;
    this.compare(awaited.snapshot, event);
  }

  async compareNext(): Promise<void> {
    if (this.awaited !== undefined) {
      if (performance.now() < this.awaited.untilMs) return;
      note(`${this.symbol}: the stream does not reach change ${this.awaited.snapshot.lastUpdateId}`);
    }
    const snapshot = await this.snapshot();
    // If the stream has reached the snapshot, possibly no further event arrives to start the comparison, so the
    // comparison takes place at once.
    if (this.book?.lastUpdateId === snapshot.lastUpdateId) this.compare(snapshot, undefined);
    else this.awaited = { snapshot, untilMs: performance.now() + SNAPSHOT_REACHED_MS };
  }

  /**
   * Compares the best levels of the book with a snapshot, and records a difference as a problem. `event` is
   * the last event of the book, if any. If the event contains changes after the snapshot, the event's levels
   * are left out, because they may differ.
   */
  private compare({ lastUpdateId, ...snapshot }: DepthSnapshot, event: DepthEvent | undefined): void {
    const isExact = event === undefined || event.u === lastUpdateId;
    for (const [side, changed] of [
      ['bids', event?.b],
      ['asks', event?.a],
    ] as const) {
      const leftOut = new Set(isExact ? [] : changed?.map(([price]) => price));
      const compared = (levels: DepthSnapshot['bids']) => levels.filter(([price]) => !leftOut.has(price));
      const expected = compared(snapshot[side]);
      const actual = compared(this.book!.sorted(side)).slice(0, expected.length);
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        note(`${this.symbol}: the ${side} differ from the snapshot ${lastUpdateId}`);
    }
    report.compared += 1;
  }

  private async snapshot(): Promise<DepthSnapshot> {
    const answer = await fetch(
      `${task.url}/api/v3/depth?symbol=${this.symbol.toUpperCase()}&limit=${LEVELS}`,
    );
    if (!answer.ok) throw new Error(`the snapshot was answered with ${answer.status}`);
    return (await answer.json()) as DepthSnapshot;
  }
}

interface Opened {
  readonly path: string;
  readonly localAddress: string;
  readonly receive: ((text: string) => void) | undefined;
}

/** Opens a connection and resolves once it is open or has failed. Without `receive` it reads nothing. */
function open({ path, localAddress, receive }: Opened): Promise<void> {
  const socket = new WebSocket(`${task.url.replace('http', 'ws')}${path}`, {
    localAddress,
    perMessageDeflate: false,
  });
  return new Promise((resolve) => {
    socket.on('open', () => {
      report.opened += 1;
      if (receive === undefined) socket.pause();
      resolve();
    });
    socket.on('message', (data: Buffer) => receive?.(data.toString('utf8')));
    socket.on('error', (cause) => {
      if (receive !== undefined) note(String(cause));
      resolve();
    });
    socket.on('close', (code) => {
      if (receive === undefined) {
        report.slowEnded += 1;
        return;
      }
      report.ended += 1;
      note(`a connection was closed with ${code}`);
    });
  });
}

const addressOf = (place: number) => `127.${task.place + 1}.0.${1 + Math.floor(place / PER_ADDRESS)}`;
const pending: Promise<void>[] = [];
for (let place = 0; place < task.sockets; place += 1) {
  const symbol = task.symbols[place % task.symbols.length]!;
  const isSlow = place < task.slowSockets;
  const reader = new Reader();
  pending.push(
    open({
      path: `/stream?streams=${streamsOf(symbol).join('/')}`,
      localAddress: addressOf(place),
      receive: isSlow ? undefined : (text) => reader.receive(text),
    }),
  );
  if (pending.length >= OPENED_AT_ONCE) await Promise.all(pending.splice(0));
}
await Promise.all(pending);

const books = task.comparesBooks
  ? task.symbols.map((symbol) => [symbol, new ComparedBook(symbol)] as const)
  : [];
for (const [place, [symbol, book]] of books.entries()) {
  await open({
    path: `/ws/${symbol}@depth@100ms`,
    localAddress: addressOf(task.sockets + place),
    receive: (text) => book.receive(JSON.parse(text) as DepthEvent),
  });
  await book.start();
}
setInterval(() => {
  for (const [symbol, book] of books)
    book.compareNext().catch((cause: unknown) => note(`${symbol}: ${String(cause)}`));
}, COMPARE_EVERY_MS);

process.send?.('open');
process.on('message', () => process.send?.(report));
process.once('disconnect', () => process.exit(0));
