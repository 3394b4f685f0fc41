import { gzipSync } from 'node:zlib';
import { HOUR_MS, instant, later } from '@exchange/core/time.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { commitSeed } from '../../../../../tools/test-form.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeVenue } from '../../../testing/market.ts';
import { createAssets } from '../assets/index.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { EMPTY_TAPE, tapeFault } from './domain/tape.ts';
import { IndexMaker, sha256, type SymbolPoint } from './index-maker.ts';
import { IndexWatch } from './index-watch.ts';
import { closeOldestHour, linesOfHour } from './tape-hours.ts';
import { TapeRepository } from './tape-repository.ts';
import { claimTape, TapeWriter } from './tape-writer-repository.ts';

const HOUR = instant(Math.floor(1_795_219_200_000 / HOUR_MS) * HOUR_MS);
const pairs = createAssets({ mode: 'live' }).pairs.map(({ pair }) => pair);

let database: TestDatabase;
let tape: TapeRepository;
async function newTape(): Promise<void> {
  database = await testDatabase();
  tape = new TapeRepository(databaseOver(database.pool));
}
const dropTape = () => database.drop();

/** An index over venues with quotes given by the test, and a clock that the test moves. */
async function anIndex() {
  const time = { now: HOUR };
  const loggedEvents: string[] = [];
  const recordEvent = (event: string) => void loggedEvents.push(event);
  const log = { debug: () => {}, info: () => {}, warn: recordEvent, error: recordEvent };
  const clock = { now: () => time.now, monotonicMs: () => time.now };
  const watch = new IndexWatch({ clock, log });
  const epoch = await claimTape(databaseOver(database.pool).store);
  const maker = new IndexMaker({
    clock,
    log,
    pairs,
    tape: new TapeWriter(database.pool, epoch),
    isOn: () => true,
    publish: (points) => watch.receive(points, time.now),
  });
  const venues = ['a', 'b', 'c', 'd'].map((id) => new FakeVenue(id));
  const published: SymbolPoint[] = [];
  watch.onPoints((points) => published.push(...points.filter(({ symbol }) => symbol === 'btcusdt')));
  await maker.start(venues);
  const at = async (ms: number) => {
    time.now = later(HOUR, ms);
    await maker.advance(time.now);
  };
  const quote = (prices: readonly string[], ms: number) =>
    prices.forEach((price, index) => venues[index]?.quote('btcusdt', price, later(HOUR, ms)));
  return {
    watch,
    maker,
    venues,
    time,
    published,
    warned: loggedEvents,
    at,
    quote,
    prices: () => published.map(({ point }) => point.price?.toString() ?? null),
  };
}

const linesOf = (symbol: string) => tape.lines(symbol, HOUR, later(HOUR, HOUR_MS));

describe('the index', () => {
  beforeEach(newTape);
  afterEach(dropTape);

  it('MKT-002 composes a second half a second later from the quotes of that second', async () => {
    const { at, quote, prices, watch } = await anIndex();
    quote(['100', '101', '102', '103'], 900);
    quote(['200', '200', '200', '200'], 1_001);
    await at(1_499);
    expect(prices()).toEqual([null]);
    await at(1_500);
    expect(prices()).toEqual([null, '101.5']);
    quote(['300', '300', '300', '300'], 990);
    await at(1_700);
    expect(prices()).toHaveLength(2);
    expect(watch.price('btcusdt')?.price.toString()).toBe('101.5');
  });

  it('MKT-006 is no price when it is stale, degraded or missing', async () => {
    const { at, quote, watch } = await anIndex();
    quote(['100', '101', '102'], 1_000);
    await at(1_500);
    expect(watch.price('btcusdt')).toBeDefined();
    await at(4_000);
    quote(['100', '101'], 5_000);
    await at(5_500);
    expect(watch.latestPoint('btcusdt')).toMatchObject({ flags: ['degraded'] });
    expect(watch.price('btcusdt')).toBeUndefined();
    quote(['100', '101', '102'], 6_000);
    await at(6_500);
    expect(watch.price('btcusdt')).toBeDefined();
    // The newest point is that of second 8, for which the quotes of second 6 still count.
    await at(9_400);
    expect(watch.latestPoint('btcusdt')?.t).toBe(later(HOUR, 8_000));
    expect(watch.price('btcusdt')).toBeDefined();
  });

  it('MKT-003 logs an outlier once', async () => {
    const { at, quote, warned } = await anIndex();
    for (const second of [1, 2, 3]) {
      quote(['100', '100', '100', '104'], second * 1_000);
      await at(second * 1_000 + 500);
    }
    // One log line names the outlier and the pairs without sources; the following seconds have no new flags.
    expect(warned.filter((event) => event === 'market.index_flagged')).toHaveLength(1);
  });

  it('MKT-005 continues the chain after a restart and invents no missed second', async () => {
    const first = await anIndex();
    for (const second of [1, 2, 3]) {
      first.quote(['100', '101', '102'], second * 1_000);
      await first.at(second * 1_000 + 500);
    }
    await first.maker.stop();
    const second = await anIndex();
    second.quote(['105', '105', '105'], 60_000);
    await second.at(60_500);
    const lines = await linesOf('btcusdt');
    expect(lines.map(({ seq, t }) => [seq, t - HOUR])).toEqual([
      [1, 1_000],
      [2, 2_000],
      [3, 3_000],
      [4, 60_000],
    ]);
    expect(
      tapeFault(
        lines.map(({ text }) => text),
        EMPTY_TAPE,
        4,
        sha256,
      ),
    ).toBeUndefined();
  });

  it('MKT-004 publishes no point that is not on the tape, and catches up when the database is available again', async () => {
    const { at, quote, prices, warned } = await anIndex();
    await database.pool.query('ALTER TABLE market_tape RENAME TO elsewhere');
    quote(['100', '100', '100'], 1_000);
    await at(1_500);
    expect(prices()).toEqual([]);
    expect(warned).toContain('market.tape_unwritten');
    await database.pool.query('ALTER TABLE elsewhere RENAME TO market_tape');
    quote(['101', '101', '101'], 2_000);
    await at(2_500);
    expect(prices()).toEqual(['100', '101']);
    const lines = await linesOf('btcusdt');
    expect(
      tapeFault(
        lines.map(({ text }) => text),
        EMPTY_TAPE,
        4,
        sha256,
      ),
    ).toBeUndefined();
  });
});

