import { Decimal } from '@exchange/core/decimal.ts';
import {
  RECORDED_BOOK_DAYS,
  RECORDED_BOOK_ORIGIN,
  RECORDED_LEVELS,
  RecordedBook,
  changesUntil,
  parseRecordedPart,
  recordedArrival,
  recordedFill,
} from '@exchange/core/recorded-book.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { DAY_MS, later, MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byForm, commitSeed } from '../../../../../tools/test-form.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { aDeal, MARKET_START } from '../../../testing/market.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { SigningKey } from '../../platform/secrets/signing-key.ts';
import { createAssets } from '../assets/index.ts';
import { BookRecordRepository } from './book-record-repository.ts';
import { BookRecorder } from './book-recorder.ts';
import { PairMarket } from './domain/pair-market.ts';
import type { SidedLevel } from './domain/public-book.ts';
import { sha256 } from './index-maker.ts';
import { RecordedBooks } from './recorded-books.ts';
import { claimTape } from './tape-writer-repository.ts';

const { pair } = createAssets({ mode: 'live' }).findPair('btcusdt')!;
const { symbol } = pair;
const PAGE = { pageNo: 1, pageSize: 100 };

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

/** A recorder over a book that the test changes, with a clock that the test moves. */
async function aRecorder(time = { now: MARKET_START }) {
  const market = new PairMarket(pair);
  const markets = new Map([[symbol, market]]);
  const repository = new BookRecordRepository(databaseOver(database.pool));
  const log = recordingLog();
  const recorder = new BookRecorder({
    clock: { now: () => time.now },
    log,
    markets,
    repository,
    signingKey: new SigningKey(Buffer.alloc(32, 7)),
  });
  let step = 0;
  const level = (side: 'buy' | 'sell', price: string, amount: string): SidedLevel => ({
    side,
    price: Decimal.parse(price).toScaled(pair.priceDigits),
    amount: Decimal.parse(amount).toScaled(pair.amountDigits),
  });
  return {
    market,
    recorder,
    repository,
    entries: log.lines,
    time,
    level,
    books: new RecordedBooks({ markets, repository, recorder }),
    pass: (ms: number) => (time.now = later(time.now, ms)),
    load: (levels: readonly SidedLevel[] = [], after = 0) => {
      step = after;
      market.book.load(levels);
      recorder.restart(symbol, after);
    },
    change: (...levels: readonly SidedLevel[]) => {
      step += 1;
      for (const changed of levels) market.book.set(changed);
      recorder.receiveLevels({ symbol, step, levels, at: time.now });
      return step;
    },
    claim: () => claimTape(databaseOver(database.pool).store),
  };
}

async function partsOf({ books }: Pick<Awaited<ReturnType<typeof aRecorder>>, 'books'>) {
  const { list } = await books.list(symbol, PAGE);
  const texts = await Promise.all(list.toReversed().map(({ seq }) => books.numbered(symbol, seq)));
  return texts.map(({ text, stored }) => ({ text, stored: stored!, part: parseRecordedPart(text) }));
}

/** The best `count` price levels of a side of a public book, written like the levels of a recorded book. */
function shownLevels({ book, scale }: PairMarket, side: 'buy' | 'sell', count: number) {
  return book
    .top(side, count)
    .map(({ price, amount }) => [
      Decimal.ofScaled(price, scale.priceDigits).toPlaces(scale.priceDigits),
      Decimal.ofScaled(amount, scale.amountDigits).toPlaces(scale.amountDigits),
    ]);
}

