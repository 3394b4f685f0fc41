import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { HOUR_MS, DAY_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import {
  depositAddress,
  depositCoins,
  depositNetworks,
  depositRecords,
  networkFees,
  sendTestDeposit,
} from '@exchange/wire/deposit.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { tradeRecords } from '@exchange/wire/portfolio.ts';
import { createOrder, spotAssets, spotMovements } from '@exchange/wire/spot.ts';
import type { Endpoint, FieldsSent } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import {
  addAddress,
  addressList,
  cancelWithdrawal,
  removeAddress,
  setWhitelist,
  sendWithdrawalCode,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalDetail,
  withdrawalQuote,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { knowAddress } from '../../../testing/known-address.ts';
import { DEMO_BLOCK_MS } from '../chains/domain.ts';
import { aSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
import { limit } from '../spot/testing/orders.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const OTHER = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
const BLOCKS = 2 * MINUTE_MS;

describe('deposits and withdrawals', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  type Place = FieldsSent<typeof sendWithdrawalCode>;
  /** The code of one withdrawal, or without one, of a change of the address book. */
  const mailed = async ({ email, token }: TestTrader, place?: Place, act = '/address/add', about = '') => {
    await exchange.pass(61 * SECOND_MS);
    const asked =
      place === undefined
        ? await exchange.call(sendEmailCode, { email, type: CODE_TYPES.address, act, about }, { token })
        : await exchange.call(sendWithdrawalCode, place, { token });
    expect(asked.code, asked.text).toBe(1);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    return ((await mail.json()) as { list: readonly { code?: string }[] }).list[0]!.code!;
  };
  const proofs = async (of: TestTrader, place: Place) => ({
    assetsPwd: TRADE_PASSWORD,
    code: await mailed(of, place),
  });
  /** Proofs for a change of the address book with these fields. */
  const bookProofs = async (of: TestTrader, act: Endpoint, fields: Readonly<Record<string, string>>) => ({
    assetsPwd: TRADE_PASSWORD,
    code: await mailed(of, undefined, act.path, new URLSearchParams(fields).toString()),
  });
  const request = async (of: TestTrader, amount: string, address = TRON) => {
    const place = { currency: 'USDT', network: 'TRC20', amount, address };
    return { ...place, ...(await proofs(of, place)) };
  };
  const coins = async (of: TestTrader, currency = 'USDT') => {
    const { availableCurrency, frozenCurrency } = (await of.ask(spotAssets, { currency })).list[0]!;
    return [availableCurrency, frozenCurrency];
  };
  const keep = async (of: TestTrader, address = TRON) =>
    of.ask(addAddress, {
      currency: 'USDT',
      network: 'TRC20',
      address,
      remark: 'TRC20',
      ...(await bookProofs(of, addAddress, { currency: 'USDT', network: 'TRC20', address })),
    });
  const watch = () => exchange.doors.deposits.jobs.watch();
  const move = async (times = 4) => {
    for (let n = 0; n < times; n += 1) await exchange.doors.withdrawals.jobs.move();
  };
  const decide = exchangeDecides(() => exchange);

  it('SEC-014 the code of a withdrawal names its amount and address and is good for no other', async () => {
    const of = await aSaver(exchange, { USDT: '300' });
    const place = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON };
    const code = await mailed(of, place);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${of.email}`);
    const { list } = (await mail.json()) as { list: readonly { text: string }[] };
    expect(list[0]!.text).toContain(`a withdrawal of 20 USDT on TRC20 to ${TRON}`);
    const proof = { assetsPwd: TRADE_PASSWORD, code };
    const other = { code: -5, errKey: 'l.code_other_deed', data: { field: 'code' } };
    expect(await of.call(submitWithdrawal, { ...place, amount: '200', ...proof })).toMatchObject(other);
    expect(await of.call(submitWithdrawal, { ...place, network: 'ERC20', ...proof })).toMatchObject(other);
    // The same number however it is spelled.
    expect((await of.call(submitWithdrawal, { ...place, amount: '20.00', ...proof })).code).toBe(1);
    const booked = await bookProofs(of, addAddress, place);
    expect(await of.call(submitWithdrawal, { ...place, ...booked })).toMatchObject(other);
  });

  it('HELP-016 remarks that a demo wrote are read in the language of its trader, the same words of others as they are', async () => {
    const [trader, other] = [await aSaver(exchange, { USDT: '300' }), await exchange.aUser()];
    const remark = 'From MetaMask';
    exchange.doors.demoTexts.begin(trader.id);
    for (const of of [trader, other]) {
      await of.ask(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20', remark });
      await watch();
      const headers = { 'x-lang': 'zh-CN' };
      const { list } = (await of.call(depositRecords, {}, { headers })).data;
      expect(list[0]!.remark).toBe(of === trader ? '从 MetaMask 转入' : remark);
    }
    await trader.ask(addAddress, {
      currency: 'USDT',
      network: 'TRC20',
      address: TRON,
      remark: 'Cold wallet',
      ...(await bookProofs(trader, addAddress, { currency: 'USDT', network: 'TRC20', address: TRON })),
    });
    for (const [locale, read] of [
      ['ko-KR', '콜드월렛'],
      ['en-US', 'Cold wallet'],
    ] as const) {
      const { list } = (await trader.call(addressList, {}, { headers: { 'x-lang': locale } })).data;
      expect(list[0]!.remark).toBe(read);
    }
  });

  it('DEP-001 DEP-002 an address is the same at every call and another for everybody; memos tell people apart', async () => {
    const [one, other] = [await exchange.aUser(), await exchange.aUser()];
    const tron = { currency: 'USDT', network: 'TRC20' };
    const [first, again, foreign] = [
      await one.ask(depositAddress, tron),
      await one.ask(depositAddress, tron),
      await other.ask(depositAddress, tron),
    ];
    expect(again).toEqual(first);
    expect(foreign.address).not.toBe(first.address);
    const xrp = { currency: 'XRP', network: 'XRP' };
    const [mine, theirs] = [await one.ask(depositAddress, xrp), await other.ask(depositAddress, xrp)];
    expect(mine.address).toBe(theirs.address);
    expect(mine.memo).not.toBe(theirs.memo);
    const { list } = await one.ask(depositNetworks, { currency: 'USDT' });
    expect(list.map(({ network, confirmations }) => [network, confirmations])).toEqual([
      ['TRC20', 20],
      ['ERC20', 12],
      ['BEP20', 15],
    ]);
    const wrong = await one.call(depositAddress, { currency: 'BTC', network: 'TRC20' });
    expect(wrong).toMatchObject({ errKey: 'l.field_choice', data: { field: 'network', value: 'TRC20' } });
  });

  it('DEP-003 DEP-005 DEP-006 a deposit confirms block by block and is credited once', async () => {
    const of = await exchange.aUser();
    // Blocks come by the clock: however slow the machine is, none comes but those that the test lets come.
    const goOn = exchange.clock.stand();
    const sent = { currency: 'USDT', network: 'ERC20', amount: '25.5', clientId: 'mine' };
    const [first, again] = [await of.ask(sendTestDeposit, sent), await of.ask(sendTestDeposit, sent)];
    expect(again).toEqual(first);
    await Promise.all([watch(), watch()]);
    const row = async () => (await of.ask(depositRecords)).list;
    expect(await row()).toMatchObject([
      { txid: first.txid, confirm: 0, needConfirm: 12, status: 0, realAmount: '0' },
    ]);
    await exchange.pass(5 * DEMO_BLOCK_MS);
    await watch();
    expect((await row())[0]!.confirm).toBe(5);
    expect(await coins(of)).toEqual(['0', '0']);
    goOn();
    await exchange.pass(BLOCKS);
    await exchange.restart();
    for (let n = 0; n < 3; n += 1) await watch();
    expect(await row()).toMatchObject([{ confirm: 12, status: 1, realAmount: '25.5' }]);
    expect(await coins(of)).toEqual(['25.5', '0']);
    const { list } = await of.ask(messagePage);
    expect(list.filter(({ title }) => title.startsWith('Deposit credited'))).toHaveLength(1);
  });

  it('DEP-004 less than the least waits, and is credited with what makes it enough', async () => {
    const of = await exchange.aUser();
    const send = (amount: string) => of.ask(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount });
    await send('4');
    await watch();
    await exchange.pass(BLOCKS);
    await watch();
    const [small] = (await of.ask(depositRecords)).list;
    expect(small).toMatchObject({ status: 0, belowMinimum: 1, minAmount: '10' });
    await send('6');
    await watch();
    await exchange.pass(BLOCKS);
    await watch();
    expect(await coins(of)).toEqual(['10', '0']);
    expect((await of.ask(depositRecords)).list.map(({ status }) => status)).toEqual([1, 1]);
  });

  it('WDR-001 WDR-002 WDR-008 every limit is refused by its name, and nothing is held', async () => {
    const of = await aSaver(exchange, { USDT: '50' });
    // The trade password is new, which holds withdrawals.
    await exchange.pass(DAY_MS + HOUR_MS);
    const refused = async ({ remark, ...fields }: Partial<Place> & { remark?: string }) => {
      // Many codes within an hour come ten minutes apart.
      await exchange.pass(600 * SECOND_MS);
      const place = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON, ...fields };
      const asked = { ...place, ...(await proofs(of, place)), ...(remark === undefined ? {} : { remark }) };
      const { errKey, data } = await of.call(submitWithdrawal, asked);
      return { errKey, ...(data as object) };
    };
    expect(await refused({ amount: '9.9' })).toMatchObject({
      errKey: 'l.amount_min',
      limit: '10',
      value: '9.9',
    });
    expect(await refused({ amount: '50.1' })).toMatchObject({
      errKey: 'l.insufficient_balance',
      limit: '50',
    });
    expect(await refused({ amount: '10.1234567' })).toMatchObject({
      errKey: 'l.amount_decimals',
      limit: '6',
    });
    expect(await refused({ address: `${TRON.slice(0, -1)}u` })).toMatchObject({
      errKey: 'l.address_invalid',
    });
    expect(await refused({ memo: '12' })).toMatchObject({ errKey: 'l.memo_unexpected' });
    expect(await refused({ remark: 'to ERC-20' })).toMatchObject({
      errKey: 'l.address_remark',
      limit: 'TRC20',
    });
    const nowhere = { currency: 'USDT', network: 'TRC20', amount: '20' };
    expect(await of.call(sendWithdrawalCode, nowhere)).toMatchObject({ errKey: 'l.address_required' });
    await exchange.database.pool.query('update user_account set hold_until = $2 where id = $1', [
      of.id,
      exchange.clock.now() + HOUR_MS,
    ]);
    expect(await refused({})).toMatchObject({ errKey: 'l.withdraw_hold' });
    expect(await coins(of)).toEqual(['50', '0']);
  });

  it('DEP-1020 anybody reads what every network costs, as deposits and withdrawals are charged', async () => {
    const { list } = (await exchange.call(networkFees)).data;
    const coinsOnOffer = (await exchange.call(depositCoins)).data.list;
    expect(list.map(({ currency, network }) => `${currency} ${network}`)).toEqual(
      coinsOnOffer.flatMap(({ currency, networks }) => networks.map((network) => `${currency} ${network}`)),
    );
    const usdt = list.find(({ currency, network }) => currency === 'USDT' && network === 'TRC20')!;
    const channels = (await exchange.call(depositNetworks, { currency: 'USDT' })).data.list;
    expect(channels.find(({ network }) => network === 'TRC20')).toMatchObject({
      minAmount: usdt.minDeposit,
      fee: usdt.depositFee,
      confirmations: usdt.confirmations,
    });
    const user = await exchange.aUser();
    const config = await user.ask(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect([config.fee, config.min, config.max]).toEqual([
      usdt.withdrawFee,
      usdt.minWithdrawal,
      usdt.maxWithdrawal,
    ]);
  });

  it('WEB-926 a quote has the figures of the withdrawal that follows, holds nothing, and is refused where that would be', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const place = { currency: 'USDT', network: 'TRC20', amount: '40', address: TRON };
    const quote = (other: Partial<typeof place> & { addressId?: string } = {}) =>
      of.call(withdrawalQuote, { ...place, ...other });
    const quoted = (await quote()).data;
    expect(quoted).toMatchObject({
      currency: 'USDT',
      network: 'TRC20',
      address: TRON,
      amount: '40',
      fee: '1',
      realAmount: '39',
      dayUsed: '0',
      reviewed: 1,
    });
    const { list } = await of.ask(depositNetworks, { currency: 'USDT' });
    expect(list.find(({ network }) => network === 'TRC20')?.withdrawFee).toBe(quoted.fee);
    // A new address: it leaves a day later, and the promise counts from then.
    expect(quoted.addressTime! - exchange.clock.now()).toBeGreaterThan(DAY_MS - MINUTE_MS);
    expect(quoted.promiseTime - quoted.addressTime!).toBe(DAY_MS);
    expect(await coins(of)).toEqual(['100', '0']);
    const refusals = [
      await quote({ amount: '9' }),
      await quote({ amount: '101' }),
      await quote({ address: TRON.toLowerCase() }),
      await quote({ network: 'NONE' }),
      await quote({ addressId: randomUUID() }),
    ];
    expect(refusals.map(({ errKey }) => errKey)).toEqual([
      'l.amount_min',
      'l.insufficient_balance',
      'l.address_invalid',
      'l.field_choice',
      'l.address_required',
    ]);
    const sent = await of.ask(submitWithdrawal, { ...place, fee: quoted.fee, ...(await proofs(of, place)) });
    expect(sent).toMatchObject({ fee: quoted.fee, realAmount: quoted.realAmount });
    expect(sent.promiseTime - sent.addressTime!).toBe(DAY_MS);
    expect((await quote({ amount: '50' })).data.dayUsed).toBe(quoted.value);
    const stranger = await exchange.aUser();
    expect((await stranger.call(withdrawalQuote, place)).code).toBe(-3);
  });

  it('WEB-927 a submission with another fee than is in force is refused by both figures, holds nothing and leaves its code good', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const asked = await request(of, '40');
    expect(await of.call(submitWithdrawal, { ...asked, fee: '0.5', clientId: 'first' })).toMatchObject({
      errKey: 'l.withdraw_fee_changed',
      data: { limit: '1', value: '0.5', unit: 'USDT' },
    });
    expect(await coins(of)).toEqual(['100', '0']);
    expect(await of.call(submitWithdrawal, { ...asked, fee: '-1', clientId: 'wrong' })).toMatchObject({
      errKey: 'l.field_number',
    });
    expect(await of.ask(submitWithdrawal, { ...asked, fee: '1.00', clientId: 'second' })).toMatchObject({
      fee: '1',
    });
    expect(await coins(of)).toEqual(['60', '40']);
  });

  it('WDR-004 WDR-007 WDR-009 WDR-011 ADDR-003 ADDR-005 to a kept address it goes out by itself, is sent once and takes the fee', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const kept = await keep(of);
    expect(await of.call(submitWithdrawal, await request(of, '40'))).toMatchObject({
      errKey: 'l.address_waits',
    });
    const twice = { currency: 'USDT', network: 'TRC20', address: TRON };
    expect(
      await of.call(addAddress, { ...twice, ...(await bookProofs(of, addAddress, twice)) }),
    ).toMatchObject({
      errKey: 'l.address_duplicate',
    });
    await exchange.pass(DAY_MS + HOUR_MS);
    const place = { currency: 'USDT', network: 'TRC20', amount: '40', addressId: kept.id };
    const asked = { ...place, ...(await proofs(of, place)), clientId: 'out' };
    const [first, again] = [await of.ask(submitWithdrawal, asked), await of.ask(submitWithdrawal, asked)];
    expect(again.id).toBe(first.id);
    expect(first).toMatchObject({ status: 0, realAmount: '39', fee: '1' });
    expect(first.promiseTime - first.createTime).toBe(DAY_MS);
    expect((await of.ask(addressList)).list).toMatchObject([{ id: kept.id, lastTime: first.createTime }]);
    expect(await coins(of)).toEqual(['60', '40']);
    await exchange.pass(11 * SECOND_MS);
    await move();
    const processing = await of.ask(withdrawalDetail, { id: first.id });
    expect(processing).toMatchObject({ status: 3, needConfirm: 20 });
    expect(await of.call(cancelWithdrawal, { id: first.id })).toMatchObject({
      errKey: 'l.withdraw_not_pending',
    });
    await exchange.restart();
    await exchange.pass(BLOCKS);
    await move();
    expect(await of.ask(withdrawalDetail, { id: first.id })).toMatchObject({
      status: 1,
      txid: processing.txid,
    });
    expect(await coins(of)).toEqual(['60', '0']);
    const { rows } = await exchange.database.pool.query(
      'select amount::float8 as amount from chain_transfer where address = $1',
      [TRON],
    );
    expect(rows).toEqual([{ amount: 39 }]);
    const { withdrawals, list } = await of.ask(withdrawalStats);
    expect(list).toMatchObject([{ currency: 'USDT', network: 'TRC20', finished: 1, late: 0 }]);
    expect(list[0]!.medianSeconds).toBe(withdrawals.slowestSeconds);
    expect(withdrawals).toMatchObject({ finished: 1, late: 0 });
    expect(withdrawals.medianSeconds).toBeGreaterThan(60);
  });

  it('WDR-620 of a halted coin nothing is proposed and the journal stays as it is; it goes on when the halt is lifted', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const { id: addressId } = await keep(of, OTHER);
    await exchange.pass(DAY_MS + HOUR_MS);
    const place = { currency: 'USDT', network: 'TRC20', amount: '30', addressId };
    const { id } = await of.ask(submitWithdrawal, { ...place, ...(await proofs(of, place)) });
    await exchange.doors.halting.halt('USDT', { by: 'test', reason: 'looking at it' });
    await exchange.pass(11 * SECOND_MS);
    const sequence = async () =>
      (await exchange.database.pool.query('select sequence::text from writer')).rows as unknown[];
    const before = await sequence();
    await move();
    expect(await sequence()).toEqual(before);
    expect(await of.ask(withdrawalDetail, { id })).toMatchObject({ status: 0 });
    await exchange.doors.halting.lift('USDT', { by: 'test', reason: 'all is well' });
    await move();
    expect(await of.ask(withdrawalDetail, { id })).toMatchObject({ status: 3 });
  });

  it('WDR-005 a cancelled withdrawal comes back once; races of cancelling and approving have one winner', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    await exchange.pass(DAY_MS + HOUR_MS);
    await knowAddress(exchange, of.id, 'USDT', 'TRC20', TRON);
    const { id } = await of.ask(submitWithdrawal, await request(of, '30'));
    const approving = decide(id, 'approve').catch(() => undefined);
    const answers = await Promise.all(Array.from({ length: 4 }, () => of.call(cancelWithdrawal, { id })));
    await approving;
    const { status } = await of.ask(withdrawalDetail, { id });
    expect(answers.every(({ code }) => (code === 1) === (status === 5))).toBe(true);
    expect(await coins(of)).toEqual(status === 5 ? ['100', '0'] : ['70', '30']);
  });

  it('WDR-006 an operator rejects for a listed reason, and a large sum needs two', async () => {
    const of = await aSaver(exchange, { USDT: '15000' });
    await exchange.pass(DAY_MS + HOUR_MS);
    await knowAddress(exchange, of.id, 'USDT', 'TRC20', TRON);
    const small = await of.ask(submitWithdrawal, await request(of, '30'));
    await exchange.pass(MINUTE_MS);
    await move();
    expect((await of.ask(withdrawalDetail, { id: small.id })).status).toBe(0);
    await decide(small.id, 'duplicate');
    expect(await of.ask(withdrawalDetail, { id: small.id })).toMatchObject({
      status: 2,
      reason: 'duplicate',
    });
    expect(await coins(of)).toEqual(['15000', '0']);
    const large = await of.ask(submitWithdrawal, await request(of, '12000'));
    await expect(decide(large.id, 'approve')).rejects.toThrow('l.withdraw_second_person');
    await decide(large.id, 'approve', 2);
    expect((await of.ask(withdrawalDetail, { id: large.id })).status).toBe(3);
  });

  it('WDR-003 of parallel requests no more than the limit of a day and the balance is held', async () => {
    const of = await aSaver(exchange, { USDT: '60000' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const { withdrawals } = exchange.doors.withdrawals;
    const asked = { asset: 'USDT', network: 'TRC20', amount: Decimal.parse('8000'), address: OTHER };
    const none = { addressId: undefined, memo: undefined, remark: undefined };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, () => withdrawals.submit(of.id, { ...asked, ...none })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await coins(of)).toEqual(['12000', '48000']);
    const config = await of.ask(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect(config).toMatchObject({ dayLimit: '50000', dayUsed: '48000' });
    const { list } = await of.ask(withdrawalRecords);
    for (const { id } of list) await of.ask(cancelWithdrawal, { id });
    expect((await of.ask(withdrawalConfig, { currency: 'USDT', network: 'TRC20' })).dayUsed).toBe('0');
  });

  it('WDR-013 limits are measured by the index, and never by what was dealt at here', async () => {
    const of = await aSaver(exchange, { BTC: '5' });
    const friend = await aSaver(exchange, { USDT: '1000' });
    await friend.ask(createOrder, limit('buy', '41000', '0.001'));
    await of.ask(createOrder, limit('sell', '41000', '0.001'));
    const { withdrawals } = exchange.doors.withdrawals;
    const amount = Decimal.parse('0.5');
    const asked = { asset: 'BTC', network: 'BTC', amount, address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
    const ask = () =>
      withdrawals.submit(of.id, { ...asked, addressId: undefined, memo: undefined, remark: undefined });
    exchange.prices.isSilent = true;
    exchange.clock.shift(MINUTE_MS);
    expect(exchange.doors.market.usdtPrice('BTC')?.toString()).toBe('41000');
    await expect(ask()).rejects.toThrow('l.no_index');
    const config = await of.ask(withdrawalConfig, { currency: 'BTC', network: 'BTC' });
    expect(config.price).toBeUndefined();
    exchange.prices.isSilent = false;
    await exchange.pass(SECOND_MS);
    expect((await ask()).value.toString()).toBe('25000');
  });

  it('SEC-862 SEC-863 a code of the address book is for one address or one switch, and its mail names it', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    const place = { currency: 'USDT', network: 'TRC20', address: TRON };
    const given = await bookProofs(of, addAddress, place);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${of.email}`);
    const { list } = (await mail.json()) as { list: readonly { text: string }[] };
    expect(list[0]!.text).toContain(`adding the USDT address ${TRON} on TRC20 to your address book`);
    const other = { code: -5, errKey: 'l.code_other_deed' };
    expect(await of.call(addAddress, { ...place, address: OTHER, ...given })).toMatchObject(other);
    expect(await of.call(setWhitelist, { on: '1', ...given })).toMatchObject(other);
    expect((await of.call(addAddress, { ...place, ...given })).code).toBe(1);
    const on = await bookProofs(of, setWhitelist, { on: '1' });
    expect(await of.call(setWhitelist, { on: '0', ...on })).toMatchObject(other);
    expect((await of.call(setWhitelist, { on: '1', ...on })).code).toBe(1);
  });

  it('ADDR-940 SEC-941 an address is removed with a code mailed for it alone, and the mail names it with its label', async () => {
    const trader = await aSaver(exchange, { USDT: '100' });
    const { withdrawals } = exchange.doors.withdrawals;
    const tron = { asset: 'USDT', network: 'TRC20', memo: undefined } as const;
    const labelled = await withdrawals.addAddress(trader.id, {
      ...tron,
      address: TRON,
      remark: 'Cold wallet',
    });
    const plain = await withdrawals.addAddress(trader.id, { ...tron, address: OTHER, remark: undefined });
    const remaining = async () => (await trader.ask(addressList)).list.map(({ id }) => id);
    const { id } = labelled;
    expect(await trader.call(removeAddress, { id, assetsPwd: TRADE_PASSWORD })).toMatchObject({
      code: -5,
      errKey: 'l.enter_code',
    });
    const proof = await bookProofs(trader, removeAddress, { id });
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { text: string }[] };
    expect(list[0]!.text).toContain(
      `removing the USDT address ${TRON} on TRC20 (label: Cold wallet) from your address book`,
    );
    const wrong = { code: -5, errKey: 'l.code_other_deed' };
    expect(await trader.call(removeAddress, { id: plain.id, ...proof })).toMatchObject(wrong);
    expect(await remaining()).toEqual([plain.id, id]);
    const sent = { id, ...proof, clientId: 'remove-1' };
    expect((await trader.call(removeAddress, sent)).code).toBe(1);
    expect((await trader.call(removeAddress, sent)).code).toBe(1);
    expect(await remaining()).toEqual([plain.id]);
  });

  it('SEC-941 no code is mailed for an address that the caller does not have', async () => {
    const owner = await aSaver(exchange, {});
    const stranger = await aSaver(exchange, {});
    const { id } = await exchange.doors.withdrawals.withdrawals.addAddress(owner.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      memo: undefined,
      remark: undefined,
    });
    for (const unknown of [id, randomUUID()])
      expect(
        await stranger.call(sendEmailCode, {
          email: stranger.email,
          type: CODE_TYPES.address,
          act: removeAddress.path,
          about: `id=${unknown}`,
        }),
      ).toMatchObject({ errKey: 'l.not_found' });
  });

  it('ADDR-002 ADDR-004 the whitelist holds at once and ends a day after it is turned off', async () => {
    const of = await aSaver(exchange, { USDT: '100' });
    await keep(of);
    const wrong = { currency: 'USDT', network: 'TRC20', address: OTHER, remark: 'BEP20 wallet' };
    expect(
      await of.call(addAddress, {
        ...wrong,
        ...(await bookProofs(of, addAddress, { currency: 'USDT', network: 'TRC20', address: OTHER })),
      }),
    ).toMatchObject({
      errKey: 'l.address_remark',
    });
    await of.ask(setWhitelist, { on: '1', ...(await bookProofs(of, setWhitelist, { on: '1' })) });
    await exchange.pass(DAY_MS + HOUR_MS);
    const stranger = async () => of.call(submitWithdrawal, await request(of, '20', OTHER));
    expect(await stranger()).toMatchObject({ errKey: 'l.address_unlisted' });
    const off = await of.ask(setWhitelist, { on: '0', ...(await bookProofs(of, setWhitelist, { on: '0' })) });
    expect(off).toMatchObject({ whitelistOnly: 1 });
    expect(await stranger()).toMatchObject({ errKey: 'l.address_unlisted' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const book = await of.ask(addressList);
    expect(book).toMatchObject({ whitelistOnly: 0, totalRow: 1, most: 50 });
    expect(book.list[0]).not.toHaveProperty('lastTime');
    expect((await stranger()).code).toBe(1);
  });

  it('ADDR-810 an address is known 24 hours after it was first kept or typed; removing it neither passes nor restarts nor shortens the wait', async () => {
    const of = await aSaver(exchange, { USDT: '500' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const { withdrawals } = exchange.doors.withdrawals;
    const goOn = exchange.clock.stand();
    const firstAt = exchange.clock.now();
    const tron = { asset: 'USDT', network: 'TRC20', address: TRON, memo: undefined, remark: undefined };
    const ask = (address = TRON) =>
      withdrawals.submit(of.id, { ...tron, address, amount: Decimal.parse('20'), addressId: undefined });
    const kept = await withdrawals.addAddress(of.id, tron);
    await withdrawals.removeAddress(of.id, kept.id);
    exchange.clock.shift(5 * HOUR_MS);
    // Typed it is accepted, and waits as long as it would have waited in the book.
    const typed = await ask();
    expect(typed.knownAt).toBe(firstAt + DAY_MS);
    const neverSeen = await ask(OTHER);
    expect(neverSeen.knownAt).toBe(exchange.clock.now() + DAY_MS);
    await expect(decide(typed.id, 'approve')).rejects.toThrow('l.address_waits');
    await expect(withdrawals.requireDecidable(typed.id, 'approve', 2)).rejects.toThrow('l.address_waits');
    // Kept anew, it waits for no longer and no shorter than it did.
    expect((await withdrawals.addAddress(of.id, tron)).activeAt).toBe(firstAt + DAY_MS);
    exchange.clock.shift(19 * HOUR_MS - 1);
    await expect(decide(typed.id, 'approve')).rejects.toThrow('l.address_waits');
    exchange.clock.shift(1);
    expect(await decide(typed.id, 'approve')).toMatchObject({ status: 'processing' });
    await expect(decide(neverSeen.id, 'approve')).rejects.toThrow('l.address_waits');
    expect(await withdrawals.cancel(of.id, neverSeen.id)).toMatchObject({ status: 'cancelled' });
    exchange.clock.shift(5 * HOUR_MS);
    // That it was typed once is enough, whatever became of the withdrawal.
    const again = await ask(OTHER);
    expect(again.knownAt).toBe(neverSeen.knownAt);
    expect(await decide(again.id, 'approve')).toMatchObject({ status: 'processing' });
    goOn();
  });

  it('ADDR-811 ADDR-812 one address in two spellings is one entry, and where coins would be lost is refused, kept or typed', async () => {
    const of = await aSaver(exchange, { USDT: '500' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const { withdrawals } = exchange.doors.withdrawals;
    const plain = { memo: undefined, remark: undefined };
    const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const bitcoin = { asset: 'BTC', network: 'BTC', ...plain };
    const kept = await withdrawals.addAddress(of.id, { ...bitcoin, address: segwit.toUpperCase() });
    expect(kept.address).toBe(segwit);
    await expect(withdrawals.addAddress(of.id, { ...bitcoin, address: segwit })).rejects.toThrow(
      'l.address_duplicate',
    );
    const own = await of.ask(depositAddress, { currency: 'USDT', network: 'ERC20' });
    const losing = [
      ['0x0000000000000000000000000000000000000000', 'l.address_burns'],
      ['0x000000000000000000000000000000000000dead', 'l.address_burns'],
      ['0xdac17f958d2ee523a2206206994597c13d831ec7', 'l.address_contract'],
      [own.address.toLowerCase(), 'l.address_own'],
    ] as const;
    const ethereum = { asset: 'USDT', network: 'ERC20', ...plain };
    for (const [address, key] of losing) {
      const amount = Decimal.parse('30');
      await expect(withdrawals.addAddress(of.id, { ...ethereum, address })).rejects.toThrow(key);
      await expect(
        withdrawals.submit(of.id, { ...ethereum, address, amount, addressId: undefined }),
      ).rejects.toThrow(key);
      const code = { currency: 'USDT', network: 'ERC20', amount: '30', address };
      expect((await of.call(sendWithdrawalCode, code)).errKey).toBe(key);
    }
    expect(await coins(of)).toEqual(['500', '0']);
  });

  it('ADDR-813 a wallet without a tag is paid once that is confirmed, and an X-address is its account and tag', async () => {
    const of = await aSaver(exchange, { XRP: '500' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const account = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
    const send = async (fields: Partial<Place>) => {
      await exchange.pass(600 * SECOND_MS);
      const place = { currency: 'XRP', network: 'XRP', amount: '20', address: account, ...fields };
      return of.call(submitWithdrawal, { ...place, ...(await proofs(of, place)) });
    };
    expect((await send({})).errKey).toBe('l.memo_required');
    const { data: plain } = await send({ withoutMemo: '1' });
    expect(plain.address).toBe(account);
    expect(plain).not.toHaveProperty('memo');
    const tagged = await send({ address: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc' });
    expect(tagged.data).toMatchObject({ address: account, memo: '0' });
    expect((await send({ withoutMemo: '1', memo: '7' })).errKey).toBe('l.memo_invalid');
  });

  it('LED-810 rows that arrive between two pages move nothing on the pages of an anchor', async () => {
    const of = await exchange.aUser();
    const send = async (amount: string) => {
      await of.ask(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount });
      await watch();
      await exchange.pass(BLOCKS);
      await watch();
    };
    for (const amount of ['11', '12', '13', '14']) await send(amount);
    await exchange.doors.movements.catchUp();
    for (const list of [depositRecords, tradeRecords, spotMovements]) {
      const pages = async (fields: object) =>
        (await of.call(list, { pageSize: '2', ...fields })).data as {
          list: readonly { id: string; amount: string }[];
          anchor?: string;
          sum: number;
        };
      const first = await pages({});
      expect(first.anchor).toBe(first.list[0]!.id);
      await send('20');
      await exchange.doors.movements.catchUp();
      const second = await pages({ pageNo: '2', anchor: first.anchor! });
      const read = [...first.list, ...second.list].map(({ id }) => id);
      expect(new Set(read).size).toBe(4);
      expect(second.sum).toBe(first.sum);
      // By number alone the second page repeats a row of the first.
      expect((await pages({ pageNo: '2' })).list[0]!.id).toBe(first.list[1]!.id);
    }
    expect((await of.call(tradeRecords, { anchor: 'abc' })).errKey).toBe('l.field_invalid');
    expect((await of.call(depositRecords, { anchor: '1-2-3' })).errKey).toBe('l.field_invalid');
  });

  it('WDR-007 DEP-003 the ledger adds up after all of it, and what is frozen is what waits', async () => {
    expect(await exchange.audit()).toMatchObject({ problems: [] });
  });
});

function exchangeDecides(of: () => TestExchange) {
  return (id: string, verdict: 'approve' | 'duplicate', persons: 1 | 2 = 1) =>
    of().doors.withdrawals.withdrawals.decide(id, verdict, { by: 'test', persons });
}
