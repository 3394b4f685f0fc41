import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { apiKeys, createApiKey, revokeApiKeys } from '@exchange/wire/api-key.ts';
import { tradeRecords } from '@exchange/wire/portfolio.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { inclusion } from '@exchange/wire/proofs.ts';
import { SUB_ACCOUNTS_MAX } from '@exchange/core/sub-account.ts';
import * as wire from '@exchange/wire/sub-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operateAs } from '../../../testing/operators.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { addKey, Bot, ProgramSocket, type Json } from '../public-api/testing/programs.ts';

type Values = Readonly<Record<string, string>>;

const BUY = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
} as const;

describe('sub-accounts', () => {
  let exchange: TestExchange;
  let master: TestTrader;
  let stranger: TestTrader;

  const create = async (owner: TestTrader, name: string): Promise<UserId> =>
    (await owner.request(wire.createSubAccount, { name })).id as UserId;
  const find = async (owner: TestTrader, id: string) =>
    (await owner.request(wire.subAccounts)).list.find((account) => account.id === id)!;
  const move = (owner: TestTrader, from: string, to: string, coin: string, amount: string) =>
    owner.request(wire.transferSubAccount, {
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      coin,
      amount,
    });
  const keyOf = async (owner: UserId, options: { transfer?: boolean } = {}): Promise<Bot> => {
    const terms = { mayTrade: true, mayTransfer: options.transfer ?? false };
    const { apiKey, secret } = await addKey(exchange, owner, terms);
    return new Bot(exchange, { key: apiKey.key, secret });
  };

  beforeAll(async () => {
    exchange = await anExchange();
    master = await exchange.aUser({ USDT: '100000', BTC: '5' });
    stranger = await exchange.aUser({ USDT: '100000', BTC: '5' });
  });

  afterAll(() => exchange.close());

  it('SUBA-001 up to 20 sub-accounts are created, renamed and listed; a name in use is refused', async () => {
    const owner = await exchange.aUser();
    const id = await create(owner, 'Grid');
    expect(await owner.call(wire.createSubAccount, { name: 'gRID' })).toMatchObject({
      code: -12,
      errKey: 'l.sub_account_name_used',
    });
    await owner.request(wire.renameSubAccount, { id, name: 'Grid', note: 'the old one' });
    await owner.request(wire.renameSubAccount, { id, name: 'Momentum', note: 'tries' });
    expect(await find(owner, id)).toMatchObject({
      name: 'Momentum',
      note: 'tries',
      total: '0',
      balances: [],
      archiveTime: 0,
      uid: expect.stringMatching(/^[1-9]\d{7}$/) as string,
    });
    for (let count = 1; count < SUB_ACCOUNTS_MAX; count += 1) await create(owner, `Bot ${count}`);
    expect(await owner.call(wire.createSubAccount, { name: 'One more' })).toMatchObject({
      errKey: 'l.sub_accounts_max',
      data: { limit: '20' },
    });
    expect((await owner.request(wire.subAccounts)).list.map(({ name }) => name).slice(0, 2)).toEqual([
      'Bot 19',
      'Bot 18',
    ]);
    for (const name of ['', ' ', 'x'.repeat(31), 'a\u0007b'])
      expect((await owner.call(wire.createSubAccount, { name })).code).not.toBe(1);
  });

  it('SUBA-010 a balance moves between main account and sub-accounts once per request, on both statements', async () => {
    const [first, second] = [await create(master, 'First'), await create(master, 'Second')];
    const fields = { to: first, coin: 'usdt', amount: '1000.5', clientId: 'move-1' };
    const moved = await master.request(wire.transferSubAccount, fields);
    expect(moved).toMatchObject({ from: '', to: first, currency: 'USDT', amount: '1000.5' });
    expect(await master.request(wire.transferSubAccount, fields)).toEqual(moved);
    await exchange.restart();
    expect(await master.request(wire.transferSubAccount, fields)).toEqual(moved);
    await move(master, first, second, 'USDT', '400');
    await move(master, second, '', 'USDT', '0.5');
    expect((await find(master, first)).balances).toEqual([
      { currency: 'USDT', available: '600.5', frozen: '0', worth: '600.5' },
    ]);
    expect((await find(master, second)).total).toBe('399.5');
    const transfers = await master.request(wire.subAccountTransfers);
    expect(transfers.list.map(({ from, to, amount }) => [from, to, amount])).toEqual([
      [second, '', '0.5'],
      [first, second, '400'],
      ['', first, '1000.5'],
    ]);
    expect((await master.request(wire.subAccountTransfers, { id: second })).totalRow).toBe(2);
    const { list } = await master.request(tradeRecords);
    expect(list.filter(({ kind }) => kind === 'subaccount.transferred')).toHaveLength(2);
    const { rows } = await exchange.database.pool.query(
      `select owner, amount::text from ledger_movement where kind = 'subaccount.transferred' order by entry, posting, amount`,
    );
    expect(rows).toHaveLength(6);
  });

  it('SUBA-011 a transfer is refused without a change when it cannot be made', async () => {
    const id = await create(master, 'Refused');
    const foreign = await create(stranger, 'Foreign');
    const transfer = (fields: Values) =>
      master.call(wire.transferSubAccount, { coin: 'USDT', amount: '1', ...fields });
    expect(await transfer({ to: foreign })).toMatchObject({ errKey: 'l.not_found' });
    expect(await transfer({ from: foreign })).toMatchObject({ errKey: 'l.not_found' });
    expect(await transfer({ to: stranger.id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await transfer({})).toMatchObject({ errKey: 'l.sub_account_same' });
    expect(await transfer({ from: id, to: id })).toMatchObject({ errKey: 'l.sub_account_same' });
    expect(await transfer({ to: id, coin: 'NOPE' })).toMatchObject({ code: -1 });
    expect(await transfer({ from: id })).toMatchObject({ code: -6, errKey: 'l.insufficient_balance' });
    await move(master, '', id, 'USDT', '500');
    const bot = await keyOf(id);
    await bot.send('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price: '40000.00' });
    expect(await transfer({ from: id, amount: '101' })).toMatchObject({ code: -6 });
    expect((await transfer({ from: id, amount: '100' })).code).toBe(1);
    await bot.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
  });

  it('SUBA-002 a sub-account is archived without balances only, and its keys stop with the answer', async () => {
    const id = await create(master, 'Short-lived');
    const bot = await keyOf(id);
    await move(master, '', id, 'BTC', '0.5');
    const archive = () => master.call(wire.archiveSubAccount, { id });
    expect(await archive()).toMatchObject({ errKey: 'l.sub_account_not_empty' });
    await bot.send('POST', '/api/v3/order', { ...BUY, side: 'SELL', quantity: '0.5', price: '60000.00' });
    expect(await archive()).toMatchObject({ errKey: 'l.sub_account_not_empty' });
    await bot.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    await move(master, id, '', 'BTC', '0.5');
    expect((await bot.send('GET', '/api/v3/account'))['code']).toBeUndefined();
    expect((await archive()).code).toBe(1);
    expect((await archive()).code).toBe(1);
    expect((await bot.send('GET', '/api/v3/account')).code).toBe(-2015);
    expect(await master.call(wire.transferSubAccount, { to: id, coin: 'USDT', amount: '1' })).toMatchObject({
      errKey: 'l.sub_account_archived',
    });
    expect(await master.call(wire.renameSubAccount, { id, name: 'Back' })).toMatchObject({
      errKey: 'l.sub_account_archived',
    });
    await expect(keyOf(id)).rejects.toThrow('l.sub_account_archived');
    const list = (await master.request(wire.subAccounts)).list;
    expect(list.at(-1)).toMatchObject({ id, name: 'Short-lived' });
    await create(master, 'Short-lived');
  });

  it('SUBA-003 SUBA-004 a sub-account and its keys are unknown to everybody else, and it cannot sign in or deposit', async () => {
    const id = await create(master, 'Private');
    const foreign = { errKey: 'l.not_found' };
    expect(await stranger.call(wire.renameSubAccount, { id, name: 'Mine' })).toMatchObject(foreign);
    expect(await stranger.call(wire.archiveSubAccount, { id })).toMatchObject(foreign);
    expect(await stranger.call(apiKeys, { subAccount: id })).toMatchObject(foreign);
    expect(await stranger.call(revokeApiKeys, { subAccount: id })).toMatchObject(foreign);
    expect(await master.call(apiKeys, { subAccount: stranger.id })).toMatchObject(foreign);
    expect((await stranger.request(wire.subAccountTransfers, { id })).totalRow).toBe(0);
    const { rows } = await exchange.database.pool.query(
      'select email, house_name, password_hash, master_id from user_account where id = $1',
      [id],
    );
    expect(rows).toEqual([{ email: null, house_name: null, password_hash: null, master_id: master.id }]);
    const bot = await keyOf(id);
    expect(
      await bot.send('GET', '/sapi/v1/capital/deposit/address', { coin: 'USDT', network: 'TRX' }),
    ).toMatchObject({ code: -4001 });
    const [message] = (await master.request(messagePage)).list;
    expect(message!.title).toContain('API');
  });

  it('SUBA-030 a key of a sub-account never sees the master’s or another sub-account’s orders, balances and events', async () => {
    const [one, two] = [await create(master, 'One'), await create(master, 'Two')];
    await move(master, '', one, 'USDT', '1000');
    await move(master, '', two, 'USDT', '2000');
    const [botOne, botTwo] = [await keyOf(one), await keyOf(two)];
    const own = await keyOf(master.id);
    const socket = await ProgramSocket.open(exchange, '/ws-api/v3');
    const params = { apiKey: botTwo.key, timestamp: exchange.clock.now(), recvWindow: 60_000 };
    const signed = `apiKey=${params.apiKey}&recvWindow=60000&timestamp=${params.timestamp}`;
    await socket.request('userDataStream.subscribe.signature', { ...params, signature: botTwo.sign(signed) });
    const order = await botOne.send('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price: '40000.00' });
    const masters = await own.send('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price: '40500.00' });
    const seen = { symbol: 'BTCUSDT', orderId: String(order['orderId']) };
    for (const bot of [botTwo, own]) {
      expect((await bot.send('GET', '/api/v3/order', seen)).code).toBe(-2013);
      expect((await bot.send('DELETE', '/api/v3/order', seen)).code).toBe(-2011);
    }
    const ofMaster = { ...seen, orderId: String(masters['orderId']) };
    expect((await botOne.send('GET', '/api/v3/order', ofMaster)).code).toBe(-2013);
    expect(await botTwo.send('GET', '/api/v3/openOrders')).toEqual([]);
    expect(await botOne.balances()).toEqual({ USDT: '600' });
    expect(await botTwo.balances()).toEqual({ USDT: '2000' });
    await botTwo.send('POST', '/api/v3/order', { ...BUY, quantity: '0.02', price: '41000.00' });
    await socket.message((message) => JSON.stringify(message).includes('executionReport'));
    const quantities = socket.events('executionReport').map(({ q }) => q);
    expect(new Set(quantities)).toEqual(new Set(['0.02000']));
    for (const bot of [botOne, botTwo]) await bot.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    await own.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    socket.close();
  });

  it('SUBA-020 when the master is frozen, keys of its sub-accounts stop within seconds, whoever froze it', async () => {
    const owner = await exchange.aUser({ USDT: '1000' });
    const id = await create(owner, 'Frozen');
    const bot = await keyOf(id);
    await move(owner, '', id, 'USDT', '900');
    const codeOf = async () => (await bot.send('GET', '/api/v3/account')).code;
    expect(await codeOf()).toBeUndefined();
    await exchange.doors.identity.restrict(owner.id, { frozen: true, reason: 'test' });
    expect(await codeOf()).toBe(-2015);
    await expect(
      exchange.doors.subAccounts.subAccounts.transfer(owner.id, {
        from: id,
        to: undefined,
        asset: 'USDT',
        amount: Decimal.one,
        clientId: '',
      }),
    ).rejects.toThrow('l.account_frozen');
    await exchange.doors.identity.restrict(owner.id, { frozen: false, reason: 'test' });
    expect(await codeOf()).toBeUndefined();
    await exchange.doors.identity.restrict(owner.id, { mayPurchase: false, reason: 'test' });
    expect(
      (await bot.send('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price: '40000.00' })).code,
    ).toBe(-2010);
    // The test freezes the account directly in the database, so the server receives no event and refuses the
    // key only once it has read the account's status again.
    await exchange.database.pool.query('update user_account set frozen = true where id = $1', [owner.id]);
    await expect.poll(codeOf, { timeout: MINUTE_MS }).toBe(-2015);
  });

  it('SUBA-021 orders of accounts of one master do not trade with one another, also after a restart', async () => {
    const id = await create(master, 'Maker');
    await move(master, '', id, 'BTC', '1');
    const bot = await keyOf(id);
    await bot.send('POST', '/api/v3/order', { ...BUY, side: 'SELL', quantity: '0.1', price: '45000.00' });
    const own = await keyOf(master.id);
    const cross = { ...BUY, quantity: '0.1', price: '45000.00' };
    const refused = await own.send('POST', '/api/v3/order', cross);
    expect(refused).toMatchObject({ status: 'EXPIRED_IN_MATCH', executedQty: '0.00000' });
    await exchange.restart();
    expect(await own.send('POST', '/api/v3/order', cross)).toMatchObject({ executedQty: '0.00000' });
    const { rows } = await exchange.database.pool.query(
      'select trader, owner from spot_order where owner = $1',
      [id],
    );
    expect(rows).toEqual([{ trader: master.id, owner: id }]);
    const taker = await keyOf(stranger.id);
    expect(await taker.send('POST', '/api/v3/order', cross)).toMatchObject({ status: 'FILLED' });
    expect((await find(master, id)).balances.map(({ currency }) => currency).toSorted()).toEqual([
      'BTC',
      'USDT',
    ]);
  });

  it('SUBA-022 the volumes of all accounts of a master count together for the tier of each', async () => {
    const owner = await exchange.aUser({ USDT: '100000' });
    const id = await create(owner, 'Volume');
    await move(owner, '', id, 'USDT', '50000');
    const bot = await keyOf(id);
    await place(stranger, limit('sell', '45000', '0.5'));
    await bot.send('POST', '/api/v3/order', { ...BUY, quantity: '0.5', price: '45000.00' });
    const { fees } = exchange.doors.spot;
    await exchange.advanceTime(11 * MINUTE_MS);
    const [ofMaster, ofSub] = [await fees.tierOf(owner.id), await fees.tierOf(id)];
    expect(ofMaster.volume.toString()).toBe('22500');
    expect(ofSub.volume.toString()).toBe('22500');
  });

  it('SUBA-031 a key of the main account with its own permission lists, reads and transfers; others are refused', async () => {
    const owner = await exchange.aUser({ USDT: '1000' });
    const [id, other] = [await create(owner, 'Api'), await create(owner, 'Other')];
    const bot = await keyOf(owner.id, { transfer: true });
    const path = '/sapi/v1/sub-account';
    const plain = await keyOf(owner.id);
    const ofSub = await keyOf(id);
    for (const refused of [plain, ofSub])
      expect((await refused.send('GET', `${path}/list`)).code).toBe(-2015);
    await expect(keyOf(id, { transfer: true })).rejects.toThrow('l.sub_account_key');
    const { subAccounts } = await bot.send('GET', `${path}/list`);
    const [otherRow, row] = subAccounts as readonly Json[];
    expect(row).toMatchObject({
      name: 'Api',
      isFreeze: false,
      email: expect.stringMatching(/^\d{8}@sub\.invalid$/) as string,
    });
    const email = String(row!['email']);
    const transfer = {
      toEmail: email,
      fromAccountType: 'SPOT',
      toAccountType: 'SPOT',
      clientTranId: 'tran-1',
      asset: 'USDT',
      amount: '250',
    };
    const moved = await bot.send('POST', `${path}/universalTransfer`, transfer);
    expect(moved).toEqual({ tranId: expect.any(Number) as number, clientTranId: 'tran-1' });
    expect(await bot.send('POST', `${path}/universalTransfer`, transfer)).toEqual(moved);
    await bot.send('POST', `${path}/universalTransfer`, {
      ...transfer,
      fromEmail: email,
      toEmail: String(otherRow!['email']),
      clientTranId: 'tran-2',
      amount: '50',
    });
    expect(await bot.send('GET', `${path}/assets`, { email })).toEqual({
      balances: [{ asset: 'USDT', free: '200', locked: '0' }],
    });
    const { result } = await bot.send('GET', `${path}/universalTransfer`);
    expect((result as readonly Json[]).map(({ clientTranId, amount }) => [clientTranId, amount])).toEqual([
      ['tran-2', '50'],
      ['tran-1', '250'],
    ]);
    const named = await bot.send('GET', `${path}/universalTransfer`, { clientTranId: 'tran-1' });
    expect(named['result']).toHaveLength(1);
    const unknown = { ...transfer, toEmail: '12345678@sub.invalid', clientTranId: 'tran-3' };
    expect((await bot.send('POST', `${path}/universalTransfer`, unknown)).code).toBe(-4020);
    const much = { ...transfer, amount: '9999', clientTranId: 'tran-4' };
    expect((await bot.send('POST', `${path}/universalTransfer`, much)).code).toBe(-4001);
    expect((await find(owner, other)).total).toBe('50');
  });

  it('SUBA-012 no sequence of transfers, orders and repetitions creates or loses money', async () => {
    const owner = await exchange.aUser({ USDT: '1000' });
    const ids = ['', await create(owner, 'A'), await create(owner, 'B'), await create(owner, 'C')];
    const random = seededRandom(20_261_127);
    const pick = () => random.pick(ids);
    const requests = Array.from({ length: 60 }, (_, index) => ({
      from: pick(),
      to: pick(),
      amount: String(random.whole(1, 400)),
      // On average, a quarter of the random transfers have the previous one's clientId, mostly with other
      // accounts and amount.
      clientId: `walk-${index > 0 && random.chance(0.25) ? index - 1 : index}`,
    }));
    for (let at = 0; at < requests.length; at += 6)
      await Promise.all(
        requests.slice(at, at + 6).map(({ from, to, amount, clientId }) =>
          owner.call(wire.transferSubAccount, {
            ...(from !== '' && { from }),
            ...(to !== '' && { to }),
            coin: 'USDT',
            amount,
            clientId,
          }),
        ),
      );
    const { rows } = await exchange.database.pool.query<{ balance: string }>(
      `select balance::text from ledger_account where asset = 'USDT' and owner = any($1)`,
      [[owner.id, ...ids.slice(1)]],
    );
    const balances = rows.map(({ balance }) => Decimal.parse(balance));
    expect(sum(balances).toString()).toBe('1000');
    expect(balances.some((balance) => balance.isNegative())).toBe(false);
    expect((await exchange.audit()).problems).toEqual([]);
  });

  it('SUBA-041 SUBA-023 operators see sub-accounts, keys of all accounts, and each as a leaf; revoking all revokes all', async () => {
    const owner = await exchange.aUser({ USDT: '1000' });
    const id = await create(owner, 'Shown');
    await move(owner, '', id, 'USDT', '300');
    const [own, ofSub] = [await keyOf(owner.id), await keyOf(id)];
    const { uid } = await find(owner, id);
    const view = async (path: string, fields?: Values) => {
      const answer = await operateAs(exchange, 'approver', path, fields);
      return (await answer.json()) as Record<string, readonly Json[]>;
    };
    const page = `/ops/users/${owner.id}`;
    expect((await view(`${page}/sub-accounts`))['subAccounts']).toEqual([
      expect.objectContaining({ name: 'Shown', uid, balances: '300 USDT' }),
    ]);
    expect((await view(`/ops/users?query=${uid}`))['users']).toEqual([
      expect.objectContaining({ user: owner.id }),
    ]);
    expect((await view(`/ops/users/${id}/sub-accounts`))['subAccounts']).toHaveLength(1);
    const { apiKeys: keys } = await view(`${page}/api-keys`);
    expect(keys!.map(({ subAccount }) => subAccount)).toEqual([undefined, `Shown (${uid})`]);
    await exchange.doors.proofs.liabilities.takeDue();
    const proof = await owner.request(inclusion, { subAccount: id });
    expect(proof.leaf!.amounts).toEqual([{ currency: 'USDT', amount: '300' }]);
    expect(await stranger.call(inclusion, { subAccount: id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await view(`${page}/revoke-api-keys`, { reason: 'a theft was reported' })).toMatchObject({
      revoked: 2,
    });
    for (const bot of [own, ofSub]) expect((await bot.send('GET', '/api/v3/account')).code).toBe(-2015);
  });

  it('SUBA-013 transfers are neither profit nor loss of the main account', async () => {
    const owner = await exchange.aUser({ USDT: '1000' });
    const id = await create(owner, 'Profit');
    const { values } = exchange.doors.portfolio;
    await exchange.advanceTime(24 * 60 * MINUTE_MS);
    await values.valueDay();
    await move(owner, '', id, 'USDT', '300');
    const today = await values.today(owner.id);
    expect(today).toMatchObject({ netDeposits: expect.objectContaining({}) as object });
    expect(today!.netDeposits.toString()).toBe('-300');
    expect((await exchange.doors.identity.accountsOfPerson(id)).length).toBe(2);
  });

  it('SUBA-030 the master creates a key of a sub-account with a mailed code that names the sub-account', async () => {
    const id = await create(master, 'With key');
    expect(createApiKey.access.mailCodeBinds).toContain('subAccount');
    const bot = await keyOf(id);
    const { list } = await master.request(apiKeys, { subAccount: id });
    expect(list).toMatchObject([{ name: 'Bot', transfer: 0, trade: 1 }]);
    expect((await master.request(apiKeys)).list.map(({ key }) => key)).not.toContain(bot.key);
    await master.request(revokeApiKeys, { subAccount: id });
    expect((await bot.send('GET', '/api/v3/account')).code).toBe(-2015);
  });
});