describe('a missed second', () => {
  beforeEach(newTape);
  afterEach(dropTape);

  it('MKT-720 is composed after the pause from the quotes received within half a second after it, in order and only once', async () => {
    const { at, venues, time, published } = await anIndex();
    const quoteReceived = (price: string, ms: number, receivedMs: number) => {
      for (const venue of venues) venue.quote('btcusdt', price, later(HOUR, ms), later(HOUR, receivedMs));
    };
    quoteReceived('100', 900, 950);
    await at(1_500);
    // The index does not run for six seconds; the other process recorded the receipt times of the
    // quotes meanwhile.
    time.now = later(HOUR, 7_600);
    quoteReceived('102', 1_900, 2_000);
    quoteReceived('103', 2_900, 3_000);
    // This quote is received one millisecond too late for second 4, but in time for second 5.
    quoteReceived('104', 3_900, 4_501);
    quoteReceived('105', 4_900, 7_600);
    await at(7_600);
    await at(7_650);
    const points = published.map(({ point }) => [point.t - HOUR, point.price?.toString() ?? null]);
    expect(points).toEqual([
      [1_000, '100'],
      [2_000, '102'],
      [3_000, '103'],
      [4_000, '103'],
      [5_000, '104'],
      [6_000, '104'],
      // The last quote in time is more than three seconds old. A second composed on time gets a
      // line without a price; a missed second would get no line.
      [7_000, null],
    ]);
    const texts = (await linesOf('btcusdt')).map(({ text }) => text);
    expect(tapeFault(texts, EMPTY_TAPE, 4, sha256)).toBeUndefined();
    // Quotes that arrive after their second was stored change nothing.
    time.now = later(HOUR, 7_700);
    quoteReceived('900', 5_900, 6_000);
    await at(7_700);
    expect((await linesOf('btcusdt')).map(({ text }) => text)).toEqual(texts);
  });

  it('MKT-720 gets no line if no quote was received in time', async () => {
    const { at, quote, published } = await anIndex();
    quote(['100', '101', '102'], 1_000);
    await at(1_500);
    quote(['100', '101', '102'], 60_000);
    await at(60_500);
    expect(published.map(({ point }) => point.t - HOUR)).toEqual([1_000, 2_000, 3_000, 4_000, 60_000]);
  });

  it('MKT-720 has the same line whether it was composed on time or after a pause', async () => {
    const random = new SeededGenerator(commitSeed);
    const quotes = Array.from({ length: 200 }, () => {
      const ms = Math.floor(random.between(0, 10_000));
      const price = String(100 + Math.floor(random.between(0, 9)));
      return {
        venue: Math.floor(random.between(0, 4)),
        ms,
        receivedMs: ms + Math.floor(random.between(0, 900)),
        price,
      };
    }).toSorted((a, b) => a.receivedMs - b.receivedMs);
    const linesAfter = async (wakesAt: readonly number[]) => {
      const { at, venues, time, maker } = await anIndex();
      let sent = 0;
      for (const wakeMs of wakesAt) {
        time.now = later(HOUR, wakeMs);
        for (; sent < quotes.length && quotes[sent]!.receivedMs <= wakeMs; sent += 1) {
          const { venue, ms, receivedMs, price } = quotes[sent]!;
          venues[venue]?.quote('btcusdt', price, later(HOUR, ms), later(HOUR, receivedMs));
        }
        await at(wakeMs);
      }
      await maker.stop();
      const lines = (await linesOf('btcusdt')).map(({ text }) => text);
      await dropTape();
      await newTape();
      return lines;
    };
    const everyTick = Array.from({ length: 100 }, (_, tick) => 1_500 + tick * 100);
    const onTime = await linesAfter(everyTick);
    const paused = await linesAfter([1_500, 2_500, 7_700, 7_750, 11_450]);
    expect(onTime.length).toBe(10);
    expect(paused).toEqual(onTime);
  });

  it('MKT-721 is not added by a process after another process has claimed the tape', async () => {
    const { at, quote, prices, warned } = await anIndex();
    quote(['100', '100', '100'], 1_000);
    await at(1_500);
    const secondIndex = await anIndex();
    quote(['101', '101', '101'], 2_000);
    await at(3_500);
    expect(warned).toContain('market.tape_fenced');
    expect(prices()).toEqual(['100']);
    secondIndex.quote(['102', '102', '102'], 4_000);
    await secondIndex.at(4_500);
    quote(['101', '101', '101'], 5_000);
    await at(5_500);
    const lines = await linesOf('btcusdt');
    expect(lines.map(({ seq, t }) => [seq, t - HOUR])).toEqual([
      [1, 1_000],
      [2, 4_000],
    ]);
  });
});

