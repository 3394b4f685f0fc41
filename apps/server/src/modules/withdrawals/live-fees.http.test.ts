import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { depositNetworks, networkFees } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import {
  sendWithdrawalCode,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalQuote,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { ChannelUnavailable } from '../chains/channel.ts';
import { createSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const ROUTE = { currency: 'USDT', network: 'TRC20' };
const PLACE = { ...ROUTE, amount: '40', address: TRON };
const NETWORK = '/ops/networks/all/trc20';

describe('withdrawal fees that follow the network', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const fees = () => exchange.doors.treasury.withdrawalFees;
  /**
   * Runs one refresh of the fees in which a USDT payment on TRC20 costs `cost` in `coin`. If `cost` is an error,
   * reading the cost fails with it.
   */
  const readCost = async (cost: string | Error, coin = 'USDT') => {
    const { chains } = exchange.doors.chains;
    const spies = [
      vi
        .spyOn(chains, 'sending')
        .mockImplementation((asset, network) => (asset === 'USDT' && network === 'TRC20' ? 'tron' : 'none')),
      vi.spyOn(chains, 'paymentCosts').mockImplementation(() => {
        if (typeof cost !== 'string') return Promise.reject(cost);
        return Promise.resolve(new Map([['USDT', { coin, amount: Decimal.parse(cost) }]]));
      }),
    ];
    await fees().refresh();
    for (const spy of spies) spy.mockRestore();
  };
  const shown = async (trader: TestTrader) => {
    const { fee, feeLive } = await trader.request(withdrawalConfig, ROUTE);
    const { list } = await trader.request(depositNetworks, { currency: 'USDT' });
    const card = list.find(({ network }) => network === 'TRC20')!;
    const publicFee = (await exchange.call(networkFees)).data.list.find(
      ({ currency, network }) => currency === 'USDT' && network === 'TRC20',
    )!;
    expect([card.withdrawFee, publicFee.withdrawFee]).toEqual([fee, fee]);
    expect([card.withdrawFeeLive, publicFee.withdrawFeeLive]).toEqual([feeLive, feeLive]);
    return [fee, feeLive];
  };
  const proofs = async (trader: TestTrader) => {
    await exchange.advanceTime(61 * SECOND_MS);
    await trader.request(sendWithdrawalCode, PLACE);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    return { assetsPwd: TRADE_PASSWORD, code: list[0]!.code! };
  };
  const balances = async (trader: TestTrader) => {
    const [row] = (await trader.request(spotAssets, { currency: 'USDT' })).list;
    return [row!.availableCurrency, row!.frozenCurrency];
  };

  it('WDR-1207 forms, lists and quotes show the live fee, and that of the table when node or price have been missing for five minutes', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    expect(await shown(trader)).toEqual(['1', 0]);
    await readCost('2');
    expect(await shown(trader)).toEqual(['2.4', 1]);
    expect(await trader.request(withdrawalQuote, PLACE)).toMatchObject({ fee: '2.4', realAmount: '37.6' });
    // A cost in another coin, in which the network takes fees, is converted at the index prices.
    await exchange.setPrice('ltcusdt', '80');
    await readCost('0.04', 'LTC');
    expect(await shown(trader)).toEqual(['3.9', 1]);
    await readCost(new ChannelUnavailable('the node is away'));
    expect(await shown(trader)).toEqual(['3.9', 1]);
    await exchange.advanceTime(4 * MINUTE_MS);
    await readCost('9', 'NOPRICE');
    expect(await shown(trader)).toEqual(['3.9', 1]);
    await exchange.advanceTime(MINUTE_MS + SECOND_MS);
    expect(await shown(trader)).toEqual(['1', 0]);
    await readCost('1000');
    expect(await shown(trader)).toEqual(['5', 1]);
  });

  it('WDR-1208 a fee that rose after it was shown is refused with the new fee and holds nothing; a repetition gets the first answer whatever the fee is then', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    await readCost('2');
    const { fee } = await trader.request(withdrawalQuote, PLACE);
    expect(fee).toBe('2.4');
    const submission = { ...PLACE, ...(await proofs(trader)) };
    await readCost('3');
    expect(await trader.call(submitWithdrawal, { ...submission, fee, clientId: 'seen' })).toMatchObject({
      errKey: 'l.withdraw_fee_changed',
      data: { limit: '3.6', value: '2.4', unit: 'USDT' },
    });
    expect(await balances(trader)).toEqual(['100', '0']);
    const first = await trader.request(submitWithdrawal, { ...submission, fee: '3.6', clientId: 'seen' });
    expect(first).toMatchObject({ fee: '3.6', realAmount: '36.4' });
    await readCost('4');
    const again = await trader.request(submitWithdrawal, { ...submission, fee: '3.6', clientId: 'seen' });
    expect(again).toMatchObject({ id: first.id, fee: '3.6', realAmount: '36.4' });
    expect((await trader.request(withdrawalRecords)).list).toHaveLength(1);
    expect(await balances(trader)).toEqual(['60', '40']);
  });

  it('WDR-1208 a fee that fell after it was shown is charged lower, and the payment carries the rest', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    await readCost('4');
    const { fee } = await trader.request(withdrawalQuote, PLACE);
    const submission = { ...PLACE, ...(await proofs(trader)), fee };
    await readCost('1');
    const { id, ...charged } = await trader.request(submitWithdrawal, submission);
    expect([fee, charged.fee, charged.realAmount]).toEqual(['4.8', '1.2', '38.8']);
    await readCost('4');
    await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    await exchange.doors.withdrawals.jobs.advance();
    const { rows } = await exchange.database.pool.query<{ amount: string }>(
      'select amount::text from chain_transfer where origin = $1',
      [`withdrawal ${id}`],
    );
    expect(rows.map(({ amount }) => Decimal.parse(amount).toString())).toEqual(['38.8']);
  });

  it('WDR-1207 operators see source, bounds and cost, and can charge the table’s fees, across a restart', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    await readCost('2');
    const feeRows = async () => {
      const answer = await operateAs(exchange, 'owner', `${NETWORK}/fees`);
      return ((await answer.json()) as { fees: Record<string, unknown>[] }).fees;
    };
    const source = async () => {
      const answer = await operateAs(exchange, 'owner', '/ops/networks/all');
      const { networks } = (await answer.json()) as { networks: Record<string, unknown>[] };
      return networks.find(({ network }) => network === 'TRC20')!['feeSource'];
    };
    expect(await feeRows()).toMatchObject([
      { asset: 'USDT', fee: '2.4', source: 'live', tableFee: '1', least: '0.25', most: '5', cost: '2' },
    ]);
    const reason = { reason: 'the node reports nonsense' };
    expect((await operate(exchange, `${NETWORK}/fix-fees`, reason)).status).toBe(200);
    expect((await operate(exchange, `${NETWORK}/fix-fees`, reason)).status).toBe(200);
    expect((await operate(exchange, '/ops/networks/all/moon/fix-fees', reason)).ok).toBe(false);
    expect([await shown(trader), await source()]).toEqual([['1', 0], 'fixed']);
    await exchange.restart();
    await readCost('2');
    expect([await shown(trader), await source()]).toEqual([['1', 0], 'fixed']);
    expect(await feeRows()).toMatchObject([{ fee: '1', source: 'table', cost: '2' }]);
    expect((await operate(exchange, `${NETWORK}/follow-fees`, reason)).status).toBe(200);
    expect(await shown(trader)).toEqual(['2.4', 1]);
    const { rows } = await exchange.database.pool.query(
      'select network, reason, end_reason from network_table_fees',
    );
    expect(rows).toEqual([{ network: 'TRC20', reason: reason.reason, end_reason: reason.reason }]);
  });
});
