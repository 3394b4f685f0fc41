import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { FakeTron, TRON_USDT } from '../../../testing/fake-tron.ts';
import { approveAs, evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { expectComparison } from '../../../testing/restores.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { coldDigest } from '../../../testing/test-signer.ts';
import { aTronSigner, testTronXpub } from '../../../testing/test-tron-signer.ts';
import { tronState } from '../../commands/restore/chain-states.ts';
import { TronNode } from './tron-node.ts';
import { createSaver } from '../finance/testing/products.ts';

const RECIPIENT = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const OUTSIDER = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
const COLD = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const USDT = 10n ** 6n;
const TRX = 10n ** 6n;
/**
 * Milliseconds after which the first transaction of a payment, which expires after five minutes, has certainly ended,
 * so that another one can follow.
 */
const FIRST_END = 9 * MINUTE_MS;

let node: FakeTron;
let signer: Awaited<ReturnType<typeof aTronSigner>>;
let exchange: TestExchange;
let wallet: string;

beforeAll(async () => {
  node = new FakeTron();
  await node.start();
  signer = await aTronSigner({ cold: COLD, now: () => node.clock() });
  wallet = signer.signer.address;
  exchange = await anExchange({
    settings: {
      TRON_RPC_URL: node.url,
      TRON_XPUB: testTronXpub(),
      TRON_TOKENS: `USDT=${TRON_USDT}:6`,
      TRON_CHAIN: 'nile',
      TRON_START_BLOCK: '1',
      TRON_WALLET: wallet,
      TRON_SIGNER: signer.place,
      TRON_SIGNER_SECRET_FILE: signer.secretFile,
      TRON_COLD_WALLET: COLD,
      TRON_FEE_TRX: '20',
      TRON_SWEEP_LEAST: '20',
      SERVER_SECRET: SIGNED_SERVER_SECRET,
    },
  });
  node.clock = () => exchange.clock.now();
  node.fund(wallet, { coins: 1_000n * TRX });
  node.fund(OUTSIDER, { tokens: 100_000n * USDT });
  node.transfer({ from: OUTSIDER, to: wallet, units: 5_000n * USDT });
  await solidify();
});
afterEach(() => {
  node.distort = undefined;
  node.isDeaf = false;
  node.loses = () => false;
  node.failure = undefined;
  node.refused.clear();
});
afterAll(async () => {
  await exchange?.close();
  await signer?.close();
  await node?.stop();
});

// Runs the deposit job twice, because one run reads only a bounded number of blocks.
const watch = async () => {
  await exchange.doors.deposits.jobs.watch();
  await exchange.doors.deposits.jobs.watch();
};
const solidify = async (blocks = 1) => {
  node.solidify(blocks);
  await watch();
};
const move = async () => {
  await exchange.doors.withdrawals.jobs.advance();
  await exchange.doors.withdrawals.jobs.advance();
};
/** Advances the time, makes the node solidify two blocks and runs the exchange's jobs. */
const pass = async (ms: number) => {
  await exchange.advanceTime(ms);
  await solidify(2);
  await move();
};
const balances = async (trader: TestTrader) => {
  const { availableCurrency, frozenCurrency } = (await trader.request(spotAssets, { currency: 'USDT' }))
    .list[0]!;
  return `${availableCurrency} ${frozenCurrency}`;
};
const savers: TestTrader[] = [];
const saver = async () => {
  if (savers[0] === undefined) {
    savers[0] = await createSaver(exchange, { USDT: '9000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await solidify();
  }
  return savers[0];
};
/** Submits a withdrawal and approves it directly, without the HTTP requests that other tests cover. */
const withdraw = async (trader: TestTrader, amount: string, address = RECIPIENT) => {
  const { addressBook, withdrawals, review } = exchange.doors.withdrawals;
  const place = { asset: 'USDT', network: 'TRC20', address, memo: undefined, remark: undefined };
  const { id: entry } = await addressBook.add(trader.id, {
    ...place,
    withoutMemo: false,
    activeAt: exchange.clock.now(),
  });
  await addressBook.remove(trader.id, entry);
  const { id } = await withdrawals.submit(trader.id, {
    ...place,
    withoutMemo: false,
    amount: Decimal.parse(amount),
    addressId: undefined,
  });
  await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
  return id;
};
const detail = async (id: string) => (await saver()).request(withdrawalDetail, { id });
const signedFor = async (id: string) => exchange.doors.chains.chains.signedFor('TRC20', `withdrawal ${id}`);
const reason = () => exchange.doors.chains.health().reason;
const logged = (event: string) => exchange.log.lines.filter((line) => line.event === event);
const received = () => node.tokens.get(RECIPIENT) ?? 0n;

it('TRON-010 TRON-011 a withdrawal is paid once in a solidified block, also across a restart, and what it burnt is shown to operators', async () => {
  const trader = await saver();
  const coins = node.coins.get(wallet)!;
  const id = await withdraw(trader, '31');
  await move();
  expect(await detail(id)).toMatchObject({ status: 3, stage: 'sent' });
  await exchange.restart();
  await move();
  await solidify();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, realAmount: '30' });
  expect(received()).toBe(30n * USDT);
  const paid = await exchange.doors.chains.chains.paymentsIn('TRC20', (await detail(id)).txid!);
  expect(paid).toMatchObject([{ address: RECIPIENT, isFinal: true }]);
  const channel = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'tron')!;
  const held = (await channel.wallets!.holdings(channel.height())).get('USDT')!;
  expect(held.toScaled(6)).toBe(node.tokens.get(wallet));
  expect((await channel.hot!.balances('newest'))!.get('USDT')!.toString()).toBe(held.toString());
  const burnt = Decimal.ofScaled(coins - node.coins.get(wallet)!, 6);
  const { networks } = (await (await operateAs(exchange, 'owner', '/ops/networks/all')).json()) as {
    networks: { network: string; fees?: string }[];
  };
  expect(networks.find(({ network }) => network === 'TRC20')!.fees).toBe(`${burnt} TRX`);
});