async function anHourOfTape() {
  const index = await anIndex();
  for (let second = 1; second <= 90; second += 1) {
    index.quote(['100', '101', '102', `${100 + (second % 7)}`], second * 1_000);
    await index.at(second * 1_000 + 500);
  }
  await index.maker.stop();
}

describe('the stored tape', () => {
  beforeEach(newTape);
  afterEach(dropTape);

  it('MKT-007 closes an hour into one row with the same lines, and continues after it', async () => {
    await anHourOfTape();
    const linesBefore = (await linesOf('btcusdt')).map(({ text }) => text);
    const symbols = pairs.map(({ symbol }) => symbol);
    expect(await closeOldestHour(tape, symbols, later(HOUR, HOUR_MS))).toBe(false);
    expect(await closeOldestHour(tape, symbols, later(HOUR, HOUR_MS + 300_000))).toBe(true);
    expect(await closeOldestHour(tape, symbols, later(HOUR, HOUR_MS + 300_000))).toBe(false);
    expect(await linesOf('btcusdt')).toEqual([]);
    const closed = await tape.hour('btcusdt', HOUR);
    if (closed === undefined) throw new Error('the hour is not there');
    const lines = await linesOfHour(closed);
    expect(lines).toEqual(linesBefore);
    expect(tapeFault(lines, EMPTY_TAPE, 4, sha256)).toBeUndefined();
    expect((await new TapeWriter(database.pool, 0n).heads()).get('btcusdt')).toEqual(closed.last);
    await expect(linesOfHour({ ...closed, sha256: Buffer.alloc(32) })).rejects.toThrow('damaged');
    // Packed hours of the index tape stored by older versions contain the hashes.
    const completeLines = Buffer.from(linesBefore.map((line) => `${line}\n`).join(''));
    expect(await linesOfHour({ ...closed, lines: gzipSync(completeLines) })).toEqual(linesBefore);
  });

  it('MKT-050 a closed hour leaves out hashes that can be recomputed, and keeps lines complete that do not form a chain', async () => {
    await anHourOfTape();
    const texts = (await linesOf('btcusdt')).map(({ text }) => text);
    const symbols = pairs.map(({ symbol }) => symbol);
    await closeOldestHour(tape, symbols, later(HOUR, HOUR_MS + 300_000));
    const closed = (await tape.hour('btcusdt', HOUR))!;
    const completeLines = Buffer.from(texts.map((line) => `${line}\n`).join(''));
    expect(closed.lines.length).toBeLessThan(gzipSync(completeLines).length * 0.7);
    const next = later(HOUR, HOUR_MS);
    const broken = texts.map((text, at) =>
      at === 5 ? text.replace(/"prev":"....../, '"prev":"000000') : text,
    );
    await database.pool.query(
      `insert into market_tape select 'ltcusdt', 1000 + n, $2::bigint + n * 1000, '', line
       from unnest($1::text[]) with ordinality as l(line, n)`,
      [broken, next],
    );
    await closeOldestHour(tape, ['ltcusdt'], later(next, HOUR_MS + 300_000));
    expect(await linesOfHour((await tape.hour('ltcusdt', next))!)).toEqual(broken);
  });
});

describe('a stored tape', () => {
  beforeAll(async () => {
    await newTape();
    await anHourOfTape();
  });
  afterAll(dropTape);

  it.each([
    ['a changed line', `UPDATE market_tape SET line = 'x' WHERE seq = 1`, 'append-only'],
    ['a removed line', `DELETE FROM market_tape WHERE seq = 1`, 'once its hour is stored'],
    ['an emptied table', `TRUNCATE market_tape`, 'append-only'],
    ['a changed hour', `UPDATE market_tape_hour SET last_seq = 99`, 'append-only'],
    ['a removed hour', `DELETE FROM market_tape_hour`, 'append-only'],
  ])('MKT-007 rejects %s', async (_case, statement, refused) => {
    await expect(database.pool.query(statement)).rejects.toThrow(refused);
  });
});
