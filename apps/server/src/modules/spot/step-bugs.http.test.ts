import { Decimal } from '@exchange/core/decimal.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import type { RowWriter } from '../../platform/sequencer/row-writer.ts';
import { StepRecord } from '../../platform/sequencer/step.ts';
import type { Side } from '@exchange/core/pair.ts';
import { depth, detail, balanceText } from './testing/orders.ts';
import { Submission } from '../../platform/sequencer/submission.ts';

describe('a bug in the middle of a trade', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => exchange.close());

  /** Places a limit order by calling the service directly, so that calls made together are executed in one batch. */
  function order(trader: TestTrader, [side, price, amount]: readonly [Side, string, string], key?: string) {
    const request = { symbol: 'btcusdt', side, type: 'limit', timeInForce: 'GTC' } as const;
    const sizedRequest = { ...request, price: Decimal.parse(price), amount: Decimal.parse(amount) };
    const submission =
      key === undefined
        ? undefined
        : Submission.create({ actor: trader.id, operation: 'spot.place', key, sent: sizedRequest });
    return exchange.doors.spot.place(trader.id, sizedRequest, submission);
  }

  /** Creates a trader and caches all the trader's data, so that the next order waits for no query. */
  async function preparedTrader(funds: Readonly<Record<string, string>>, side: Side): Promise<TestTrader> {
    const trader = await exchange.aUser(funds);
    const { id } = await order(trader, [side, '50000', '0.001']);
    await exchange.doors.spot.cancel(trader.id, id as never);
    return trader;
  }

  /**
   * Makes the trades of a taker fail after their settlement, when money has moved and both orders have
   * changed in memory.
   */
  function plantFor(taker: TestTrader): void {
    vi.spyOn(StepRecord.prototype, 'write').mockImplementation(function <Row>(
      this: StepRecord,
      writer: RowWriter<Row>,
      row: Row,
    ): void {
      this.rows.push(writer, row);
      const made = row as { taker?: string };
      if (writer.name === 'spot_trade' && made.taker === taker.id) throw new TypeError('planted');
    });
  }

  it('SEQ-006 a buy that fails after matching leaves the sell of its batch on the book, and other steps of the batch are committed', async () => {
    const seller = await preparedTrader({ BTC: '1' }, 'sell');
    const buyer = await preparedTrader({ USDT: '10000' }, 'buy');
    const neighbour = await preparedTrader({ USDT: '10000' }, 'buy');
    plantFor(buyer);
    const [sell, buy, resting] = await Promise.allSettled([
      order(seller, ['sell', '50000', '0.1']),
      order(buyer, ['buy', '50000', '0.1'], 'once'),
      order(neighbour, ['buy', '49000', '0.1']),
    ]);
    expect(buy).toMatchObject({ status: 'rejected', reason: { message: 'planted' } });
    if (sell.status === 'rejected' || resting.status === 'rejected') throw new Error('a neighbour failed');
    expect(await detail(seller, sell.value)).toMatchObject({ status: 0, filledAmount: '0' });
    expect(await balanceText(seller, 'BTC')).toBe('0.9 + 0.1');
    expect(await balanceText(buyer, 'USDT')).toBe('10000 + 0');
    expect(await balanceText(neighbour, 'USDT')).toBe('5100 + 4900');
    expect(exchange.doors.spot.openOrders(seller.id)).toMatchObject([
      { id: sell.value.id, remaining: Decimal.parse('0.1') },
    ]);
    expect(await depth(exchange)).toMatchObject({ bids: [[49000, 0.1]], asks: [[50000, 0.1]] });
    const { rows } = await exchange.database.pool.query<{ trades: number; orders: number; keys: number }>(
      `select (select count(*)::int from spot_trade) as trades,
        (select count(*)::int from spot_order where owner = $1 and amount = 0.1) as orders,
        (select count(*)::int from idempotency where actor = $1) as keys`,
      [buyer.id],
    );
    expect(rows).toEqual([{ trades: 0, orders: 0, keys: 0 }]);
    expect((await exchange.doors.reconciliation.reconcile()).problems).toEqual([]);
    expect(await exchange.audit()).toMatchObject({ problems: [], books: [] });

    vi.restoreAllMocks();
    const again = await order(buyer, ['buy', '50000', '0.1'], 'once');
    expect(await detail(buyer, again)).toMatchObject({ status: 2, filledAmount: '0.1' });
    expect(await balanceText(seller, 'BTC')).toBe('0.9 + 0');
    await exchange.doors.spot.cancelAll(neighbour.id, {});
    expect(await exchange.audit()).toMatchObject({ problems: [], books: [] });
    await journalHasNoGap();
  });

  /** Requires that the journal has every step exactly once, without a gap. */
  async function journalHasNoGap(): Promise<void> {
    const { rows } = await exchange.database.pool.query<{ steps: string }>(
      'select steps from step_journal order by sequence',
    );
    const numbers = rows
      .flatMap(({ steps }) => steps.split('\n'))
      .map((line) => (JSON.parse(line) as [number])[0]);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => numbers[0]! + at));
  }
});