describe('the recorded book', () => {
  it('RPL-001 RPL-002 any state of the book follows from its part, in whichever order the states are visited', async () => {
    const random = new SeededGenerator(commitSeed);
    const below = (bound: number) => Math.floor(random.next() * bound);
    for (let round = 0; round < byForm(5, 200); round += 1) {
      const test = await aRecorder();
      const open = Array.from({ length: below(2 * RECORDED_LEVELS + 40) }, (_, at) =>
        test.level(at % 2 === 0 ? 'buy' : 'sell', String(at % 2 === 0 ? 50_000 - at : 50_001 + at), '1'),
      );
      test.load(open);
      const states = [{ at: test.time.now, ...sidesOf(test.market) }];
      for (let change = 0; change < 40; change += 1) {
        test.pass(1 + below(20));
        const side = below(2) === 0 ? 'buy' : 'sell';
        const distance = below(RECORDED_LEVELS);
        const price = String(side === 'buy' ? 50_000 - distance : 50_001 + distance);
        test.change(test.level(side, price, below(3) === 0 ? '0' : `${below(9)}.5`));
        states.push({ at: test.time.now, ...sidesOf(test.market) });
      }
      const [{ text } = { text: '' }] = test.recorder.unstored(symbol);
      const part = parseRecordedPart(text);
      const book = new RecordedBook(part);
      for (let visit = 0; visit < 60; visit += 1) {
        const state = states[below(states.length)]!;
        book.moveTo(changesUntil(part, state.at));
        for (const side of ['buy', 'sell'] as const) {
          const shown = book.levels(side, Number.POSITIVE_INFINITY);
          // Outside the recorded price range the record contains no levels; inside it, the record contains every level.
          const known = state[side].filter(([price]) => book.covers(side, price!));
          expect(shown).toEqual(known);
        }
      }
    }
  });

  it('RPL-001 a minute with changes is a part; a quiet part goes on for ten minutes', async () => {
    const test = await aRecorder();
    test.load([test.level('buy', '50000', '1')]);
    test.recorder.start(await test.claim());
    test.pass(MINUTE_MS);
    await test.recorder.tick();
    expect(await partsOf(test)).toEqual([]);
    test.change(test.level('sell', '50001', '2'));
    await test.recorder.tick();
    test.pass(10 * MINUTE_MS);
    await test.recorder.tick();
    const parts = await partsOf(test);
    expect(parts.map(({ part }) => [part.seq, part.until - part.from, part.changes.length])).toEqual([
      [1, MINUTE_MS, 1],
      [2, 10 * MINUTE_MS, 0],
    ]);
    expect(parts[1]!.part.asks).toEqual([['50001.00', '2.00000']]);
  });

  it('RPL-003 parts are linked by their hashes and signed, through a restart', async () => {
    const first = await aRecorder();
    first.load();
    first.recorder.start(await first.claim());
    for (let minute = 0; minute < 3; minute += 1) {
      first.change(first.level('buy', '50000', String(minute + 1)));
      first.pass(MINUTE_MS);
      await first.recorder.tick();
    }
    await first.recorder.stop();
    const second = await aRecorder(first.time);
    second.pass(5_000);
    second.load([second.level('buy', '50000', '3')], 3);
    second.recorder.start(await second.claim());
    second.change(second.level('buy', '50000', '0'));
    second.pass(MINUTE_MS);
    await second.recorder.tick();
    const parts = await partsOf(second);
    expect(parts.map(({ part }) => part.continues)).toEqual([false, true, true, false]);
    let prev = RECORDED_BOOK_ORIGIN;
    for (const { part, text, stored } of parts) {
      expect(part.prev).toBe(prev);
      expect(stored.hash).toBe(sha256(text));
      prev = stored.hash;
      const signed = ['book', symbol, part.seq, part.until, stored.hash].join('|');
      expect(new SigningKey(Buffer.alloc(32, 7)).sign(signed)).toEqual({
        key: stored.key,
        signature: stored.signature,
      });
    }
  });

  it('RPL-004 a process that is killed loses its running part only, and nothing is made up for the gap', async () => {
    const killed = await aRecorder();
    killed.load();
    killed.recorder.start(await killed.claim());
    killed.change(killed.level('buy', '50000', '1'));
    killed.pass(MINUTE_MS);
    await killed.recorder.tick();
    killed.change(killed.level('buy', '49999', '1'));
    const killedAt = killed.time.now;
    // Simulates a crash: `killed` is not called any more and stores nothing, and a new recorder continues.
    const next = await aRecorder({ now: later(killedAt, 20_000) });
    next.load([next.level('buy', '50000', '1'), next.level('buy', '49999', '1')], 2);
    next.recorder.start(await next.claim());
    next.change(next.level('buy', '49999', '2'));
    next.pass(MINUTE_MS);
    await next.recorder.tick();
    const [, part] = await partsOf(next);
    expect(part!.part).toMatchObject({ continues: false, from: killedAt + 20_000 });
    const { found, previousUntil } = await next.books.at(symbol, later(killedAt, 10_000));
    expect(previousUntil).toBe(killedAt);
    expect(parseRecordedPart(found!.text).from).toBe(killedAt + 20_000);
  });

  it('RPL-004 RPL-005 an earlier process that still runs adds nothing after a later one has begun', async () => {
    const first = await aRecorder();
    first.load();
    first.recorder.start(await first.claim());
    const second = await aRecorder();
    second.load();
    second.recorder.start(await second.claim());
    for (const test of [first, second]) {
      test.change(test.level('buy', test === first ? '40000' : '50000', '1'));
      test.pass(MINUTE_MS);
      await test.recorder.tick();
    }
    const parts = await partsOf(second);
    expect(parts.map(({ part }) => part.changes[0]![3])).toEqual([[['buy', '50000.00', '1.00000']]]);
    expect(first.entries.map(({ event }) => event)).toContain('market.book_unsaved');
    await first.recorder.stop();
    expect(await partsOf(second)).toHaveLength(1);
  });

  it('RPL-005 steps that the loaded book contains already are not recorded a second time', async () => {
    const test = await aRecorder();
    test.load([test.level('buy', '50000', '3')], 12);
    // The loaded book contains the steps 11 and 12 already; their events arrive only now.
    const late = { symbol, at: test.time.now };
    test.recorder.receiveLevels({ ...late, step: 11, levels: [test.level('buy', '50000', '1')] });
    test.recorder.receiveLevels({ ...late, step: 12, levels: [test.level('buy', '50000', '3')] });
    test.recorder.receiveLevels({ ...late, step: 13, levels: [test.level('buy', '50000', '4')] });
    const [{ text } = { text: '' }] = test.recorder.unstored(symbol);
    expect(parseRecordedPart(text).changes.map(([step]) => step)).toEqual([13]);
  });

  it('RPL-006 a part that cannot be stored is stored later, once', async () => {
    const test = await aRecorder();
    test.load();
    test.recorder.start(await test.claim());
    await database.pool.query('alter table market_book_part rename to hidden');
    test.change(test.level('buy', '50000', '1'));
    test.pass(MINUTE_MS);
    await test.recorder.tick();
    await test.recorder.tick();
    expect(test.entries.filter(({ event }) => event === 'market.book_unsaved')).toHaveLength(1);
    await database.pool.query('alter table hidden rename to market_book_part');
    await test.recorder.tick();
    expect((await partsOf(test)).map(({ part }) => part.seq)).toEqual([1]);
  });

  it('RPL-006 when too many parts wait, further ones are lost and the next does not claim to continue them', async () => {
    const test = await aRecorder();
    test.load();
    test.recorder.start(await test.claim());
    await database.pool.query('alter table market_book_part rename to hidden');
    for (let minute = 0; minute < 205; minute += 1) {
      test.change(test.level('buy', '50000', String(minute + 1)));
      test.pass(MINUTE_MS);
      await test.recorder.tick();
    }
    expect(test.entries.filter(({ event }) => event === 'market.book_part_lost')).toHaveLength(5);
    await database.pool.query('alter table hidden rename to market_book_part');
    await test.recorder.tick();
    test.change(test.level('buy', '50000', '999'));
    test.pass(MINUTE_MS);
    await test.recorder.tick();
    const parts = [1, 200, 201].map((seq) => test.books.numbered(symbol, seq));
    const continuing = (await Promise.all(parts)).map(({ text }) => parseRecordedPart(text).continues);
    expect(continuing).toEqual([false, true, false]);
  });

  it('RPL-007 parts older than thirty days are removed from the beginning of the chain, and no other part can be', async () => {
    const test = await aRecorder();
    test.load();
    test.recorder.start(await test.claim());
    for (let day = 0; day < 4; day += 1) {
      test.change(test.level('buy', '50000', String(day + 1)));
      test.pass(DAY_MS);
      await test.recorder.tick();
    }
    await expect(database.pool.query('delete from market_book_part where seq = 2')).rejects.toThrow(
      /beginning/,
    );
    await expect(database.pool.query('delete from market_book_part')).rejects.toThrow(/beginning/);
    await expect(database.pool.query("update market_book_part set hash = ''")).rejects.toThrow('append-only');
    test.pass((RECORDED_BOOK_DAYS - 2) * DAY_MS + 1);
    await test.recorder.removeOld();
    expect((await partsOf(test)).map(({ part }) => part.seq)).toEqual([3, 4]);
    test.pass(100 * DAY_MS);
    await test.recorder.removeOld();
    expect((await partsOf(test)).map(({ part }) => part.seq)).toEqual([4]);
  });

  it('RPL-002 RPL-008 a sweep shows the levels it met, and an order shows what was at its price before it', async () => {
    const test = await aRecorder();
    test.load([test.level('sell', '50001', '1'), test.level('sell', '50002', '2')]);
    const joined = test.change(test.level('sell', '50002', '2.5'));
    test.pass(40);
    const at = test.time.now;
    test.recorder.receiveDeal(aDeal(1, '50001', '1', at));
    test.recorder.receiveDeal(aDeal(2, '50002', '0.75', at));
    test.recorder.receiveDeal(aDeal(3, '50002', '0.25', at));
    test.pass(7);
    test.market.book.set(test.level('sell', '50001', '0'));
    test.market.book.set(test.level('sell', '50002', '1.5'));
    const levels = [test.level('sell', '50001', '0'), test.level('sell', '50002', '1.5')];
    test.recorder.receiveLevels({ symbol, step: joined + 1, levels, at });
    const [{ text } = { text: '' }] = test.recorder.unstored(symbol);
    const part = parseRecordedPart(text);
    const fill = recordedFill(part, 'trade-3')!;
    expect(fill).toMatchObject({ step: joined + 1, matchedAt: at, committedAt: at + 7, bestBid: undefined });
    expect(String(fill.bestAsk)).toBe('50001');
    expect(
      fill.levels.map(({ price, before, traded, after }) => [price, before, traded, after].map(String)),
    ).toEqual([
      ['50001', '1', '1', '0'],
      ['50002', '2.5', '1', '1.5'],
    ]);
    expect(String(fill.tradedBefore)).toBe('0.75');
    expect(recordedFill(part, 'trade-9')).toBeUndefined();
    expect(String(recordedArrival(part, joined, 'sell', '50002.00')!.ahead)).toBe('2');
    expect(recordedArrival(part, 99, 'sell', '50002.00')).toBeUndefined();
    expect((await test.books.partOfTrade(symbol, 'trade-3', at))?.stored).toBeUndefined();
    expect(await test.books.partOfTrade(symbol, 'trade-9', at)).toBeUndefined();
    test.recorder.start(await test.claim());
  });

  it('RPL-009 a damaged part is not returned', async () => {
    const test = await aRecorder();
    test.load();
    test.recorder.start(await test.claim());
    test.change(test.level('buy', '50000', '1'));
    test.pass(MINUTE_MS);
    await test.recorder.tick();
    await database.pool.query('alter table market_book_part disable trigger all');
    await database.pool.query("update market_book_part set hash = repeat('a', 64)");
    await expect(test.books.numbered(symbol, 1)).rejects.toThrow(/damaged/);
    await expect(test.books.numbered('nothing', 1)).rejects.toMatchObject({
      refusal: { key: 'l.unknown_pair' },
    });
  });
});

function sidesOf(market: PairMarket) {
  return {
    buy: shownLevels(market, 'buy', 10_000),
    sell: shownLevels(market, 'sell', 10_000),
  };
}
