import { Decimal } from '@exchange/core/decimal.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { buyMining } from '@exchange/wire/mining.ts';
import { secondsTransfer } from '@exchange/wire/seconds.ts';
import { createOrder, spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inForm } from '../../../../tools/test-form.ts';
import { aProduct, aSaver, purchase } from '../../src/modules/finance/testing/products.ts';
import { aMine } from '../../src/modules/mining/testing/products.ts';
import { limit } from '../../src/modules/spot/testing/orders.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';

const PIECE = '20';
const AFFORDABLE = 10;
const OF_EACH = 12;
const ADDRESS = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';

/** Every way to spend coins, all at the same moment, on one balance that suffices for ten of them. */
describe('one balance and every way to spend it', () => {
  let exchange: TestExchange;
  let [saving, mine] = ['', ''];

  beforeAll(async () => {
    exchange = await anExchange();
    const small = { startAmount: Decimal.parse(PIECE), maxAmount: Decimal.parse('100000') };
    saving = await aProduct(exchange, 'races', small);
    mine = await aMine(exchange, 'races', small);
    await exchange.doors.convert.convert.fund('BTC', Decimal.parse('5'), 'demo');
  });
  afterAll(async () => {
    expect(await exchange.audit()).toMatchObject({ problems: [] });
    await exchange.close();
  });

  /** The ways, each of which takes exactly one piece; false where it was refused. */
  function waysOf(of: TestTrader): readonly ((n: number) => Promise<boolean>)[] {
    const { withdrawals } = exchange.doors.withdrawals;
    const isDone = async (call: Promise<{ readonly code: number }>) => (await call).code === 1;
    return [
      (n) =>
        isDone(of.call(secondsTransfer, { amount: PIECE, currency: 'USDT', type: '1', clientId: `t${n}` })),
      (n) => isDone(of.call(createOrder, limit('buy', '50000', '0.0004', { clientId: `o${n}` }))),
      () => isDone(of.call(buyFinance, purchase(saving, PIECE))),
      () => isDone(of.call(buyMining, purchase(mine, PIECE))),
      async () => {
        const quote = await of.call(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: PIECE });
        return quote.code === 1 && isDone(of.call(acceptConvert, { quoteId: quote.data.quoteId }));
      },
      () =>
        withdrawals
          .submit(of.id, {
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

  it.each(Array.from({ length: inForm(2, 20) }, (_, round) => round))(
    'MONEY-030 of all of them at once exactly so many are served as the balance suffices for (round %i)',
    async () => {
      const of = await aSaver(exchange, { USDT: '215' });
      const ways = waysOf(of);
      const calls = Array.from({ length: ways.length * OF_EACH }, (_, n) => ways[n % ways.length]!(n));
      const served = (await Promise.all(calls)).filter(Boolean).length;
      expect(served).toBe(AFFORDABLE);
      const { list } = await of.ask(spotAssets, { currency: 'USDT' });
      expect(list[0]?.availableCurrency).toBe('15');
    },
  );

  it('MONEY-031 coins that go to and fro between own accounts are never more than there were', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const move = (n: number) =>
      of.call(secondsTransfer, {
        amount: '30',
        currency: 'USDT',
        type: n % 2 === 0 ? '1' : '2',
        clientId: `m${n}`,
      });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => move(n)));
    const moved = (kind: number) => answers.filter(({ code }, n) => code === 1 && n % 2 === kind).length;
    const [out, back] = [moved(0), moved(1)];
    expect(out - back).toBeGreaterThanOrEqual(0);
    expect(out - back).toBeLessThanOrEqual(3);
    const { list } = await of.ask(spotAssets, { currency: 'USDT' });
    expect(list[0]?.availableCurrency).toBe(String(100 - 30 * (out - back)));
  });
});