it('TRON-012 a transaction that ended in no block is signed again after that was read, whatever the node said, and pays once', async () => {
  const trader = await saver();
  const before = received();
  node.isDeaf = true;
  const id = await withdraw(trader, '21');
  await move();
  await pass(4 * MINUTE_MS);
  expect(await signedFor(id)).toHaveLength(1);
  await expect(
    exchange.doors.chains.chains.raiseFee('TRC20', `withdrawal ${id}`, 10n ** 20n),
  ).rejects.toMatchObject({ refusal: { key: 'l.fee_not_raised' } });
  await exchange.restart();
  await pass(FIRST_END);
  const [first, second] = await signedFor(id);
  expect(second!.txid).not.toBe(first!.txid);
  expect(logged('chains.payment_renewed')).toHaveLength(1);
  node.isDeaf = false;
  await pass(MINUTE_MS);
  await solidify();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, txid: second!.txid });
  expect(received() - before).toBe(20n * USDT);
});

it('TRON-013 a payment that the network fails costs its energy only, and its amount comes back', async () => {
  const trader = await saver();
  for (const failure of ['OUT_OF_ENERGY', 'REVERT']) {
    const [held, before] = [await balances(trader), received()];
    const id = await withdraw(trader, '21');
    node.failure = failure;
    await move();
    await solidify();
    await move();
    expect(await detail(id)).toMatchObject({ status: 4 });
    expect([await balances(trader), received()]).toEqual([held, before]);
    node.failure = undefined;
  }
});

