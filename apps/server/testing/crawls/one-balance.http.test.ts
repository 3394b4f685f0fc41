import { Decimal } from '@exchange/core/decimal.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { buyMining } from '@exchange/wire/mining.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import { createOrder, spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm } from '../../../../tools/test-form.ts';
import { createProduct, createSaver, purchase } from '../../src/modules/finance/testing/products.ts';
import { createMiningProduct } from '../../src/modules/mining/testing/products.ts';
import { limit } from '../../src/modules/spot/testing/orders.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';

const PIECE = '20';
const AFFORDABLE = 10;
const CALLS_PER_PRODUCT = 12;
const ADDRESS = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';

/**
 * Sends requests in all `spendingWays` concurrently that spend the same balance. Exactly as many as the balance covers,
 * ten, must succeed.
 */
describe('one balance and every way to spend it', () => {
  let exchange: TestExchange;
  let [saving, mine] = ['', ''];

  beforeAll(async () => {
    exchange = await anExchange();
    const small = { startAmount: Decimal.parse(PIECE), maxAmount: Decimal.parse('100000') };
    saving = await createProduct(exchange, 'races', small);
    mine = await createMiningProduct(exchange, 'races', small);
    await exchange.doors.convert.convert.fund('BTC', Decimal.parse('5'), 'demo');
  });
  afterAll(async () => {
    expect(await exchange.audit()).toMatchObject({ problems: [] });
    await exchange.close();
  });

  /**
   * Returns the ways to spend a balance. Each function spends exactly one tenth of it, and returns false if
   * the server refused.
   */
  function spendingWays(trader: TestTrader): readonly ((n: number) => Promise<boolean>)[] {
    const { withdrawals } = exchange.doors.withdrawals;
    const isDone = async (call: Promise<{ readonly code: number }>) => (await call).code === 1;
    return [
      (n) =>
        isDone(
          trader.call(secondsTransfer, { amount: PIECE, currency: 'USDT', type: '1', clientId: `t${n}` }),
        ),
      (n) => isDone(trader.call(createOrder, limit('buy', '50000', '0.0004', { clientId: `o${n}` }))),
      () => isDone(trader.call(buyFinance, purchase(saving, PIECE))),
      () => isDone(trader.call(buyMining, purchase(mine, PIECE))),
      async () => {
        const quote = await trader.call(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: PIECE });
        return quote.code === 1 && isDone(trader.call(acceptConvert, { quoteId: quote.data.quoteId }));
      },
      () =>
        withdrawals
          .submit(trader.id, {
            asset: 'USDT',
            network: 'TRC20',
            amount: Decimal.parse(PIECE),
            address: ADDRESS,
            addressId: undefined,
            memo: undefined,
            remark: undefined,
          })
          .then(
            () => true,
            () => false,
          ),
    ];
  }

  it.each(Array.from({ length: byForm(2, 20) }, (_, round) => round))(
    'MONEY-030 of concurrent requests exactly as many are served as the balance covers (round %i)',
    async () => {
      const trader = await createSaver(exchange, { USDT: '215' });
      const ways = spendingWays(trader);
      const calls = Array.from({ length: ways.length * CALLS_PER_PRODUCT }, (_, n) =>
        ways[n % ways.length]!(n),
      );
      const served = (await Promise.all(calls)).filter(Boolean).length;
      expect(served).toBe(AFFORDABLE);
      const { list } = await trader.request(spotAssets, { currency: 'USDT' });
      expect(list[0]?.availableCurrency).toBe('15');
    },
  );

  it('MONEY-031 concurrent transfers between a user’s accounts never create coins', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const move = (n: number) =>
      trader.call(secondsTransfer, {
        amount: '30',
        currency: 'USDT',
        type: n % 2 === 0 ? '1' : '2',
        clientId: `m${n}`,
      });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => move(n)));
    const movedCount = (kind: number) => answers.filter(({ code }, n) => code === 1 && n % 2 === kind).length;
    const [out, back] = [movedCount(0), movedCount(1)];
    expect(out - back).toBeGreaterThanOrEqual(0);
    expect(out - back).toBeLessThanOrEqual(3);
    const { list } = await trader.request(spotAssets, { currency: 'USDT' });
    expect(list[0]?.availableCurrency).toBe(String(100 - 30 * (out - back)));
  });
});
