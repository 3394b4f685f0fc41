import { setTimeout as sleep } from 'node:timers/promises';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm, isSelectedByCommit } from '../../../../../tools/test-form.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { detail, balanceText, limit, market, place } from './testing/orders.ts';

const PARALLEL = 200;
const FILLS = byForm(60, 200);
const CHANGES = byForm(24, 60);
/**
 * Numbers of orders for which the buyer has funds, one test for each. The short form runs two of the four; a seed that
 * is derived from the commit determines which.
 */
const AFFORDABLE = [1, 37, 120, 199].filter((_, turn) => isSelectedByCommit(turn % 2, 2));

const MAINTENANCE = -15;

/** Repeats a request that is refused for maintenance: on a slow machine a commit can time out without effect. */
async function repeatUntilAnswered<Answer extends { readonly code: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.code !== MAINTENANCE) return answer;
    await sleep(50);
  }
}

describe('spot races', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it.each(AFFORDABLE)(
    'SPOT-080 of 200 parallel orders on a balance for %i orders exactly that number is accepted',
    async (affordable) => {
      // An order costs 10 USDT, so what the affordable orders leave, 9.99 or 0 USDT, is too small for one more.
      const spare = affordable % 2 === 0 ? '9.99' : '0';
      const buyer = await exchange.aUser({ USDT: String(affordable * 10 + Number(spare)) });
      const seller = await exchange.aUser({ BTC: (affordable * 0.0002).toFixed(4) });
      const orders = Array.from({ length: PARALLEL }, (_, n) => [
        repeatUntilAnswered(() =>
          buyer.call(wire.createOrder, limit('buy', '50000', '0.0002', { clientId: `b${n}` })),
        ),
        repeatUntilAnswered(() =>
          seller.call(wire.createOrder, limit('sell', '59000', '0.0002', { clientId: `s${n}` })),
        ),
      ]).flat();
      const answers = await Promise.all(orders);
      const codes = (place: number) => answers.filter((_, n) => n % 2 === place).map(({ code }) => code);
      for (const place of [0, 1]) {
        expect(codes(place).filter((code) => code === 1).length).toBe(affordable);
        expect(codes(place).filter((code) => code === -6).length).toBe(PARALLEL - affordable);
      }
      const left = affordable % 2 === 0 ? '9.99' : '0';
      expect(await balanceText(buyer, 'USDT')).toBe(`${left} + ${affordable * 10}`);
      expect(await balanceText(seller, 'BTC')).toMatch(/^0 \+ /);
      const { totalRow } = await buyer.request(wire.orderRecords, { entryStatus: '0' });
      expect(totalRow).toBe(affordable);
      await Promise.all([buyer.request(wire.cancelAllOrders), seller.request(wire.cancelAllOrders)]);
    },
  );

  it('SPOT-081 of a concurrent cancel and fill exactly one wins, in every round', async () => {
    const random = seededRandom(8);
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '100000' })];
    let cancelled = 0;
    for (let round = 0; round < FILLS; round += 1) {
      const { id } = await place(maker, limit('sell', '50000', '0.001'));
      const cancel = () => repeatUntilAnswered(() => maker.call(wire.cancelOrder, { id }));
      const take = () =>
        repeatUntilAnswered(() => taker.call(wire.createOrder, market('buy', { amount: '0.001' })));
      const isCancelFirst = random.chance(0.5);
      const [earlier, later] = isCancelFirst ? [cancel(), take()] : [take(), cancel()];
      const [first, second] = await Promise.all([earlier, later]);
      const [cancelling, taking] = isCancelFirst ? [first, second] : [second, first];
      const { status } = await detail(maker, { id });
      const outcome = { status, cancel: cancelling.errKey ?? 'done', fill: taking.errKey ?? 'done' };
      const isCancelled = cancelling.code === 1;
      expect(outcome).toEqual(
        isCancelled
          ? { status: 3, cancel: 'done', fill: 'l.no_liquidity' }
          : { status: 2, cancel: 'l.order_not_open', fill: 'done' },
      );
      if (isCancelled) cancelled += 1;
    }
    // Cancellations and fills must both occur; otherwise the requests were not concurrent.
    expect(cancelled).toBeGreaterThan(5);
    expect(cancelled).toBeLessThan(FILLS - 5);
    const sold = ((FILLS - cancelled) * 0.001).toFixed(3);
    expect(Number((await balanceText(maker, 'BTC')).split(' ')[0])).toBeCloseTo(1 - Number(sold), 9);
  });

  it('SPOT-301 of a concurrent fill and change of its exits both answers agree with the placed exits, in every round', async () => {
    const random = seededRandom(9);
    const [buyer, seller] = [await exchange.aUser({ USDT: '100000' }), await exchange.aUser({ BTC: '1' })];
    let changed = 0;
    for (let round = 0; round < CHANGES; round += 1) {
      const exits = { takeProfitPrice: '52000' };
      const { id } = await place(buyer, limit('buy', '50000', '0.001', exits));
      const amend = () =>
        repeatUntilAnswered(() => buyer.call(wire.amendOrder, { id, takeProfitPrice: '53000' }));
      const fill = () =>
        repeatUntilAnswered(() => seller.call(wire.createOrder, limit('sell', '50000', '0.001')));
      const isAmendFirst = random.chance(0.5);
      const [earlier, later] = isAmendFirst ? [amend(), fill()] : [fill(), amend()];
      const answers = await Promise.all([earlier, later]);
      const amending = answers[isAmendFirst ? 0 : 1];
      const isChanged = amending.code === 1;
      if (isChanged) changed += 1;
      expect(amending.errKey).toBe(isChanged ? undefined : 'l.order_not_open');
      const takeProfitPrice = isChanged ? '53000.00' : '52000.00';
      const entry = await eventually(async () => {
        const found = await detail(buyer, { id });
        expect(found).toMatchObject({ exitStatus: 'placed', takeProfitPrice });
        return found;
      });
      expect(entry.amendments).toHaveLength(isChanged ? 1 : 0);
      const { list } = await buyer.request(wire.orderRecords, { entryStatus: '0' });
      expect(list.map(({ entryId, price }) => ({ entryId, price }))).toEqual([
        { entryId: id, price: takeProfitPrice },
      ]);
      await buyer.request(wire.cancelAllOrders);
    }
    expect(changed).toBeGreaterThan(3);
    expect(changed).toBeLessThan(CHANGES - 3);
  });

  it('SPOT-082 of 50 parallel cancels of one order exactly one succeeds, and the funds come back once', async () => {
    const trader = await exchange.aUser({ USDT: '500' });
    const { id } = await place(trader, limit('buy', '50000', '0.01'));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => trader.call(wire.cancelOrder, { id })),
    );
    expect(answers.filter(({ code }) => code === 1).length).toBe(1);
    expect(await balanceText(trader, 'USDT')).toBe('500 + 0');
  });
});