it('TRON-014 a payment waits with its reason while the wallet lacks tokens or TRX, or its energy is above the bound, and nothing is signed', async () => {
  const trader = await saver();
  const before = received();
  const id = await withdraw(trader, '31');
  const waits = async (change: () => () => void, expected: string) => {
    const undo = change();
    await pass(HOUR_MS);
    expect(await detail(id)).toMatchObject({ status: 3, stage: 'approved' });
    expect(reason()).toContain(expected);
    expect(await signedFor(id)).toEqual([]);
    undo();
  };
  const change = (held: Map<string, bigint>, units: bigint) => () => {
    const usual = held.get(wallet)!;
    held.set(wallet, units);
    return () => held.set(wallet, usual);
  };
  await waits(change(node.tokens, 30n * USDT - 1n), 'cannot be paid');
  await waits(change(node.coins, 6n * TRX), 'may need');
  await waits(() => {
    node.distort = (method, answer) =>
      method === 'triggerconstantcontract' && (answer as { energy_used: number }).energy_used > 1_000
        ? Object.assign({}, answer, { energy_used: 200_000 })
        : answer;
    return () => (node.distort = undefined);
  }, 'are the most');
  await pass(HOUR_MS);
  await solidify();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1 });
  expect(received() - before).toBe(30n * USDT);
});

it('TRON-015 a withdrawal that is returned comes back when its transaction has ended, and not before; one that was paid first stays paid', async () => {
  const trader = await saver();
  const [held, before] = [await balances(trader), received()];
  node.isDeaf = true;
  const id = await withdraw(trader, '21');
  await move();
  await operate(exchange, `/ops/withdrawals/${id}/return`, { reason: 'a test', because: 'userRequest' });
  await pass(4 * MINUTE_MS);
  expect(await detail(id)).toMatchObject({ status: 3, stage: 'returning' });
  const sent = node.submitted.length;
  await pass(FIRST_END);
  expect(await detail(id)).toMatchObject({ status: 6 });
  expect(await signedFor(id)).toHaveLength(1);
  expect(node.submitted).toHaveLength(sent);
  expect([await balances(trader), received()]).toEqual([held, before]);
  node.isDeaf = false;
  const paid = await withdraw(trader, '21');
  await move();
  await operate(exchange, `/ops/withdrawals/${paid}/return`, { reason: 'a test', because: 'userRequest' });
  await pass(MINUTE_MS);
  await pass(FIRST_END);
  expect(await detail(paid)).toMatchObject({ status: 1 });
  expect(received() - before).toBe(20n * USDT);
});

it('TRON-016 whatever is lost between server and signer, or in the database, a withdrawal is paid once', async () => {
  const trader = await saver();
  const before = received();
  const id = await withdraw(trader, '21');
  await signer.stop();
  await move();
  expect(await signedFor(id)).toEqual([]);
  expect(exchange.doors.chains.health().isUp).toBe(false);
  await signer.start();
  await pass(HOUR_MS);
  const [signed] = await signedFor(id);
  await solidify();
  // Deletes the rows of the paid withdrawal from the database, as if a backup from before the signature was restored;
  // the signer and the chain still have its transaction.
  const { pool } = exchange.database;
  await pool.query('alter table tron_signed disable trigger all');
  await pool.query('delete from tron_signed where origin = $1', [`withdrawal ${id}`]);
  await pool.query('alter table tron_signed enable trigger all');
  await pool.query('delete from chain_sending where origin = $1', [`withdrawal ${id}`]);
  await pool.query('update withdrawal set txid = null, block = null where id = $1', [id]);
  await pass(HOUR_MS);
  await pass(HOUR_MS);
  expect(await signedFor(id)).toMatchObject([{ txid: signed!.txid }]);
  expect(await detail(id)).toMatchObject({ status: 1, txid: signed!.txid });
  expect(received() - before).toBe(20n * USDT);
});

it('TRON-016 a payment whose second transaction a restored database does not know is not signed a third time', async () => {
  const trader = await saver();
  const before = received();
  node.isDeaf = true;
  const id = await withdraw(trader, '21');
  await move();
  const [first] = await signedFor(id);
  node.isDeaf = false;
  node.loses = (txid) => txid === first!.txid;
  await pass(FIRST_END);
  const [, second] = await signedFor(id);
  expect(second).toBeDefined();
  // Deletes the second transaction from the database, as if an earlier backup was restored; the network has executed
  // this transaction.
  const { pool } = exchange.database;
  for (const table of ['chain_variant', 'tron_signed']) {
    await pool.query(`alter table ${table} disable trigger all`);
    await pool.query(`delete from ${table} where txid = $1`, [second!.txid]);
    await pool.query(`alter table ${table} enable trigger all`);
  }
  await pass(HOUR_MS);
  expect((await signedFor(id)).map(({ txid }) => txid)).toContain(second!.txid);
  await pass(HOUR_MS);
  expect(await detail(id)).toMatchObject({ status: 1, txid: second!.txid });
  expect(await signedFor(id)).toHaveLength(2);
  expect(received() - before).toBe(20n * USDT);
});

