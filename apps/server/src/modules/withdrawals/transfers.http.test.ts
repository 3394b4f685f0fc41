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
import { approveAs, evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { DEMO_BLOCK_MS } from '../chains/domain.ts';
import { createSaver, TRADE_PASSWORD } from '../finance/testing/products.ts';
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
  /**
   * Requests a confirmation code and returns it from the email: for the withdrawal with the fields `place`, or, if
   * `place` is undefined, for a change of the address book (`act` and `about`).
   */
  const mailed = async ({ email, token }: TestTrader, place?: Place, act = '/address/add', about = '') => {
    await exchange.advanceTime(61 * SECOND_MS);
    const request =
      place === undefined
        ? await exchange.call(sendEmailCode, { email, type: CODE_TYPES.address, act, about }, { token })
        : await exchange.call(sendWithdrawalCode, place, { token });
    expect(request.code, request.text).toBe(1);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    return ((await mail.json()) as { list: readonly { code?: string }[] }).list[0]!.code!;
  };
  const proofs = async (trader: TestTrader, place: Place) => ({
    assetsPwd: TRADE_PASSWORD,
    code: await mailed(trader, place),
  });
  /**
   * Returns the trade password and the emailed confirmation code for a change of the address book with these
   * fields.
   */
  const bookProofs = async (trader: TestTrader, act: Endpoint, fields: Readonly<Record<string, string>>) => ({
    assetsPwd: TRADE_PASSWORD,
    code: await mailed(trader, undefined, act.path, new URLSearchParams(fields).toString()),
  });
  const request = async (trader: TestTrader, amount: string, address = TRON) => {
    const place = { currency: 'USDT', network: 'TRC20', amount, address };
    return { ...place, ...(await proofs(trader, place)) };
  };
  const coins = async (trader: TestTrader, currency = 'USDT') => {
    const { availableCurrency, frozenCurrency } = (await trader.request(spotAssets, { currency })).list[0]!;
    return [availableCurrency, frozenCurrency];
  };
  const storeAddress = async (trader: TestTrader, address = TRON) =>
    trader.request(addAddress, {
      currency: 'USDT',
      network: 'TRC20',
      address,
      remark: 'TRC20',
      ...(await bookProofs(trader, addAddress, { currency: 'USDT', network: 'TRC20', address })),
    });
  const watch = () => exchange.doors.deposits.jobs.watch();
  const move = async (times = 4) => {
    for (let n = 0; n < times; n += 1) await exchange.doors.withdrawals.jobs.advance();
  };
  const decide = exchangeDecides(() => exchange);

  it('SEC-014 a withdrawal’s code names its amount and address and is valid for no other', async () => {
    const trader = await createSaver(exchange, { USDT: '300' });
    const place = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON };
    const code = await mailed(trader, place);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { text: string }[] };
    expect(list[0]!.text).toContain(`a withdrawal of 20 USDT on TRC20 to ${TRON}`);
    const proof = { assetsPwd: TRADE_PASSWORD, code };
    const wrongCode = { code: -5, errKey: 'l.code_other_deed', data: { field: 'code' } };
    expect(await trader.call(submitWithdrawal, { ...place, amount: '200', ...proof })).toMatchObject(
      wrongCode,
    );
    expect(await trader.call(submitWithdrawal, { ...place, network: 'ERC20', ...proof })).toMatchObject(
      wrongCode,
    );
    // The amount is written differently (20.00 instead of 20), but is the same number, so the code is valid.
    expect((await trader.call(submitWithdrawal, { ...place, amount: '20.00', ...proof })).code).toBe(1);
    const booked = await bookProofs(trader, addAddress, place);
    expect(await trader.call(submitWithdrawal, { ...place, ...booked })).toMatchObject(wrongCode);
  });

  it('HELP-016 remarks written by the demo are shown in the trader’s language; other users’ remarks are unchanged', async () => {
    const [trader, otherTrader] = [await createSaver(exchange, { USDT: '300' }), await exchange.aUser()];
    const remark = 'From MetaMask';
    exchange.doors.demoTexts.setTrader(trader.id);
    for (const recipient of [trader, otherTrader]) {
      await recipient.request(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20', remark });
      await watch();
      const headers = { 'x-lang': 'zh-CN' };
      const { list } = (await recipient.call(depositRecords, {}, { headers })).data;
      expect(list[0]!.remark).toBe(recipient === trader ? '从 MetaMask 转入' : remark);
    }
    await trader.request(addAddress, {
      currency: 'USDT',
      network: 'TRC20',
      address: TRON,
      remark: 'Cold wallet',
      ...(await bookProofs(trader, addAddress, { currency: 'USDT', network: 'TRC20', address: TRON })),
    });
    for (const [locale, shownRemark] of [
      ['ko-KR', '콜드월렛'],
      ['en-US', 'Cold wallet'],
    ] as const) {
      const { list } = (await trader.call(addressList, {}, { headers: { 'x-lang': locale } })).data;
      expect(list[0]!.remark).toBe(shownRemark);
    }
  });

  it('DEP-001 DEP-002 an address is the same at every call and differs per user; memos distinguish users', async () => {
    const [trader, otherTrader] = [await exchange.aUser(), await exchange.aUser()];
    const tron = { currency: 'USDT', network: 'TRC20' };
    const [first, again, foreign] = [
      await trader.request(depositAddress, tron),
      await trader.request(depositAddress, tron),
      await otherTrader.request(depositAddress, tron),
    ];
    expect(again).toEqual(first);
    expect(foreign.address).not.toBe(first.address);
    const xrp = { currency: 'XRP', network: 'XRP' };
    const [ownDestination, otherDestination] = [
      await trader.request(depositAddress, xrp),
      await otherTrader.request(depositAddress, xrp),
    ];
    expect(ownDestination.address).toBe(otherDestination.address);
    expect(ownDestination.memo).not.toBe(otherDestination.memo);
    const { list } = await trader.request(depositNetworks, { currency: 'USDT' });
    expect(list.map(({ network, confirmations }) => [network, confirmations])).toEqual([
      ['TRC20', 20],
      ['ERC20', 12],
      ['BEP20', 15],
    ]);
    const wrong = await trader.call(depositAddress, { currency: 'BTC', network: 'TRC20' });
    expect(wrong).toMatchObject({ errKey: 'l.field_choice', data: { field: 'network', value: 'TRC20' } });
  });

  it('DEP-003 DEP-005 DEP-006 a deposit confirms block by block and is credited once', async () => {
    const trader = await exchange.aUser();
    // The demo network makes blocks by the clock, which the test controls.
    const resumeClock = exchange.clock.freeze();
    const deposit = { currency: 'USDT', network: 'ERC20', amount: '25.5', clientId: 'mine' };
    const [first, again] = [
      await trader.request(sendTestDeposit, deposit),
      await trader.request(sendTestDeposit, deposit),
    ];
    expect(again).toEqual(first);
    await Promise.all([watch(), watch()]);
    const row = async () => (await trader.request(depositRecords)).list;
    expect(await row()).toMatchObject([
      { txid: first.txid, confirm: 0, needConfirm: 12, status: 0, realAmount: '0' },
    ]);
    await exchange.advanceTime(5 * DEMO_BLOCK_MS);
    await watch();
    expect((await row())[0]!.confirm).toBe(5);
    expect(await coins(trader)).toEqual(['0', '0']);
    resumeClock();
    await exchange.advanceTime(BLOCKS);
    await exchange.restart();
    for (let n = 0; n < 3; n += 1) await watch();
    expect(await row()).toMatchObject([{ confirm: 12, status: 1, realAmount: '25.5' }]);
    expect(await coins(trader)).toEqual(['25.5', '0']);
    const { list } = await trader.request(messagePage);
    expect(list.filter(({ title }) => title.startsWith('Deposit credited'))).toHaveLength(1);
  });

  it('DEP-004 a deposit below the minimum waits, and is credited together with one that reaches it', async () => {
    const trader = await exchange.aUser();
    const send = (amount: string) =>
      trader.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount });
    await send('4');
    await watch();
    await exchange.advanceTime(BLOCKS);
    await watch();
    const [small] = (await trader.request(depositRecords)).list;
    expect(small).toMatchObject({ status: 0, belowMinimum: 1, minAmount: '10' });
    await send('6');
    await watch();
    await exchange.advanceTime(BLOCKS);
    await watch();
    expect(await coins(trader)).toEqual(['10', '0']);
    expect((await trader.request(depositRecords)).list.map(({ status }) => status)).toEqual([1, 1]);
  });

  it('WDR-001 WDR-002 WDR-008 every limit is refused by its own name, and nothing is put on hold', async () => {
    const trader = await createSaver(exchange, { USDT: '50' });
    // After the trade password was set, withdrawals are blocked for some time, which passes here.
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const refused = async ({ remark, ...fields }: Partial<Place> & { remark?: string }) => {
      // After many requests for codes within an hour, a new code can be requested only every ten minutes.
      await exchange.advanceTime(600 * SECOND_MS);
      const place = { currency: 'USDT', network: 'TRC20', amount: '20', address: TRON, ...fields };
      const submission = {
        ...place,
        ...(await proofs(trader, place)),
        ...(remark === undefined ? {} : { remark }),
      };
      const { errKey, data } = await trader.call(submitWithdrawal, submission);
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
    expect(await trader.call(sendWithdrawalCode, nowhere)).toMatchObject({ errKey: 'l.address_required' });
    await exchange.database.pool.query('update user_account set hold_until = $2 where id = $1', [
      trader.id,
      exchange.clock.now() + HOUR_MS,
    ]);
    expect(await refused({})).toMatchObject({ errKey: 'l.withdraw_hold' });
    expect(await coins(trader)).toEqual(['50', '0']);
  });

  it('DEP-1020 the terms of every network are public and match what is charged', async () => {
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
    const config = await user.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect([config.fee, config.min, config.max]).toEqual([
      usdt.withdrawFee,
      usdt.minWithdrawal,
      usdt.maxWithdrawal,
    ]);
  });

  it('WEB-926 a quote has the figures of the following withdrawal, holds nothing, and is refused where that would be', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const place = { currency: 'USDT', network: 'TRC20', amount: '40', address: TRON };
    const quote = (overrides: Partial<typeof place> & { addressId?: string } = {}) =>
      trader.call(withdrawalQuote, { ...place, ...overrides });
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
    const { list } = await trader.request(depositNetworks, { currency: 'USDT' });
    expect(list.find(({ network }) => network === 'TRC20')?.withdrawFee).toBe(quoted.fee);
    // A withdrawal to a new address is sent 24 hours after its request, and its promised time counts from then.
    expect(quoted.addressTime! - exchange.clock.now()).toBeGreaterThan(DAY_MS - MINUTE_MS);
    expect(quoted.promiseTime - quoted.addressTime!).toBe(DAY_MS);
    expect(await coins(trader)).toEqual(['100', '0']);
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
    const withdrawal = await trader.request(submitWithdrawal, {
      ...place,
      fee: quoted.fee,
      ...(await proofs(trader, place)),
    });
    expect(withdrawal).toMatchObject({ fee: quoted.fee, realAmount: quoted.realAmount });
    expect(withdrawal.promiseTime - withdrawal.addressTime!).toBe(DAY_MS);
    expect((await quote({ amount: '50' })).data.dayUsed).toBe(quoted.value);
    const stranger = await exchange.aUser();
    expect((await stranger.call(withdrawalQuote, place)).code).toBe(-3);
  });

  it('WEB-927 a submission with a changed fee is refused with both figures, holds nothing and leaves its code valid', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const submission = await request(trader, '40');
    expect(
      await trader.call(submitWithdrawal, { ...submission, fee: '0.5', clientId: 'first' }),
    ).toMatchObject({
      errKey: 'l.withdraw_fee_changed',
      data: { limit: '1', value: '0.5', unit: 'USDT' },
    });
    expect(await coins(trader)).toEqual(['100', '0']);
    expect(
      await trader.call(submitWithdrawal, { ...submission, fee: '-1', clientId: 'wrong' }),
    ).toMatchObject({
      errKey: 'l.field_number',
    });
    expect(
      await trader.request(submitWithdrawal, { ...submission, fee: '1.00', clientId: 'second' }),
    ).toMatchObject({
      fee: '1',
    });
    expect(await coins(trader)).toEqual(['60', '40']);
  });

  it('WDR-004 WDR-007 WDR-009 WDR-011 ADDR-003 ADDR-005 to a stored address it is sent without review, once, and takes the fee', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const entry = await storeAddress(trader);
    expect(await trader.call(submitWithdrawal, await request(trader, '40'))).toMatchObject({
      errKey: 'l.address_waits',
    });
    const twice = { currency: 'USDT', network: 'TRC20', address: TRON };
    expect(
      await trader.call(addAddress, { ...twice, ...(await bookProofs(trader, addAddress, twice)) }),
    ).toMatchObject({
      errKey: 'l.address_duplicate',
    });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const place = { currency: 'USDT', network: 'TRC20', amount: '40', addressId: entry.id };
    const submission = { ...place, ...(await proofs(trader, place)), clientId: 'out' };
    const [first, again] = [
      await trader.request(submitWithdrawal, submission),
      await trader.request(submitWithdrawal, submission),
    ];
    expect(again.id).toBe(first.id);
    expect(first).toMatchObject({ status: 0, realAmount: '39', fee: '1' });
    expect(first.promiseTime - first.createTime).toBe(DAY_MS);
    expect((await trader.request(addressList)).list).toMatchObject([
      { id: entry.id, lastTime: first.createTime },
    ]);
    expect(await coins(trader)).toEqual(['60', '40']);
    await exchange.advanceTime(11 * SECOND_MS);
    await move();
    const processing = await trader.request(withdrawalDetail, { id: first.id });
    expect(processing).toMatchObject({ status: 3, needConfirm: 20 });
    expect(await trader.call(cancelWithdrawal, { id: first.id })).toMatchObject({
      errKey: 'l.withdraw_not_pending',
    });
    await exchange.restart();
    await exchange.advanceTime(BLOCKS);
    await move();
    expect(await trader.request(withdrawalDetail, { id: first.id })).toMatchObject({
      status: 1,
      txid: processing.txid,
    });
    expect(await coins(trader)).toEqual(['60', '0']);
    const { rows } = await exchange.database.pool.query(
      'select amount::float8 as amount from chain_transfer where address = $1',
      [TRON],
    );
    expect(rows).toEqual([{ amount: 39 }]);
    const { withdrawals, list } = await trader.request(withdrawalStats);
    expect(list).toMatchObject([{ currency: 'USDT', network: 'TRC20', finished: 1, late: 0 }]);
    expect(list[0]!.medianSeconds).toBe(withdrawals.slowestSeconds);
    expect(withdrawals).toMatchObject({ finished: 1, late: 0 });
    expect(withdrawals.medianSeconds).toBeGreaterThan(60);
  });

  it('WDR-620 for a halted coin nothing is proposed and the journal is unchanged; it continues when the halt is lifted', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const { id: addressId } = await storeAddress(trader, OTHER);
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const place = { currency: 'USDT', network: 'TRC20', amount: '30', addressId };
    const { id } = await trader.request(submitWithdrawal, { ...place, ...(await proofs(trader, place)) });
    await exchange.doors.halting.halt('USDT', { by: 'test', reason: 'looking at it' });
    await exchange.advanceTime(11 * SECOND_MS);
    const sequence = async () =>
      (await exchange.database.pool.query('select sequence::text from writer')).rows as unknown[];
    const before = await sequence();
    await move();
    expect(await sequence()).toEqual(before);
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 0 });
    await exchange.doors.halting.lift('USDT', { by: 'test', reason: 'all is well' });
    await move();
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 3 });
  });

  it('WDR-005 a cancelled withdrawal is returned once; concurrent cancel and approve have one winner', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await trader.request(submitWithdrawal, await request(trader, '30'));
    const approving = decide(id, 'approve').catch(() => undefined);
    const answers = await Promise.all(Array.from({ length: 4 }, () => trader.call(cancelWithdrawal, { id })));
    await approving;
    const { status } = await trader.request(withdrawalDetail, { id });
    expect(answers.every(({ code }) => (code === 1) === (status === 5))).toBe(true);
    expect(await coins(trader)).toEqual(status === 5 ? ['100', '0'] : ['70', '30']);
  });

  it('WDR-006 an operator rejects for a listed reason, and a large amount needs two operators', async () => {
    const trader = await createSaver(exchange, { USDT: '15000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const small = await trader.request(submitWithdrawal, await request(trader, '30'));
    await exchange.advanceTime(MINUTE_MS);
    await move();
    expect((await trader.request(withdrawalDetail, { id: small.id })).status).toBe(0);
    await decide(small.id, 'duplicate');
    expect(await trader.request(withdrawalDetail, { id: small.id })).toMatchObject({
      status: 2,
      reason: 'duplicate',
    });
    expect(await coins(trader)).toEqual(['15000', '0']);
    const large = await trader.request(submitWithdrawal, await request(trader, '12000'));
    await expect(decide(large.id, 'approve')).rejects.toThrow('l.withdraw_second_person');
    await decide(large.id, 'approve', 2);
    expect((await trader.request(withdrawalDetail, { id: large.id })).status).toBe(3);
  });

  const act = (id: string, operation: string, fields: Readonly<Record<string, string>> = {}) =>
    operate(exchange, `/ops/withdrawals/${id}/${operation}`, { reason: 'a test', ...fields });
  const keyOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { key?: string }).key;
  const find = (id: string) => exchange.doors.withdrawals.withdrawals.require(id);
  /**
   * Creates a withdrawal of 30 USDT that is approved but not sent, because the account is not allowed to
   * withdraw for an hour.
   */
  const approvedAndHeld = async (trader: TestTrader) => {
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await trader.request(submitWithdrawal, await request(trader, '30'));
    const { pool } = exchange.database;
    const until = exchange.clock.now() + HOUR_MS;
    await pool.query('update user_account set hold_until = $2 where id = $1', [trader.id, until]);
    await pool.query(`update withdrawal set status = 3, decided_by = 'test' where id = $1`, [id]);
    return id;
  };

  it('WDR-1161 the database refuses to change what an owner confirmed; if it is changed anyway, nobody approves or sends it', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const pending = await trader.request(submitWithdrawal, await request(trader, '40'));
    const { pool } = exchange.database;
    for (const change of [
      `address = '${OTHER}'`,
      'amount = 41',
      'fee = 0',
      "memo = '1'",
      "network = 'ERC20'",
      'digest = null',
    ])
      await expect(pool.query(`update withdrawal set ${change} where id = $1`, [pending.id])).rejects.toThrow(
        'never change',
      );
    await pool.query('alter table withdrawal disable trigger withdrawal_confirmed_fields');
    await pool.query('update withdrawal set address = $2 where id = $1', [pending.id, OTHER]);
    await pool.query('alter table withdrawal enable trigger withdrawal_confirmed_fields');
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    expect(await keyOf(act(pending.id, 'approve'))).toBe('l.withdraw_changed');
    await expect(decide(pending.id, 'approve')).rejects.toThrow('l.withdraw_changed');
    await pool.query('update withdrawal set status = 3 where id = $1', [pending.id]);
    await move();
    expect(await find(pending.id)).toMatchObject({ status: 'processing', txid: undefined });
    expect(exchange.doors.bulkheads.failing().map(({ key }) => key)).toContain(pending.id);
    const { withdrawals } = (await (await operate(exchange, '/ops/withdrawals')).json()) as {
      withdrawals: readonly { id: string; isChanged: boolean }[];
    };
    expect(withdrawals.find(({ id }) => id === pending.id)).toMatchObject({ isChanged: true });
    await act(pending.id, 'return', { because: 'wrongAddress' });
    await move();
    expect(await trader.request(withdrawalDetail, { id: pending.id })).toMatchObject({
      status: 6,
      reason: 'wrongAddress',
    });
    expect(await coins(trader)).toEqual(['500', '0']);
  });

  it('WDR-1164 an approved withdrawal is returned by two operators, once, for a reason that reveals no review', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await approvedAndHeld(trader);
    await move();
    expect(await find(id)).toMatchObject({ status: 'processing', txid: undefined });
    expect(await keyOf(act(id, 'return', { because: 'none' }))).toBe('l.field_choice');
    expect(await keyOf(act(randomUUID(), 'return', { because: 'hold' }))).toBe('l.not_found');
    const path = `/ops/withdrawals/${id}/return`;
    const because = { reason: 'a match', because: 'sanctions' };
    const proposed = await operateAs(exchange, 'owner', path, because);
    const { proposal } = (await proposed.json()) as { proposal: string };
    expect((await operateAs(exchange, 'owner', `/ops/proposals/${proposal}/approve`, because)).status).toBe(
      400,
    );
    const { facts, context } = await evidenceOf(exchange, 'approver', proposal);
    expect(facts).toMatchObject({ id, returnedBecause: 'sanctions', isChanged: false });
    expect(context).toMatchObject({ signedTransactions: 0, isFrozen: false });
    expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
    await Promise.all([move(), move()]);
    expect(await find(id)).toMatchObject({ status: 'returned', reason: 'sanctions' });
    expect(await keyOf(act(id, 'return', { because: 'hold' }))).toBe('l.withdraw_not_pending');
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 6, reason: 'review' });
    expect(await coins(trader)).toEqual(['500', '0']);
  });

  it('WDR-1202 WDR-1167 a withdrawal that was paid by hand ends by its transaction, which then ends no other', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await trader.request(submitWithdrawal, await request(trader, '30'));
    const { id: otherId } = await trader.request(submitWithdrawal, await request(trader, '30'));
    const pay = async (amount: string) => {
      const payment = { network: 'TRC20', asset: 'USDT', address: TRON, memo: undefined };
      const { txid } = await exchange.doors.chains.chains.send({
        origin: `by hand ${amount}`,
        ...payment,
        amount: Decimal.parse(amount),
      });
      return txid;
    };
    // The withdrawal may be paid by hand only when it is certain that its own transaction cannot be mined.
    expect((await act(id, 'pay-by-hand')).status).toBe(200);
    await exchange.advanceTime(MINUTE_MS);
    await move();
    expect(await find(id)).toMatchObject({ status: 'processing', txid: undefined });
    expect((await find(id)).exit?.readyAt).toBeDefined();
    const [whole, exact] = [await pay('30'), await pay('29')];
    expect(await keyOf(act(id, 'finish', { txid: exact }))).toBe('l.withdraw_paid_unconfirmed');
    await exchange.advanceTime(BLOCKS);
    expect(await keyOf(act(id, 'finish', { txid: whole }))).toBe('l.withdraw_not_paid');
    expect((await act(id, 'finish', { txid: exact })).status).toBe(200);
    expect(await keyOf(act(otherId, 'finish', { txid: exact }))).toBe('l.withdraw_txid_used');
    await move();
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 1, txid: exact });
    expect(await trader.request(withdrawalDetail, { id: otherId })).toMatchObject({ status: 0 });
    expect(await coins(trader)).toEqual(['440', '30']);
  });

  it('WDR-1169 OPS-1152 the queue shows why a withdrawal waits, the age of the address and the account, and what else happened within a day', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    const { id } = await trader.request(submitWithdrawal, await request(trader, '20', OTHER));
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await decide(id, 'approve');
    await move();
    await exchange.advanceTime(BLOCKS);
    await move();
    const later = await trader.request(submitWithdrawal, await request(trader, '50', OTHER));
    const fresh = await trader.request(submitWithdrawal, await request(trader, '60'));
    const queue = async () =>
      (
        (await (await operate(exchange, '/ops/withdrawals')).json()) as {
          withdrawals: readonly {
            id: string;
            addressSeenAt: number;
            accountCreatedAt: number;
            waitsFor?: string;
          }[];
        }
      ).withdrawals;
    const withdrawals = await queue();
    const rowOf = (of: string) => withdrawals.find((row) => row.id === of)!;
    expect([rowOf(later.id).waitsFor, rowOf(fresh.id).waitsFor]).toEqual([undefined, 'new address']);
    const { pool } = exchange.database;
    const now = exchange.clock.now();
    const hit = '01a20bb7-1aa9-7299-bdac-58d95d508e77';
    await pool.query(
      `insert into sanction_hit (id, subject_kind, subject, owner, list, reference, entry, state, created_at)
       values ($1, 'withdrawal', 'test', $2, 'test', '1', 'test', 'open', $3)`,
      [hit, trader.id, now],
    );
    await pool.query(
      `insert into deposit (id, owner, asset, network, address, txid, output, amount, position, block, confirmations,
         status, created_at, finished_at)
       values ($1, $2, 'USDT', 'TRC20', 'TFresh', 'fresh', 0, 1, 0, 0, 1, 1, $3, $3)`,
      [hit, trader.id, now],
    );
    const unusual = (await queue()).map((row) => [row.id, row.waitsFor] as const);
    expect(new Map(unusual).get(later.id)).toBe('sanctions hit, in and out within a day');
    await pool.query('delete from sanction_hit where id = $1', [hit]);
    await pool.query('delete from deposit where id = $1', [hit]);
    const activity = { requestsWithinDay: 2, requestedWithinDayUsdt: '110', isChanged: false };
    expect(rowOf(later.id)).toMatchObject({ finishedToAddress: 1, ...activity });
    expect(rowOf(fresh.id)).toMatchObject({
      finishedToAddress: 0,
      newDevices: 0,
      securityChanges: 0,
      ...activity,
    });
    expect(rowOf(later.id).addressSeenAt).toBe((await find(id)).createdAt);
    expect(rowOf(fresh.id).addressSeenAt).toBe((await find(fresh.id)).createdAt);
    expect(exchange.clock.now() - rowOf(fresh.id).accountCreatedAt).toBeGreaterThan(DAY_MS);
    await pool.query(
      `insert into security_event (id, user_id, kind, device, address, at)
       values ($1, $2, 'signedIn', 'unknown', '203.0.113.9', $3)`,
      [hit, trader.id, now],
    );
    await exchange.advanceTime(2 * DAY_MS);
    const waiting = (await queue()).find((row) => row.id === fresh.id);
    expect(waiting?.waitsFor).toBe('new address, new device');
  });

  it('WDR-003 parallel requests cannot exceed the daily limit and the balance', async () => {
    const trader = await createSaver(exchange, { USDT: '60000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const { withdrawals } = exchange.doors.withdrawals;
    const submission = { asset: 'USDT', network: 'TRC20', amount: Decimal.parse('8000'), address: OTHER };
    const noBookEntry = { addressId: undefined, memo: undefined, remark: undefined };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, () => withdrawals.submit(trader.id, { ...submission, ...noBookEntry })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await coins(trader)).toEqual(['12000', '48000']);
    const config = await trader.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect(config).toMatchObject({ dayLimit: '50000', dayUsed: '48000' });
    const { list } = await trader.request(withdrawalRecords);
    for (const { id } of list) await trader.request(cancelWithdrawal, { id });
    expect((await trader.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' })).dayUsed).toBe(
      '0',
    );
  });

  it('WDR-013 limits use the index price, never trades on this exchange', async () => {
    const trader = await createSaver(exchange, { BTC: '5' });
    const friend = await createSaver(exchange, { USDT: '1000' });
    await friend.request(createOrder, limit('buy', '41000', '0.001'));
    await trader.request(createOrder, limit('sell', '41000', '0.001'));
    const { withdrawals } = exchange.doors.withdrawals;
    const amount = Decimal.parse('0.5');
    const submission = {
      asset: 'BTC',
      network: 'BTC',
      amount,
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    };
    const submit = () =>
      withdrawals.submit(trader.id, {
        ...submission,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
    exchange.prices.isSilent = true;
    exchange.clock.shift(MINUTE_MS);
    expect(exchange.doors.market.usdtPrice('BTC')?.toString()).toBe('41000');
    await expect(submit()).rejects.toThrow('l.no_index');
    const config = await trader.request(withdrawalConfig, { currency: 'BTC', network: 'BTC' });
    expect(config.price).toBeUndefined();
    exchange.prices.isSilent = false;
    await exchange.advanceTime(SECOND_MS);
    expect((await submit()).value.toString()).toBe('25000');
  });

  it('SEC-862 SEC-863 an address book code is valid for one address or one switch, and its mail names it', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const place = { currency: 'USDT', network: 'TRC20', address: TRON };
    const codes = await bookProofs(trader, addAddress, place);
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { text: string }[] };
    expect(list[0]!.text).toContain(`adding the USDT address ${TRON} on TRC20 to your address book`);
    const wrongCode = { code: -5, errKey: 'l.code_other_deed' };
    expect(await trader.call(addAddress, { ...place, address: OTHER, ...codes })).toMatchObject(wrongCode);
    expect(await trader.call(setWhitelist, { on: '1', ...codes })).toMatchObject(wrongCode);
    expect((await trader.call(addAddress, { ...place, ...codes })).code).toBe(1);
    const switchFields = await bookProofs(trader, setWhitelist, { on: '1' });
    expect(await trader.call(setWhitelist, { on: '0', ...switchFields })).toMatchObject(wrongCode);
    expect((await trader.call(setWhitelist, { on: '1', ...switchFields })).code).toBe(1);
  });

  it('ADDR-940 SEC-941 an address is removed with its own code, and the mail names it with its label', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    const { addressBook } = exchange.doors.withdrawals;
    const tron = { asset: 'USDT', network: 'TRC20', memo: undefined } as const;
    const labelled = await addressBook.add(trader.id, {
      ...tron,
      address: TRON,
      remark: 'Cold wallet',
    });
    const plain = await addressBook.add(trader.id, { ...tron, address: OTHER, remark: undefined });
    const remaining = async () => (await trader.request(addressList)).list.map(({ id }) => id);
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
    const removal = { id, ...proof, clientId: 'remove-1' };
    expect((await trader.call(removeAddress, removal)).code).toBe(1);
    expect((await trader.call(removeAddress, removal)).code).toBe(1);
    expect(await remaining()).toEqual([plain.id]);
  });

  it('SEC-941 no code is mailed for an address that the caller does not have', async () => {
    const owner = await createSaver(exchange, {});
    const stranger = await createSaver(exchange, {});
    const { id } = await exchange.doors.withdrawals.addressBook.add(owner.id, {
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

  it('ADDR-002 ADDR-004 the whitelist applies at once and ends a day after it is turned off', async () => {
    const trader = await createSaver(exchange, { USDT: '100' });
    await storeAddress(trader);
    const wrong = { currency: 'USDT', network: 'TRC20', address: OTHER, remark: 'BEP20 wallet' };
    expect(
      await trader.call(addAddress, {
        ...wrong,
        ...(await bookProofs(trader, addAddress, { currency: 'USDT', network: 'TRC20', address: OTHER })),
      }),
    ).toMatchObject({
      errKey: 'l.address_remark',
    });
    await trader.request(setWhitelist, { on: '1', ...(await bookProofs(trader, setWhitelist, { on: '1' })) });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const stranger = async () => trader.call(submitWithdrawal, await request(trader, '20', OTHER));
    expect(await stranger()).toMatchObject({ errKey: 'l.address_unlisted' });
    const whitelist = await trader.request(setWhitelist, {
      on: '0',
      ...(await bookProofs(trader, setWhitelist, { on: '0' })),
    });
    expect(whitelist).toMatchObject({ whitelistOnly: 1 });
    expect(await stranger()).toMatchObject({ errKey: 'l.address_unlisted' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const book = await trader.request(addressList);
    expect(book).toMatchObject({ whitelistOnly: 0, totalRow: 1, most: 50 });
    expect(book.list[0]).not.toHaveProperty('lastTime');
    expect((await stranger()).code).toBe(1);
  });

  it('ADDR-810 an address is known 24 hours after it was first stored or entered; removing it changes nothing about the wait', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const { addressBook, review, withdrawals } = exchange.doors.withdrawals;
    const goOn = exchange.clock.freeze();
    const firstAt = exchange.clock.now();
    const tron = { asset: 'USDT', network: 'TRC20', address: TRON, memo: undefined, remark: undefined };
    const submit = (address = TRON) =>
      withdrawals.submit(trader.id, { ...tron, address, amount: Decimal.parse('20'), addressId: undefined });
    const entry = await addressBook.add(trader.id, tron);
    await addressBook.remove(trader.id, entry.id);
    exchange.clock.shift(5 * HOUR_MS);
    // The address was removed from the address book. A withdrawal to it still waits until 24 hours after the address
    // was first stored.
    const typed = await submit();
    expect(typed.knownAt).toBe(firstAt + DAY_MS);
    const neverSeen = await submit(OTHER);
    expect(neverSeen.knownAt).toBe(exchange.clock.now() + DAY_MS);
    await expect(decide(typed.id, 'approve')).rejects.toThrow('l.address_waits');
    await expect(review.requireDecidable(typed.id, 'approve', 2)).rejects.toThrow('l.address_waits');
    // Storing a known address again does not restart its waiting time.
    expect((await addressBook.add(trader.id, tron)).activeAt).toBe(firstAt + DAY_MS);
    exchange.clock.shift(19 * HOUR_MS - 1);
    await expect(decide(typed.id, 'approve')).rejects.toThrow('l.address_waits');
    exchange.clock.shift(1);
    expect(await decide(typed.id, 'approve')).toMatchObject({ status: 'processing' });
    await expect(decide(neverSeen.id, 'approve')).rejects.toThrow('l.address_waits');
    expect(await withdrawals.cancel(trader.id, neverSeen.id)).toMatchObject({ status: 'cancelled' });
    exchange.clock.shift(5 * HOUR_MS);
    // An earlier withdrawal request to the address starts the waiting time, even if the withdrawal was cancelled.
    const again = await submit(OTHER);
    expect(again.knownAt).toBe(neverSeen.knownAt);
    expect(await decide(again.id, 'approve')).toMatchObject({ status: 'processing' });
    goOn();
  });

  it('ADDR-811 ADDR-812 an address in two spellings is one entry, and destinations that lose coins are refused, stored or entered', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const { addressBook, withdrawals } = exchange.doors.withdrawals;
    const plain = { memo: undefined, remark: undefined };
    const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const bitcoin = { asset: 'BTC', network: 'BTC', ...plain };
    const entry = await addressBook.add(trader.id, { ...bitcoin, address: segwit.toUpperCase() });
    expect(entry.address).toBe(segwit);
    await expect(addressBook.add(trader.id, { ...bitcoin, address: segwit })).rejects.toThrow(
      'l.address_duplicate',
    );
    const ownDestination = await trader.request(depositAddress, { currency: 'USDT', network: 'ERC20' });
    const losing = [
      ['0x0000000000000000000000000000000000000000', 'l.address_burns'],
      ['0x000000000000000000000000000000000000dead', 'l.address_burns'],
      ['0xdac17f958d2ee523a2206206994597c13d831ec7', 'l.address_contract'],
      [ownDestination.address.toLowerCase(), 'l.address_own'],
    ] as const;
    const ethereum = { asset: 'USDT', network: 'ERC20', ...plain };
    for (const [address, key] of losing) {
      const amount = Decimal.parse('30');
      await expect(addressBook.add(trader.id, { ...ethereum, address })).rejects.toThrow(key);
      await expect(
        withdrawals.submit(trader.id, { ...ethereum, address, amount, addressId: undefined }),
      ).rejects.toThrow(key);
      const code = { currency: 'USDT', network: 'ERC20', amount: '30', address };
      expect((await trader.call(sendWithdrawalCode, code)).errKey).toBe(key);
    }
    // The address on Ethereum has the format of addresses on BNB Smart Chain, where the exchange does not read it.
    const elsewhere = { asset: 'USDT', network: 'BEP20', ...plain, address: ownDestination.address };
    await expect(addressBook.add(trader.id, elsewhere)).rejects.toThrow('l.address_own');
    expect(await coins(trader)).toEqual(['500', '0']);
  });

  it('ADDR-813 a wallet without a tag is paid after confirmation, and an X-address is split into account and tag', async () => {
    const trader = await createSaver(exchange, { XRP: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const account = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
    const send = async (fields: Partial<Place>) => {
      await exchange.advanceTime(600 * SECOND_MS);
      const place = { currency: 'XRP', network: 'XRP', amount: '20', address: account, ...fields };
      return trader.call(submitWithdrawal, { ...place, ...(await proofs(trader, place)) });
    };
    expect((await send({})).errKey).toBe('l.memo_required');
    const { data: plain } = await send({ withoutMemo: '1' });
    expect(plain.address).toBe(account);
    expect(plain).not.toHaveProperty('memo');
    const tagged = await send({ address: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc' });
    expect(tagged.data).toMatchObject({ address: account, memo: '0' });
    expect((await send({ withoutMemo: '1', memo: '7' })).errKey).toBe('l.memo_invalid');
  });

  it('LED-810 rows added between two pages do not shift pages with an anchor', async () => {
    const trader = await exchange.aUser();
    const send = async (amount: string) => {
      await trader.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount });
      await watch();
      await exchange.advanceTime(BLOCKS);
      await watch();
    };
    for (const amount of ['11', '12', '13', '14']) await send(amount);
    await exchange.doors.movements.catchUp();
    for (const list of [depositRecords, tradeRecords, spotMovements]) {
      const pages = async (fields: object) =>
        (await trader.call(list, { pageSize: '2', ...fields })).data as {
          list: readonly { id: string; amount: string }[];
          anchor?: string;
          sum: number;
        };
      const first = await pages({});
      expect(first.anchor).toBe(first.list[0]!.id);
      await send('20');
      await exchange.doors.movements.catchUp();
      const second = await pages({ pageNo: '2', anchor: first.anchor! });
      const readIds = [...first.list, ...second.list].map(({ id }) => id);
      expect(new Set(readIds).size).toBe(4);
      expect(second.sum).toBe(first.sum);
      // Without a cursor, by page numbers alone, the second page repeats a row of the first page when a withdrawal is
      // added in between.
      expect((await pages({ pageNo: '2' })).list[0]!.id).toBe(first.list[1]!.id);
    }
    expect((await trader.call(tradeRecords, { anchor: 'abc' })).errKey).toBe('l.field_invalid');
    expect((await trader.call(depositRecords, { anchor: '1-2-3' })).errKey).toBe('l.field_invalid');
  });

  it('WDR-007 DEP-003 the ledger is balanced afterwards, and frozen balances match open withdrawals', async () => {
    expect(await exchange.audit()).toMatchObject({ problems: [] });
  });
});

function exchangeDecides(exchangeOf: () => TestExchange) {
  return (id: string, verdict: 'approve' | 'duplicate', persons: 1 | 2 = 1) =>
    exchangeOf().doors.withdrawals.review.decide(id, verdict, { by: 'test', persons });
}
