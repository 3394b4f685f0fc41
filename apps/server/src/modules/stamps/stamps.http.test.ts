import { HOUR_MS } from '@exchange/core/time.ts';
import { proofCheckpoints } from '@exchange/wire/proof.ts';
import { liabilities } from '@exchange/wire/proofs.ts';
import { recordedParts } from '@exchange/wire/recorded-book.ts';
import { stampFile, stamps } from '@exchange/wire/stamps.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHeader, stampVerdict } from '../../../../../tools/verify/stamp.mjs';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { FakeCalendar } from '../../../testing/fake-calendar.ts';

const HEIGHT = 871_234;

describe('time stamps from outside', () => {
  let calendars: [FakeCalendar, FakeCalendar];
  let exchange: TestExchange;

  beforeAll(async () => {
    calendars = [await FakeCalendar.start(), await FakeCalendar.start()];
    exchange = await anExchange({
      settings: { STAMP_CALENDARS: calendars.map(({ url }) => `${url}/`).join(', ') },
    });
    await exchange.doors.proofs.liabilities.takeDue();
  });
  afterAll(async () => {
    await exchange?.close();
    for (const calendar of calendars ?? []) await calendar.stop();
  });

  const stampDue = () => exchange.doors.stamps.stamps.stampDue();
  const newest = async () => (await exchange.call(stamps)).data.list[0]!;
  const fileOf = async (hour: number) => (await exchange.call(stampFile, { hour: String(hour) })).data;

  it('STAMP-002 nothing is stamped before a checkpoint is published', async () => {
    await stampDue();
    expect((await exchange.call(stamps)).data.list).toEqual([]);
    expect((await exchange.call(stampFile, { hour: '3600000' })).errKey).toBe('l.not_found');
  });

  it('STAMP-002 STAMP-003 each hour has one statement, which every calendar stamps once, through restarts and failures', async () => {
    const [first, second] = calendars;
    // The test inserts a checkpoint of the index prices, because the exchange signs the first one only after a minute
    // of recorded prices.
    await exchange.database.pool.query(
      `insert into tape_checkpoint (symbol, seq, t, hash, key, signature)
       values ('btcusdt', 61, $1, $2, 'a test', '')`,
      [exchange.clock.now(), 'ab'.repeat(32)],
    );
    second.isAway = true;
    await Promise.all([stampDue(), stampDue()]);
    expect([first.submissions, second.submissions]).toEqual([1, 0]);
    const { hour, calendars: answered } = await newest();
    expect(answered).toEqual([{ url: first.url }]);
    expect(exchange.log.lines.filter(({ event }) => event === 'stamps.calendar_failed')).toHaveLength(1);
    await exchange.restart();
    second.isAway = false;
    await stampDue();
    await stampDue();
    expect([first.submissions, second.submissions]).toEqual([1, 1]);
    expect((await newest()).calendars.map(({ url }) => url).toSorted()).toEqual(
      [first.url, second.url].toSorted(),
    );
    const { statement, sha256 } = await fileOf(hour);
    const [checkpoint] = (await exchange.call(proofCheckpoints, { symbol: 'btcusdt' })).data.checkpoints;
    const { seq, t, hash } = checkpoint!;
    expect(statement).toContain(`\ntape|btcusdt|${seq}|${t}|${hash}\n`);
    const [snapshot] = (await exchange.call(liabilities)).data.list;
    expect(statement).toContain(`\nliabilities|${snapshot!.day}|${snapshot!.root}\n`);
    expect((await newest()).sha256).toBe(sha256);
  });

  it('STAMP-004 a proof is completed by the block of its calendar, and anyone can check it without the exchange', async () => {
    const [first, second] = calendars;
    const { hour, time } = await newest();
    await stampDue();
    expect((await newest()).calendars.every(({ block }) => block === undefined)).toBe(true);
    const header = readHeader(first.mine(HEIGHT, Math.floor(time / 1_000) + 600), 0);
    second.isAway = true;
    await stampDue();
    second.isAway = false;
    expect((await newest()).calendars).toContainEqual({ url: first.url, block: HEIGHT });
    const { checkpoints } = (await exchange.call(proofCheckpoints, { symbol: 'btcusdt' })).data;
    const headers = new Map([[HEIGHT, header]]);
    const verdict = stampVerdict(await fileOf(hour), { headers, checkpoints });
    expect(verdict).toEqual({ notes: [expect.stringContaining(`block ${HEIGHT}`)] });
    // A further run does not change the block that a calendar has reported for its proof.
    await stampDue();
    expect((await newest()).calendars).toContainEqual({ url: first.url, block: HEIGHT });
  });

  it('STAMP-004 STAMP-006 health reports a proof without a block after two days, and a calendar that comes back completes all of them', async () => {
    const [, second] = calendars;
    const { hour, time } = await newest();
    const { pool } = exchange.database;
    // Adds eighty earlier hours whose proofs by the second calendar have no block, as after an outage of three days.
    // One run tries fewer stamps than that.
    await pool.query(
      `insert into stamp (hour, at, statement)
       select hour - n * $2::bigint, at - n * $2::bigint, statement
       from stamp, generate_series(1, 80) as n where hour = $1`,
      [hour, HOUR_MS],
    );
    await pool.query(
      `insert into stamp_proof (hour, calendar, proof)
       select hour - n * $2::bigint, calendar, proof
       from stamp_proof, generate_series(1, 80) as n where hour = $1 and calendar = $3`,
      [hour, HOUR_MS, second.url],
    );
    const waiting = async () => {
      const { rows } = await pool.query('select count(*)::integer as n from stamp_proof where block is null');
      return rows[0] as { n: number };
    };
    const health = () => exchange.doors.stamps.health();
    expect(await health()).toMatchObject({
      isUp: false,
      reason: `a calendar has no block for ${new Date(hour - 80 * HOUR_MS).toISOString()}`,
    });
    second.mine(HEIGHT + 1, Math.floor(time / 1_000) + 1_200);
    await stampDue();
    expect(await waiting()).toEqual({ n: 81 - 72 });
    await stampDue();
    expect(await waiting()).toEqual({ n: 0 });
    expect(await health()).toMatchObject({ isUp: true });
    // Health does not report a proof without a block if its calendar is no longer in the settings.
    await pool.query(
      `insert into stamp_proof (hour, calendar, proof) select hour, 'https://gone.example', proof from stamp_proof where hour = $1 limit 1`,
      [hour - 70 * HOUR_MS],
    );
    expect(await health()).toMatchObject({ isUp: true });
  });

  it('RPL-011 STAMP-003 STAMP-006 the next hour has a statement of its own, and health reports calendars that do not answer', async () => {
    const health = () => exchange.doors.stamps.health();
    expect(await health()).toMatchObject({ isUp: true });
    const previous = await newest();
    await exchange.advanceTime(HOUR_MS);
    for (const calendar of calendars) calendar.isAway = true;
    const newestParts = async () => (await exchange.call(recordedParts, { symbol: 'btcusdt' })).data.list;
    await eventually(async () => expect(await newestParts()).not.toEqual([]));
    await stampDue();
    const { statement } = await fileOf((await newest()).hour);
    // The exchange may have recorded a newer part of the book after the stamp was made, so the stamped part need not be
    // the newest of the list.
    const lines = (await newestParts()).map(({ seq, until, hash }) => `book|btcusdt|${seq}|${until}|${hash}`);
    expect(lines).toContain(statement.split('\n').find((line) => line.startsWith('book|btcusdt|')));
    expect((await newest()).hour).toBe(previous.hour + HOUR_MS);
    expect((await newest()).calendars).toEqual([]);
    expect((await fileOf((await newest()).hour)).ots).toBeUndefined();
    expect(await health()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('no calendar') as string,
    });
    for (const calendar of calendars) calendar.isAway = false;
    await stampDue();
    expect(await health()).toMatchObject({ isUp: true });
    await exchange.advanceTime(4 * HOUR_MS);
    expect(await health()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('no stamp since') as string,
    });
  });
});