it('TRON-019 tokens on deposit addresses move into the hot wallet, which sends the TRX for their energy first; few tokens stay', async () => {
  const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
  const addressOf = async (trader: TestTrader) =>
    (await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' })).address;
  const [toAnn, toBob] = [await addressOf(ann), await addressOf(bob)];
  node.transfer({ from: OUTSIDER, to: toAnn, units: 500n * USDT });
  node.transfer({ from: OUTSIDER, to: toBob, units: 19n * USDT });
  await solidify();
  expect([await balances(ann), await balances(bob)]).toEqual(['500 0', '19 0']);
  const held = node.tokens.get(wallet)!;
  const { sweeps } = exchange.doors.treasury;
  await sweeps.check();
  await sweeps.check();
  expect(node.tokens.get(toAnn)).toBe(500n * USDT);
  await solidify();
  for (let round = 0; round < 4; round += 1) {
    await exchange.advanceTime(MINUTE_MS);
    await solidify();
    await sweeps.check();
  }
  expect([node.tokens.get(toAnn), node.tokens.get(wallet)]).toEqual([0n, held + 500n * USDT]);
  expect(node.tokens.get(toBob)).toBe(19n * USDT);
  const closed = (await (await operateAs(exchange, 'owner', '/ops/treasury/closed-sweeps')).json()) as {
    sweeps: Record<string, unknown>[];
  };
  expect(closed.sweeps).toMatchObject([
    { network: 'TRC20', state: 'confirmed', amount: '500', address: toAnn },
  ]);
  // Tokens that a sweep moved from a deposit address into the hot wallet do not count as a deposit, and the holdings
  // still include them.
  expect(await balances(ann)).toBe('500 0');
  const channel = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'tron')!;
  const total = (await channel.wallets!.holdings(channel.height())).get('USDT')!.toScaled(6);
  expect(total).toBe(node.tokens.get(wallet)! + 19n * USDT);
  expect(sweeps.problems).toEqual([]);
});

it('TRON-033 a sweep that ended in no block is signed again only while its address can pay for the energy', async () => {
  const trader = await exchange.aUser();
  const { address } = await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
  node.transfer({ from: OUTSIDER, to: address, units: 400n * USDT });
  await solidify();
  const { sweeps } = exchange.doors.treasury;
  let isLosing = true;
  const round = async (ms: number) => {
    await exchange.advanceTime(ms);
    await solidify(2);
    // The transfer of gas reaches the address; the node loses the sweep, which is sent by the next check.
    node.isDeaf = isLosing && (node.coins.get(address) ?? 0n) > 0n;
    await sweeps.check();
  };
  const signed = async () => {
    const { rows } = await exchange.database.pool.query<{ number: number }>(
      `select signed.number from tron_signed signed
      join chain_sending sending using (origin) join treasury_sweep sweep on sweep.address_index = sending.from_index
      where sweep.address = $1 order by number`,
      [address],
    );
    return rows.map(({ number }) => number);
  };
  for (let rounds = 0; (await signed()).length === 0 && rounds < 10; rounds += 1) await round(MINUTE_MS);
  expect(await signed()).toEqual([0]);

  const gas = node.coins.get(address)!;
  node.coins.set(address, gas - 1n * TRX);
  await round(4 * MINUTE_MS);
  await round(FIRST_END);
  expect(await signed()).toEqual([0]);
  const refused = logged('chains.payment_not_renewed').at(-1);
  expect(String(refused?.fields['cause'])).toContain('may need');

  node.coins.set(address, gas);
  await round(MINUTE_MS);
  expect(await signed()).toEqual([0, 1]);
  isLosing = false;
  for (let rounds = 0; rounds < 4; rounds += 1) await round(MINUTE_MS);
  expect(node.tokens.get(address)).toBe(0n);
  expect(sweeps.problems).toEqual([]);
});

