import * as inbox from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type Funds, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { limit, market, place, requireEmptyBook } from './testing/orders.ts';

describe('fills in the inbox', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterEach(() => requireEmptyBook(exchange));

  afterAll(() => exchange.close());

  const aSeller = (funds: Funds = { BTC: '1' }) => exchange.aUser(funds);
  const aBuyer = (funds: Funds = { USDT: '10000' }) => exchange.aUser(funds);

  /** What the inbox holds about trades, newest first. */
  async function told(trader: TestTrader) {
    return (await trader.ask(inbox.messagePage, { type: '2' })).list;
  }

  /** Makes an order of its own fill at rest and waits until that is told: whatever was to be told before it was. */
  async function tellOneMore(): Promise<void> {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await eventually(async () => expect(await told(buyer)).toHaveLength(1));
  }

  it('MSG-031 an order that rested is told once when it has filled, with what it came to and its order', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    const { id } = await place(buyer, limit('buy', '50000', '0.01'));
    await place(seller, market('sell', { amount: '0.004' }));
    await place(seller, market('sell', { amount: '0.006' }));
    await eventually(async () => expect(await told(buyer)).toHaveLength(1));
    const [message] = await told(buyer);
    expect(message).toMatchObject({ type: 2, readFlag: 0, title: 'Buy order filled: BTC/USDT' });
    expect(message?.summary).toBe('Bought 0.01 BTC at an average of 50,000.00 USDT.');
    const detail = await buyer.ask(inbox.messageDetail, { id: message!.id });
    expect(detail).toMatchObject({ place: 'order', item: id });
    const order = await buyer.ask(wire.orderDetail, { id });
    expect(Number(order.fee)).toBeGreaterThan(0);
    expect(detail.content).toContain(`Fee: ${order.fee} BTC\nOrder ID: ${id}`);
    await tellOneMore();
    expect(await told(buyer)).toHaveLength(1);
  });

  it('MSG-031 an order that ended with a part filled is told once, when it ended', async () => {
    const [seller, buyer] = [await aSeller(), await aBuyer()];
    const { id } = await place(seller, limit('sell', '51000', '0.01'));
    await place(buyer, market('buy', { amount: '0.004' }));
    await tellOneMore();
    expect(await told(seller)).toEqual([]);
    await seller.ask(wire.cancelOrder, { id });
    await eventually(async () => expect(await told(seller)).toHaveLength(1));
    expect((await told(seller))[0]).toMatchObject({ title: 'Sell order partially filled: BTC/USDT' });
  });

  it('MSG-032 what fills as it is placed, or ends without a fill, is not told', async () => {
    const [maker, taker] = [await aBuyer(), await aSeller()];
    await place(maker, limit('buy', '50000', '0.01'));
    await place(taker, limit('sell', '50000', '0.004'));
    await place(taker, limit('sell', '50000', '0.01', { timeInForce: 'IOC' }));
    const { id } = await place(taker, limit('sell', '52000', '0.01'));
    await taker.ask(wire.cancelOrder, { id });
    await tellOneMore();
    expect(await told(taker)).toEqual([]);
    expect(await told(maker)).toHaveLength(1);
  });

  it('MSG-033 whoever has switched it off is told nothing, and everybody has it on at first', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    const ofFills = { topic: 'fills', inbox: 1, mail: 0, inboxFixed: 0, mailFixed: 0 };
    expect((await buyer.ask(inbox.messageSettings)).list).toContainEqual(ofFills);
    const off = { ...ofFills, inbox: 0 };
    expect(await buyer.ask(inbox.setMessageSetting, { topic: 'fills', inbox: '0' })).toEqual(off);
    expect((await buyer.ask(inbox.messageSettings)).list).toContainEqual(off);
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await tellOneMore();
    expect(await told(buyer)).toEqual([]);
    await buyer.ask(inbox.setMessageSetting, { topic: 'fills', inbox: '1' });
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await eventually(async () => expect(await told(buyer)).toHaveLength(1));
  });

  it('MSG-034 an account of the house is told nothing', async () => {
    const [house, seller] = [await aBuyer(), await aSeller()];
    await exchange.database.pool.query(
      `update user_account set house_name = 'maker-of-test', email = null, password_hash = null where id = $1`,
      [house.id],
    );
    await place(house, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await tellOneMore();
    const { rows } = await exchange.database.pool.query(
      'select id from message where user_id = $1 and type = 2',
      [house.id],
    );
    expect(rows).toEqual([]);
  });

  it('MSG-035 a restart repeats nothing, and tells what a crash kept from being written', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    await place(buyer, limit('buy', '50000', '0.002'));
    await place(seller, market('sell', { amount: '0.002' }));
    const { id } = await place(seller, limit('sell', '51000', '0.01'));
    await place(buyer, market('buy', { amount: '0.004' }));
    await seller.ask(wire.cancelOrder, { id });
    await eventually(async () => expect(await told(seller)).toHaveLength(1));
    await exchange.restart();
    const { pool } = exchange.database;
    const cursor = async () =>
      Number(
        (await pool.query<{ sequence: string }>('select sequence from spot_fill_cursor')).rows[0]!.sequence,
      );
    expect(await cursor()).toBeGreaterThan(0);

    // As a crash between the commits of the orders and of their messages leaves it.
    const { rows: before } = await pool.query('select id from message where type = 2');
    await exchange.restart(async () => {
      await pool.query('delete from message where user_id = any($1) and type = 2', [[buyer.id, seller.id]]);
      await pool.query('update spot_fill_cursor set sequence = 0');
    });
    await eventually(async () => {
      expect((await told(buyer)).map(({ title }) => title)).toEqual(['Buy order filled: BTC/USDT']);
      expect((await told(seller)).map(({ title }) => title)).toEqual([
        'Sell order partially filled: BTC/USDT',
      ]);
    });
    await tellOneMore();
    const { rows: after } = await pool.query('select id from message where type = 2');
    // One more than before; whoever had it switched off is asked again, and has it on by now.
    expect(after.length).toBe(before.length + 2);
  });
});
