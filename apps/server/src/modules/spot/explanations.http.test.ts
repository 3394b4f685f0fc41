import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { changesUntil, parseRecordedPart, RecordedBook } from '@exchange/core/recorded-book.ts';
import { fillExplanation, pastOrders } from '@exchange/wire/fill-explanation.ts';
import { proofKeys } from '@exchange/wire/proof.ts';
import { recordedPart, recordedParts } from '@exchange/wire/recorded-book.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookFault } from '../../../../../tools/verify/books.mjs';
import { keysOf } from '../../../../../tools/verify/tape.mjs';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { BTC_USDT, limit, place, requireEmptyBook } from './testing/orders.ts';

const SYMBOL = 'btcusdt';

describe('explanations of fills', () => {
  let exchange: TestExchange;
  let maker: TestTrader;
  const traders: TestTrader[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
    maker = await aTrader({ BTC: '50', USDT: '500000' });
  });
  afterEach(async () => {
    for (const trader of traders) await trader.request(wire.cancelAllOrders, {});
    await requireEmptyBook(exchange);
  });
  afterAll(() => exchange.close());

  /** A trader whose open orders are cancelled after the test. */
  async function aTrader(funds: Record<string, string> = {}): Promise<TestTrader> {
    const trader = await exchange.aUser(funds);
    traders.push(trader);
    return trader;
  }

  const newestFill = async (trader: TestTrader) => (await trader.request(wire.fillRecords, {})).list[0]!;
  const explained = async (trader: TestTrader) =>
    trader.request(fillExplanation, { id: (await newestFill(trader)).tradeId });
  const listed = async () => (await exchange.call(recordedParts, { symbol: SYMBOL })).data;

  /** Advances the clock by a minute and waits until the current part of the recorded order book is stored. */
  async function endPart(): Promise<void> {
    const before = (await listed()).totalRow;
    await exchange.advanceTime(MINUTE_MS);
    await eventually(async () => expect((await listed()).totalRow).toBeGreaterThan(before));
  }

  it('RPL-020 RPL-021 the buyer sees which levels the order met, before its part is stored and afterwards with its hash', async () => {
    await place(maker, limit('sell', '50000', '0.1'));
    await place(maker, limit('sell', '50010', '0.3'));
    await place(maker, limit('buy', '49990', '0.2'));
    await exchange.advanceTime(1_000);
    const buyer = await aTrader({ USDT: '50000' });
    const { id } = await place(buyer, limit('buy', '50010', '0.25'));
    const { ts } = await newestFill(buyer);
    const early = await explained(buyer);
    expect(early).toMatchObject({
      orderId: id,
      tradeType: 1,
      orderType: 'limit',
      role: 'taker',
      price: '50010.00',
      amount: '0.15',
      limitPrice: '50010.00',
      matchedTime: ts,
      placedTime: ts,
      recorded: {
        bestBid: '49990.00',
        bestAsk: '50000.00',
        levels: [
          { price: '50000.00', before: '0.1', traded: '0.1', after: '0' },
          { price: '50010.00', before: '0.3', traded: '0.15', after: '0.15' },
        ],
      },
    });
    expect(early.receivedTime).toBeGreaterThan(ts - 1_000);
    expect(early.receivedTime).toBeLessThanOrEqual(ts);
    expect(early.committedTime).toBeGreaterThanOrEqual(ts);
    expect(early.committedTime).toBeLessThanOrEqual(exchange.clock.now());
    expect(early.recorded!.seq).toBeUndefined();
    expect(early.queue).toBeUndefined();
    await endPart();
    const late = await explained(buyer);
    const { part } = (await exchange.call(recordedPart, { symbol: SYMBOL, at: String(ts) })).data;
    expect(late).toEqual({
      ...early,
      recorded: { ...early.recorded, seq: part!.seq, hash: part!.hash },
    });
  });

  it('RPL-022 a resting order shows when it joined the queue, what was ahead, and what the same order traded before it', async () => {
    await place(maker, limit('sell', '50000', '0.4'));
    const seller = await aTrader({ BTC: '1' });
    await exchange.advanceTime(1_000);
    const { createTime: joined } = await place(seller, limit('sell', '50000', '0.2'));
    await endPart();
    const buyer = await aTrader({ USDT: '50000' });
    await place(buyer, limit('buy', '50000', '0.5'));
    expect((await explained(seller)).queue).toEqual({
      joinedTime: joined,
      ahead: '0.4',
      tradedBefore: '0.4',
    });
  });

  it('RPL-022 an order that was moved shows the queue that it joined then', async () => {
    await place(maker, limit('sell', '50000', '0.4'));
    const seller = await aTrader({ BTC: '1' });
    const { id } = await place(seller, limit('sell', '50100', '0.2'));
    await exchange.advanceTime(2_000);
    await seller.request(wire.amendOrder, { id, price: '50000' });
    const moved = (await seller.request(wire.orderDetail, { id })).amendments[0]!.time;
    const buyer = await aTrader({ USDT: '50000' });
    await place(buyer, limit('buy', '50000', '0.45'));
    const { queue, limitPrice } = await explained(seller);
    expect({ queue, limitPrice }).toEqual({
      queue: { joinedTime: moved, ahead: '0.4', tradedBefore: '0.4' },
      limitPrice: '50000.00',
    });
    // A later amendment of the order does not change the explanation of its fill.
    await exchange.advanceTime(2_000);
    await seller.request(wire.amendOrder, { id, price: '50200' });
    expect((await explained(seller)).queue).toEqual(queue);
  });

  it('RPL-023 only the two owners of a trade get its explanation', async () => {
    await place(maker, limit('sell', '50000', '0.1'));
    const buyer = await aTrader({ USDT: '50000' });
    await place(buyer, limit('buy', '50000', '0.1'));
    const { tradeId } = await newestFill(buyer);
    const stranger = await exchange.aUser();
    expect((await stranger.call(fillExplanation, { id: tradeId })).errKey).toBe('l.not_found');
    const [own, other] = [
      await buyer.request(fillExplanation, { id: tradeId }),
      await maker.request(fillExplanation, { id: tradeId }),
    ];
    expect([own.role, other.role]).toEqual(['taker', 'maker']);
    expect(own.orderId).not.toBe(other.orderId);
    expect(JSON.stringify(other)).not.toContain(own.orderId);
  });

  it('RPL-004 RPL-024 after a killed process the times of the order remain, and what was not recorded is said as such', async () => {
    const { pool } = exchange.database;
    // From before the trade on, no part of a recorded book is stored, also if a minute ends meanwhile.
    await pool.query(
      `create function refuse_part() returns trigger language plpgsql
       as $$ begin raise exception 'refused by a test'; end $$`,
    );
    await pool.query(
      'create trigger refuse_part before insert on market_book_part for each row execute function refuse_part()',
    );
    await place(maker, limit('sell', '50000', '0.1'));
    const buyer = await aTrader({ USDT: '50000' });
    await place(buyer, limit('buy', '50000', '0.1'));
    const before = await explained(buyer);
    await exchange.restart();
    await pool.query('drop trigger refuse_part on market_book_part');
    await pool.query('drop function refuse_part');
    const { recorded, committedTime, ...rest } = await explained(buyer);
    const { recorded: _recorded, committedTime: _committedTime, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    expect([recorded, committedTime]).toEqual([undefined, undefined]);
  });

  it('RPL-025 own orders of a period are shown with the prices they had then', async () => {
    const trader = await aTrader({ BTC: '1', USDT: '50000' });
    const { id, createTime: start } = await place(trader, limit('sell', '51000', '0.2'));
    await place(trader, { ...limit('sell', '41000', '0.2'), orderType: 'stopLimit', stopPrice: '40000' });
    await exchange.advanceTime(1_000);
    await trader.request(wire.amendOrder, { id, price: '51500' });
    const amended = (await trader.request(wire.orderDetail, { id })).amendments[0]!.time;
    await exchange.advanceTime(1_000);
    await trader.request(wire.cancelOrder, { id });
    const ended = (await trader.request(wire.orderDetail, { id })).updateTime;
    await exchange.advanceTime(1_000);
    const kept = await place(trader, limit('buy', '49000', '0.1'));
    const of = async (from: number, to: number) =>
      trader.request(pastOrders, { ...BTC_USDT, startTime: String(from), endTime: String(to) });
    expect(await of(start, kept.createTime)).toEqual({
      list: [
        { id: kept.id, tradeType: 1, price: '49000.00', amount: '0.1', from: kept.createTime },
        { id, tradeType: 2, price: '51000.00', amount: '0.2', from: start, until: amended },
        { id, tradeType: 2, price: '51500.00', amount: '0.2', from: amended, until: ended },
      ],
      hasMore: false,
    });
    expect((await of(start, start)).list.map(({ price }) => price)).toEqual(['51000.00']);
    const long = { ...BTC_USDT, startTime: '1', endTime: String(HOUR_MS + 2) };
    expect((await trader.call(pastOrders, long)).errKey).toBe('l.field_max');
  });

  it('RPL-001 RPL-003 RPL-010 RPL-026 what was published is what the book was, and the stand-alone verifier accepts it', async () => {
    await place(maker, limit('sell', '50020', '0.5'));
    await exchange.advanceTime(3_000);
    const { createTime: at } = await place(maker, limit('buy', '49980', '0.75'));
    await exchange.advanceTime(3_000);
    await maker.request(wire.cancelAllOrders, {});
    await endPart();
    const { data } = await exchange.call(recordedPart, { symbol: SYMBOL, at: String(at) });
    const part = parseRecordedPart(data.text!);
    const book = new RecordedBook(part);
    book.moveTo(changesUntil(part, at));
    expect([book.levels('buy', 9), book.levels('sell', 9)]).toEqual([
      [['49980.00', '0.75000']],
      [['50020.00', '0.50000']],
    ]);
    const keys = keysOf((await exchange.call(proofKeys)).data.keys);
    const { list } = await listed();
    const documents = await Promise.all(
      list.map(async ({ seq }) => {
        const read = await exchange.call(recordedPart, { symbol: SYMBOL, seq: String(seq) });
        return [String(seq), read.data] as const;
      }),
    );
    expect(documents.length).toBeGreaterThan(1);
    const newest = new RecordedBook(parseRecordedPart(documents[0]![1].text!));
    newest.moveTo(newest.part.changes.length);
    expect([newest.levels('buy', 9), newest.levels('sell', 9)]).toEqual([[], []]);
    for (const [seq, document] of documents)
      expect(bookFault(document, { keys, documents }), seq).toBeUndefined();
  });

  it('RPL-026 a time before and after the recording, an unknown part, no time and an unknown pair', async () => {
    const first = (await exchange.call(recordedPart, { symbol: SYMBOL, at: '1' })).data;
    expect(first.part!.seq).toBe(1);
    expect(first.previousUntil).toBeUndefined();
    const future = String(exchange.clock.now() + HOUR_MS);
    const none = (await exchange.call(recordedPart, { symbol: SYMBOL, at: future })).data;
    expect([none.part, none.text]).toEqual([undefined, undefined]);
    expect(none.previousUntil).toBeGreaterThan(0);
    const keyOf = async (fields: Record<string, string>) =>
      (await exchange.call(recordedPart, fields)).errKey;
    expect(await keyOf({ symbol: SYMBOL, seq: '999999' })).toBe('l.not_found');
    expect(await keyOf({ symbol: SYMBOL })).toBe('l.field_required');
    expect(await keyOf({ symbol: 'nothere', at: '1' })).toBe('l.unknown_pair');
  });
});