it('TRON-020 surplus that two operators approved goes to the cold wallet of the settings', async () => {
  const transfer = { id: 'x', network: 'TRC20', asset: 'USDT', address: COLD, amount: Decimal.parse('100') };
  const { amount, network, asset, address } = transfer;
  const sending = { origin: 'cold x', network, asset, address, amount, memo: undefined };
  const { chains } = exchange.doors.chains;
  await expect(chains.send({ ...sending, coldDigest: 'a'.repeat(64) })).rejects.toThrow('two operators');
  await chains.send({ ...sending, coldDigest: coldDigest(transfer) });
  await solidify();
  expect(await chains.status('TRC20', 'cold x')).toMatchObject({ state: 'mined' });
  expect(node.tokens.get(COLD)).toBe(100n * USDT);
});

it('TRON-017 a node that hides a payment in its blocks but has it elsewhere makes it wait, named in health, and it is not signed again', async () => {
  const trader = await saver();
  const before = received();
  const id = await withdraw(trader, '21');
  await move();
  const { txid } = (await signedFor(id))[0]!;
  const without = (list: readonly object[] | undefined, name: string) =>
    list?.filter((each) => (each as Record<string, unknown>)[name] !== txid);
  node.distort = (method, answer) => {
    if (method === 'gettransactioninfobyblocknum') return without(answer as object[], 'id');
    const { transactions } = answer as { transactions?: object[] };
    return transactions === undefined
      ? answer
      : Object.assign({}, answer, { transactions: without(transactions, 'txID') });
  };
  await solidify();
  expect(received() - before).toBe(20n * USDT);
  await pass(FIRST_END);
  await pass(FIRST_END);
  expect(await signedFor(id)).toHaveLength(1);
  expect(reason()).toContain('a node lies');
  expect(await detail(id)).toMatchObject({ status: 3 });
});

it('KEY-037 after a restore, what this signer has signed is compared with the network', async () => {
  const states = new Map([['TRC20', await tronState(new TronNode(node.url, undefined))]]);
  const { paid } = await expectComparison(exchange, signer.folder, states);
  expect(paid).not.toEqual([]);
});

