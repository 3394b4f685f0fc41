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

  /** The user's inbox messages about trades, newest first. */
  async function tradeMessages(trader: TestTrader) {
    return (await trader.request(inbox.messagePage, { type: '2' })).list;
  }

  /**
   * Fills a separate resting order and waits for its message, so that all earlier messages have been written.
   */
  async function waitForPendingMessages(): Promise<void> {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await eventually(async () => expect(await tradeMessages(buyer)).toHaveLength(1));
  }

  it('MSG-031 a resting order gets one message when it is filled, with its result and the order', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    const { id } = await place(buyer, limit('buy', '50000', '0.01'));
    await place(seller, market('sell', { amount: '0.004' }));
    await place(seller, market('sell', { amount: '0.006' }));
    await eventually(async () => expect(await tradeMessages(buyer)).toHaveLength(1));
    const [message] = await tradeMessages(buyer);
    expect(message).toMatchObject({ type: 2, readFlag: 0, title: 'Buy order filled: BTC/USDT' });
    expect(message?.summary).toBe('Bought 0.01 BTC at an average of 50,000.00 USDT.');
    const detail = await buyer.request(inbox.messageDetail, { id: message!.id });
    expect(detail).toMatchObject({ place: 'order', item: id });
    const order = await buyer.request(wire.orderDetail, { id });
    expect(Number(order.fee)).toBeGreaterThan(0);
    expect(detail.content).toContain(`Fee: ${order.fee} BTC\nOrder ID: ${id}`);
    await waitForPendingMessages();
    expect(await tradeMessages(buyer)).toHaveLength(1);
  });

  it('MSG-031 a partly filled order gets one message when it ends', async () => {
    const [seller, buyer] = [await aSeller(), await aBuyer()];
    const { id } = await place(seller, limit('sell', '51000', '0.01'));
    await place(buyer, market('buy', { amount: '0.004' }));
    await waitForPendingMessages();
    expect(await tradeMessages(seller)).toEqual([]);
    await seller.request(wire.cancelOrder, { id });
    await eventually(async () => expect(await tradeMessages(seller)).toHaveLength(1));
    expect((await tradeMessages(seller))[0]).toMatchObject({
      title: 'Sell order partially filled: BTC/USDT',
    });
  });

  it('MSG-032 an order that fills at placement, or ends without a fill, gets no message', async () => {
    const [maker, taker] = [await aBuyer(), await aSeller()];
    await place(maker, limit('buy', '50000', '0.01'));
    await place(taker, limit('sell', '50000', '0.004'));
    await place(taker, limit('sell', '50000', '0.01', { timeInForce: 'IOC' }));
    const { id } = await place(taker, limit('sell', '52000', '0.01'));
    await taker.request(wire.cancelOrder, { id });
    await waitForPendingMessages();
    expect(await tradeMessages(taker)).toEqual([]);
    expect(await tradeMessages(maker)).toHaveLength(1);
  });

  it('MSG-033 a user who switched the topic off gets no message; it is on by default', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    const ofFills = { topic: 'fills', inbox: 1, mail: 0, inboxFixed: 0, mailFixed: 0 };
    expect((await buyer.request(inbox.messageSettings)).list).toContainEqual(ofFills);
    const off = { ...ofFills, inbox: 0 };
    expect(await buyer.request(inbox.setMessageSetting, { topic: 'fills', inbox: '0' })).toEqual(off);
    expect((await buyer.request(inbox.messageSettings)).list).toContainEqual(off);
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await waitForPendingMessages();
    expect(await tradeMessages(buyer)).toEqual([]);
    await buyer.request(inbox.setMessageSetting, { topic: 'fills', inbox: '1' });
    await place(buyer, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await eventually(async () => expect(await tradeMessages(buyer)).toHaveLength(1));
  });

  it('MSG-034 an account of the exchange gets no message', async () => {
    const [house, seller] = [await aBuyer(), await aSeller()];
    await exchange.database.pool.query(
      `update user_account set house_name = 'maker-of-test', email = null, password_hash = null where id = $1`,
      [house.id],
    );
    await place(house, limit('buy', '50000', '0.001'));
    await place(seller, market('sell', { amount: '0.001' }));
    await waitForPendingMessages();
    const { rows } = await exchange.database.pool.query(
      'select id from message where user_id = $1 and type = 2',
      [house.id],
    );
    expect(rows).toEqual([]);
  });

  it('MSG-035 a restart repeats nothing and writes the messages that a crash prevented', async () => {
    const [buyer, seller] = [await aBuyer(), await aSeller()];
    await place(buyer, limit('buy', '50000', '0.002'));
    await place(seller, market('sell', { amount: '0.002' }));
    const { id } = await place(seller, limit('sell', '51000', '0.01'));
    await place(buyer, market('buy', { amount: '0.004' }));
    await seller.request(wire.cancelOrder, { id });
    await eventually(async () => expect(await tradeMessages(seller)).toHaveLength(1));
    await exchange.restart();
    const { pool } = exchange.database;
    const cursor = async () =>
      Number(
        (await pool.query<{ sequence: string }>('select sequence from spot_fill_cursor')).rows[0]!.sequence,
      );
    expect(await cursor()).toBeGreaterThan(0);

    // Simulates a crash between the commits of the orders and of their messages.
    const { rows: before } = await pool.query('select id from message where type = 2');
    await exchange.restart(async () => {
      await pool.query('delete from message where user_id = any($1) and type = 2', [[buyer.id, seller.id]]);
      await pool.query('update spot_fill_cursor set sequence = 0');
    });
    await eventually(async () => {
      expect((await tradeMessages(buyer)).map(({ title }) => title)).toEqual(['Buy order filled: BTC/USDT']);
      expect((await tradeMessages(seller)).map(({ title }) => title)).toEqual([
        'Sell order partially filled: BTC/USDT',
      ]);
    });
    await waitForPendingMessages();
    const { rows: after } = await pool.query('select id from message where type = 2');
    // Two messages were added since: the one that `waitForPendingMessages` causes, and one for the user who had
    // switched this topic off. The latter is sent because the topic is on again and the restart checks earlier fills
    // once more.
    expect(after.length).toBe(before.length + 2);
  });
});