it('NET-029 TRX and watched tokens that reach deposit addresses are arrivals, a bounded number a day, which are dismissed or returned and never credited', async () => {
  type Row = Readonly<Record<string, unknown>>;
  const rowsAt = async (path: string, name: string) =>
    ((await (await operateAs(exchange, 'owner', path)).json()) as Record<string, readonly Row[]>)[name]!;
  const decide = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const answer = await operate(exchange, path, { reason: 'a test', ...fields });
    return { status: answer.status, ...((await answer.json()) as { key?: string }) };
  };
  const tokens = '/ops/treasury/watched-tokens';
  const arrivals = async (asset: string) =>
    (await rowsAt('/ops/treasury/arrivals', 'arrivals')).filter((row) => row['asset'] === asset);
  const watchedToken = async (contract: string) =>
    (await rowsAt(tokens, 'tokens')).find((row) => row['contract'] === contract);
  const trader = await exchange.aUser();
  const { address } = await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
  node.fund(OUTSIDER, { coins: 1_000n * TRX });

  expect(await watchedToken('TRX')).toMatchObject({ symbol: 'TRX', least: '1', allowedBy: 'the exchange' });
  const before = Number((await watchedToken('TRX'))!['notShown']);
  const txid = node.pay({ from: OUTSIDER, to: address, units: 25n * TRX });
  node.pay({ from: OUTSIDER, to: address, units: 999_999n });
  node.pay({ from: OUTSIDER, to: wallet, units: 50n * TRX });
  node.pay({ from: wallet, to: address, units: 3n * TRX });
  await solidify(2);
  expect(await arrivals('TRX')).toMatchObject([{ network: 'TRC20', amount: '25', txid, address }]);
  expect(Number((await watchedToken('TRX'))!['notShown']) - before).toBe(1);
  const { chains } = exchange.doors.chains;
  expect(await chains.paymentsIn('TRC20', txid)).toMatchObject([{ asset: 'TRX', address, isFinal: true }]);
  expect(await exchange.doors.treasury.treasury.depositOwner('TRC20', address)).toBe(trader.id);

  const contract = 'TFczxzPhnThNSqr5by8tvxsdCFRRz6cPNq';
  node.facts.set(contract, { digits: 6, name: 'Fake Dollar', symbol: 'USDT' });
  const sendToken = () => node.transfer({ from: OUTSIDER, to: address, units: 2n * USDT, contract });
  sendToken();
  await solidify();
  expect(await arrivals(contract)).toEqual([]);
  const request = { network: 'TRC20', contract, least: '1' };
  for (const [fields, key] of [
    [{ contract: TRON_USDT }, 'l.token_listed'],
    [{ contract: RECIPIENT }, 'l.token_invalid'],
    [{ contract: contract.toLowerCase() }, 'l.token_invalid'],
    [{ contract: 'TRX' }, 'l.token_watched'],
  ] as const)
    expect([fields, (await decide(tokens, { ...request, ...fields })).key]).toEqual([fields, key]);
  expect((await operateAs(exchange, 'owner', tokens, { ...request, reason: 'a test' })).status).toBe(202);
  expect(await watchedToken(contract)).toBeUndefined();
  expect((await decide(tokens, request)).status).toBe(200);
  expect(await watchedToken(contract)).toMatchObject({ name: 'Fake Dollar', digits: 6 });
  const holdings = async () => {
    const tron = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'tron')!;
    return (await tron.wallets!.holdings(tron.height())).get('USDT')?.toString();
  };
  const held = await holdings();
  for (let sent = 0; sent < 51; sent += 1) sendToken();
  await solidify(2);
  await exchange.restart();
  await watch();
  expect(await arrivals(contract)).toHaveLength(50);
  expect(await watchedToken(contract)).toMatchObject({ shownOnDay: 50, notShown: 1 });
  expect(await holdings()).toBe(held);
  expect((await trader.request(spotAssets, { currency: 'USDT' })).list[0]!.availableCurrency).toBe('0');

  const [coin] = await arrivals('TRX');
  const place = `/ops/treasury/arrivals/${String(coin!['id'])}`;
  for (const [act, fields] of [
    ['credit', { owner: trader.id }],
    ['assign', { account: 'fees' }],
  ] as const)
    expect(await decide(`${place}/${act}`, fields)).toMatchObject({ key: 'l.arrival_unlisted' });
  const returning = await operateAs(exchange, 'owner', `${place}/return`, {
    reason: 'a test',
    returnTxid: 'ab'.repeat(32),
  });
  const { proposal } = (await returning.json()) as { proposal: string };
  const { context } = await evidenceOf(exchange, 'approver', proposal);
  expect(context).toMatchObject({ depositAddressOf: trader.id });
  expect(context['onChain']).toContain('Found: 25 TRX');
  expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
  const [fake] = await arrivals(contract);
  expect((await decide(`/ops/treasury/arrivals/${String(fake!['id'])}/dismiss`)).status).toBe(200);
  expect(await arrivals('TRX')).toEqual([]);
  // After two operators have ended the watch of TRX, a restart does not start it again.
  expect((await decide(`${tokens}/TRC20/TRX/end`)).status).toBe(200);
  await exchange.restart();
  node.pay({ from: OUTSIDER, to: address, units: 25n * TRX });
  await solidify(2);
  expect(await arrivals('TRX')).toEqual([]);
});

it('WDR-1207 the cost of a payment is its energy and bandwidth in TRX, without the staked resources', async () => {
  const costs = await exchange.doors.chains.chains.paymentCosts(['USDT', 'TRX'], 'TRC20');
  expect(costs.get('USDT')).toEqual({ coin: 'TRX', amount: Decimal.parse('6.85') });
});
