import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import { depositAddress, depositNetworks, depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalConfig, withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  account,
  Anvil,
  ANVIL_CHAIN,
  testDepositKeys,
  testXpub,
  REFUSING_CODE,
  withoutAnvil,
} from '../../../testing/anvil.ts';
import { testDatabase } from '../../../testing/database.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { approveAs, evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { comparedWithChain } from '../../../testing/restores.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { aSignerProcess, confirmedDigest } from '../../../testing/test-signer.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { backUp, restoreBackup } from '../../platform/backup/backup.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { evmState, stateOnChain } from '../../commands/restore/chain-states.ts';
import { evmChain, paymentsIn } from '../../commands/restore/signed-payments.ts';
import { compareWithChain, storeComparison, type SignedPayment } from '../withdrawals/restore-repository.ts';
import { SendingPause } from '../withdrawals/sending-stops.ts';
import { ChannelUnavailable } from './channel.ts';
import { demoDestination } from './domain.ts';
import { EvmNode } from './evm-node.ts';
import { SHOWN_PER_DAY } from './watched-tokens-domain.ts';
import { SignerClient } from '../../platform/signer/client.ts';
import { GAS_TAG } from '../../platform/signer/protocol.ts';
import { createSaver } from '../finance/testing/products.ts';

const ETHER = 10n ** 18n;
const CONFIRMATIONS = 3;
const RECEIVER = '0x1111111111111111111111111111111111111111';
/** Number of the test account that is the cold wallet; it has no coins at first. */
const COLD = 20;
const skipped = withoutAnvil();

describe.skipIf(skipped !== undefined)('coins on a real chain', () => {
  let anvil: Anvil;
  let token: string;
  let signer: Awaited<ReturnType<typeof aSignerProcess>>;
  let exchange: TestExchange;
  const lists = mkdtempSync(join(tmpdir(), 'exchange-lists-'));

  beforeAll(async () => {
    anvil = await Anvil.start();
    token = await anvil.deployToken(account(0));
    writeFileSync(join(lists, 'plain.txt'), `${account(7).address}\n`);
    signer = await aSignerProcess(token, undefined, account(COLD).address);
    exchange = await anExchange({
      settings: {
        EVM_RPC_URL: anvil.url,
        EVM_CHAIN_ID: String(ANVIL_CHAIN),
        EVM_XPUB: testXpub(),
        EVM_TOKENS: `USDT=${token}:6`,
        EVM_CONFIRMATIONS: String(CONFIRMATIONS),
        EVM_WALLET: account(0).address,
        SANCTIONS_FOLDER: lists,
        EVM_COLD_WALLET: account(COLD).address,
        EVM_HOT_BOUNDS: 'ETH=4000/8000/20000',
        EVM_SWEEP_FACTOR: '10',
        EVM_TRACE: 'debug',
        EVM_SIGNER: signer.place,
        EVM_SIGNER_SECRET_FILE: signer.secretFile,
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    await signer?.close();
    await anvil?.stop();
    rmSync(lists, { recursive: true });
  });

  // Runs the deposit job twice, because one run reads only a bounded number of blocks.
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };
  const move = async () => {
    await exchange.doors.withdrawals.jobs.advance();
    await exchange.doors.withdrawals.jobs.advance();
  };
  const mineBlocks = async (blocks: number) => {
    await anvil.mine(blocks);
    await watch();
  };
  const coins = async (trader: TestTrader, currency: string) => {
    const { availableCurrency, frozenCurrency } = (await trader.request(spotAssets, { currency })).list[0]!;
    return [availableCurrency, frozenCurrency];
  };
  const records = async (trader: TestTrader) => (await trader.request(depositRecords)).list;
  const addressOf = async (trader: TestTrader, currency = 'ETH') =>
    (await trader.request(depositAddress, { currency, network: 'ERC20' })).address;
  /** Submits a withdrawal and approves it directly, without the HTTP requests that other tests cover. */
  const withdraw = async (trader: TestTrader, asset: string, amount: string) => {
    const noBookEntry = { addressId: undefined, memo: undefined, remark: undefined };
    const { review, withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset,
      network: 'ERC20',
      amount: Decimal.parse(amount),
      address: RECEIVER,
      ...noBookEntry,
    };
    await markAddressKnown(exchange, trader.id, asset, 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(trader.id, request);
    await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return id;
  };
  const detail = (trader: TestTrader, id: string) => trader.request(withdrawalDetail, { id });
  /** The row of a withdrawal in the list of pending withdrawals that operators see. */
  const queued = async (id: string) => {
    const queue = await (await operateAs(exchange, 'owner', '/ops/withdrawals')).json();
    const { withdrawals: rows } = queue as { withdrawals: readonly Readonly<Record<string, string>>[] };
    return rows.find((row) => row['id'] === id)!;
  };
  const sending = async (id: string) => {
    const { rows } = await exchange.database.pool.query<{
      txid: string | null;
      raw: string | null;
      nonce: string;
    }>('select txid, raw, nonce from chain_sending where origin = $1', [`withdrawal ${id}`]);
    return rows[0];
  };

  it('DEP-033 the chain serves its configured coins, next to the simulated networks', async () => {
    const trader = await exchange.aUser();
    const channels = async (currency: string) =>
      (await trader.request(depositNetworks, { currency })).list.map(
        ({ network, channel }) => `${network} ${channel}`,
      );
    expect(await channels('USDT')).toEqual(['TRC20 demo', 'ERC20 evm', 'BEP20 manual']);
    expect(await channels('SHIB')).toEqual(['ERC20 none']);
    expect((await trader.request(depositNetworks, { currency: 'ETH' })).list).toMatchObject([
      { confirmations: CONFIRMATIONS, channel: 'evm', status: 1 },
    ]);
    expect(await addressOf(trader)).toBe(await addressOf(trader, 'USDT'));
    expect(await trader.request(withdrawalConfig, { currency: 'ETH', network: 'ERC20' })).toMatchObject({
      channel: 'evm',
      paused: 0,
    });
  });

  it('DEP-034 an address from before the network had a chain is replaced by one of the chain', async () => {
    const [before, fresh] = [await exchange.aUser(), await exchange.aUser()];
    const pretended = demoDestination(findCoinNetwork('ETH', 'ERC20')!.network, before.id, 0).address;
    await exchange.database.pool.query(
      'insert into deposit_address (owner, network, address, at) values ($1, $2, $3, 0)',
      [before.id, 'ERC20', pretended],
    );
    const address = await addressOf(before);
    expect(address).not.toBe(pretended);
    expect(await addressOf(before)).toBe(address);
    expect(await addressOf(fresh)).not.toBe(address);
  });

  it('DEP-033 transfers of the chain are numbered after the simulated ones, so none is skipped as old', async () => {
    const trader = await exchange.aUser();
    for (let n = 0; n < 5; n += 1)
      await trader.request(sendTestDeposit, {
        currency: 'USDT',
        network: 'TRC20',
        amount: '10',
        clientId: randomUUID(),
      });
    const positions = async (table: string) =>
      (await exchange.database.pool.query<{ last: bigint }>(`select max(position) as last from ${table}`))
        .rows[0]!.last;
    const pretended = await positions('chain_transfer');
    await anvil.pay(account(1), await addressOf(trader), ETHER);
    await mineBlocks(1);
    expect((await records(trader)).map(({ currency }) => currency)).toContain('ETH');
    expect(await positions('chain_sighting')).toBeGreaterThan(pretended);
  });

  it('DEP-034 an address that was tampered with in the database is not shown', async () => {
    const trader = await exchange.aUser();
    await addressOf(trader);
    const { pool } = exchange.database;
    await pool.query('update deposit_address set address = $2 where owner = $1', [trader.id, RECEIVER]);
    expect((await trader.call(depositAddress, { currency: 'ETH', network: 'ERC20' })).code).not.toBe(1);
    expect(exchange.log.lines.some(({ level }) => level === 'error')).toBe(true);
  });

  it('DEP-035 coin and token deposits confirm block by block and are credited once; failed transfers and unknown coins are not', async () => {
    const trader = await exchange.aUser();
    const to = await addressOf(trader);
    const otherToken = await anvil.deployToken(account(2));
    await anvil.pay(account(1), to, (3n * ETHER) / 2n + 9n);
    await anvil.payToken(account(0), token, to, 250_000_001n);
    await anvil.payToken(account(2), otherToken, to, 7n);
    // Account 3 has no tokens, so its transaction fails; a block contains it nevertheless.
    await anvil.payToken(account(3), token, to, 5_000_000n);
    await mineBlocks(1);
    const rows = (await records(trader)).map(({ currency, amount, confirm, needConfirm, status }) =>
      [currency, amount, confirm, needConfirm, status].join(' '),
    );
    expect(rows.toSorted()).toEqual([`ETH 1.5 1 ${CONFIRMATIONS} 0`, `USDT 250.000001 1 ${CONFIRMATIONS} 0`]);
    expect(await coins(trader, 'ETH')).toEqual(['0', '0']);
    await exchange.restart();
    await anvil.mine(CONFIRMATIONS - 1);
    await Promise.all([watch(), watch()]);
    expect(await coins(trader, 'ETH')).toEqual(['1.5', '0']);
    expect(await coins(trader, 'USDT')).toEqual(['250.000001', '0']);
    expect((await records(trader)).map(({ status }) => status)).toEqual([1, 1]);
  });

  it('TRE-059 ether from inside a contract is credited like a deposit, once, and a reverted one is not', async () => {
    const trader = await exchange.aUser();
    const to = await addressOf(trader);
    const receiver = to.slice(2).toLowerCase().padStart(64, '0');
    // The first contract forwards the coins that it receives to the address in its call data; the second does the same
    // and then reverts.
    const forwarder = await anvil.deploy(account(8), '6000600060006000346000355af100');
    const reverting = await anvil.deploy(account(8), '6000600060006000346000355af160006000fd');
    const pay = async (contract: string, value: bigint) =>
      anvil.send(await anvil.signTransaction(account(8), { to: contract, value, data: `0x${receiver}` }));
    const txid = await pay(forwarder, ETHER / 2n);
    await pay(reverting, ETHER);
    await pay(forwarder, ETHER / 4n);
    await mineBlocks(1);
    await exchange.restart();
    await mineBlocks(CONFIRMATIONS);
    const list = (await records(trader)).map(({ amount, status }) => `${amount} ${status}`);
    expect(list.toSorted()).toEqual(['0.25 1', '0.5 1']);
    expect(await coins(trader, 'ETH')).toEqual(['0.75', '0']);
    expect((await records(trader)).map((row) => row.txid)).toContain(txid);
  });

  it('DEP-036 a deposit in a dropped block is rejected, and pending again once another block contains it', async () => {
    const trader = await exchange.aUser();
    const raw = await anvil.signTransaction(account(4), { to: await addressOf(trader), value: ETHER });
    const txid = await anvil.send(raw);
    await mineBlocks(1);
    expect(await records(trader)).toMatchObject([{ txid, status: 0, gone: 0, confirm: 1 }]);
    await anvil.reorg(1);
    await mineBlocks(CONFIRMATIONS);
    expect(await records(trader)).toMatchObject([{ txid, status: 2, gone: 1, realAmount: '0' }]);
    expect(await coins(trader, 'ETH')).toEqual(['0', '0']);
    await anvil.send(raw);
    await mineBlocks(1);
    expect(await records(trader)).toMatchObject([{ txid, status: 0, gone: 0, confirm: 1 }]);
    await mineBlocks(CONFIRMATIONS - 1);
    expect(await coins(trader, 'ETH')).toEqual(['1', '0']);
    expect(await records(trader)).toMatchObject([{ txid, status: 1 }]);
  });

  it('DEP-037 TRE-022 a credited deposit in a dropped block stays credited with an alarm, can be claimed, and is the owner’s again once it reappears', async () => {
    const trader = await exchange.aUser();
    const raw = await anvil.signTransaction(account(5), { to: await addressOf(trader), value: ETHER });
    await anvil.send(raw);
    await mineBlocks(CONFIRMATIONS);
    expect(await coins(trader, 'ETH')).toEqual(['1', '0']);
    await anvil.reorg(CONFIRMATIONS);
    await mineBlocks(1);
    expect(await records(trader)).toMatchObject([{ status: 1, gone: 1 }]);
    expect(await coins(trader, 'ETH')).toEqual(['1', '0']);
    expect(exchange.log.lines.some(({ event }) => event === 'deposits.credited_and_gone')).toBe(true);
    const response = await operate(exchange, '/ops/deposits/gone');
    expect(((await response.json()) as { gone: unknown[] }).gone).toMatchObject([
      { owner: trader.id, asset: 'ETH' },
    ]);
    expect((await exchange.doors.deposits.health()).isUp).toBe(false);
    const [deposit] = await records(trader);
    expect(
      (await operate(exchange, `/ops/deposits/gone/${deposit!.id}/claim`, { reason: 'it is gone' })).status,
    ).toBe(200);
    expect(await coins(trader, 'ETH')).toEqual(['0', '0']);
    expect((await exchange.doors.deposits.health()).isUp).toBe(true);
    await anvil.send(raw);
    await mineBlocks(CONFIRMATIONS);
    expect(await records(trader)).toMatchObject([{ status: 1, gone: 0 }]);
    expect(await coins(trader, 'ETH')).toEqual(['1', '0']);
    expect((await exchange.doors.deposits.health()).isUp).toBe(true);
  });

  it('WDR-021 WDR-022 coin and token are sent once by the signer and settled after their confirmations', async () => {
    const trader = await createSaver(exchange, { ETH: '2', USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const [coin, tether] = [await withdraw(trader, 'ETH', '1.001'), await withdraw(trader, 'USDT', '104')];
    await move();
    expect(await detail(trader, coin)).toMatchObject({
      status: 3,
      confirm: 0,
      txid: (await sending(coin))!.txid,
    });
    // The node loses the transaction; the exchange then broadcasts the identical transaction again.
    await anvil.rpc('anvil_dropTransaction', (await sending(coin))!.txid);
    await move();
    await mineBlocks(1);
    await move();
    expect(await detail(trader, coin)).toMatchObject({ status: 3, confirm: 1, needConfirm: CONFIRMATIONS });
    await exchange.restart();
    await mineBlocks(CONFIRMATIONS - 1);
    await move();
    expect(await detail(trader, coin)).toMatchObject({ status: 1, realAmount: '1' });
    expect(await detail(trader, tether)).toMatchObject({ status: 1, realAmount: '100' });
    expect(await anvil.balance(RECEIVER)).toBe(ETHER);
    expect(await anvil.tokenBalance(token, RECEIVER)).toBe(100_000_000n);
    expect([await coins(trader, 'ETH'), await coins(trader, 'USDT')]).toEqual([
      ['0.999', '0'],
      ['396', '0'],
    ]);
  });

  it('TRE-001 TRE-004 a transfer to the wallet waits as an arrival, and gas of payments is booked once from the fees account', async () => {
    const fees = () =>
      exchange.doors.ledger.balance({ owner: undefined, slot: -1, name: 'house:fees' }, 'ETH');
    const booked = async () => {
      await exchange.doors.treasury.treasury.bookFees();
      const answer = await operate(exchange, '/ops/treasury/payments');
      return ((await answer.json()) as { payments: { kind: string; asset: string; amount: string }[] })
        .payments;
    };
    await anvil.pay(account(6), account(0).address, ETHER);
    await mineBlocks(CONFIRMATIONS);
    const list = await operate(exchange, '/ops/treasury/arrivals');
    const { arrivals } = (await list.json()) as { arrivals: { id: string; amount: string; asset: string }[] };
    expect(arrivals).toMatchObject([{ amount: '1', asset: 'ETH' }]);
    /**
     * Balance of the fees account plus all network fees that were booked on it, so that network fees do not change the
     * result.
     */
    const beforeGas = async () => {
      const payments = await booked();
      return payments.reduce((sum, { amount }) => sum.plus(Decimal.parse(amount)), fees()).toString();
    };
    const before = Decimal.parse(await beforeGas());
    await operate(exchange, `/ops/treasury/arrivals/${arrivals[0]!.id}/assign`, {
      account: 'fees',
      reason: 'gas for the wallet',
    });
    expect(await beforeGas()).toBe(before.plus(Decimal.ofWhole(1)).toString());
    const payments = await booked();
    expect(payments.map(({ kind, asset }) => `${kind} ${asset}`)).toEqual(['gas ETH', 'gas ETH']);
    expect(await booked()).toEqual(payments);
    expect(exchange.doors.treasury.treasury.unbookedFees).toBe(0);
  });

  it('WDR-023 after a stop between signing and sending, the signed transaction is sent and no second one', async () => {
    const trader = await createSaver(exchange, { ETH: '1' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const client = new SignerClient(signer);
    const noBookEntry = { addressId: undefined, memo: undefined, remark: undefined };
    const { review, withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('0.501'),
      address: RECEIVER,
      ...noBookEntry,
    };
    await markAddressKnown(exchange, trader.id, 'ETH', 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(trader.id, request);
    // Simulates a server that requested a signature and crashed before it stored the signed transaction.
    const lost = await askSigner(client, `withdrawal ${id}`, '0.5', trader.id);
    await signer.restart();
    await review.decide(id, 'approve', { by: 'an operator', persons: 1 });
    await move();
    expect((await sending(id))!.raw).toBe((lost as { raw: string }).raw);
    await mineBlocks(CONFIRMATIONS);
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 1 });
    expect((await anvil.balance(RECEIVER)) - before).toBe(ETHER / 2n);
  });

  it('WDR-024 a withdrawal that the chain rejects for good fails, and its amount is returned once', async () => {
    const trader = await createSaver(exchange, { USDT: '200' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw(trader, 'USDT', '104');
    await move();
    const walletBalance = await anvil.tokenBalance(token, account(0).address);
    // The wallet loses its tokens before the transaction is in a block, so the transaction fails.
    await anvil.setTokenBalance(token, account(0).address, 0n);
    await mineBlocks(1);
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3 });
    expect(await coins(trader, 'USDT')).toEqual(['96', '104']);
    await mineBlocks(CONFIRMATIONS - 1);
    await Promise.all([move(), move()]);
    await move();
    await anvil.setTokenBalance(token, account(0).address, walletBalance);
    expect(await detail(trader, id)).toMatchObject({ status: 4 });
    expect(await coins(trader, 'USDT')).toEqual(['200', '0']);
    const { list } = await trader.request(messagePage);
    expect(list.filter(({ title }) => title.startsWith('Withdrawal failed'))).toHaveLength(1);
  });

  it('WDR-025 NET-027 without funds in the wallet or beyond the signer’s limits, a withdrawal waits and operators see the reason', async () => {
    const trader = await createSaver(exchange, { USDT: '30000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw(trader, 'USDT', '9000');
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3 });
    const health = exchange.doors.chains.health();
    expect(health).toMatchObject({ isUp: false });
    expect(health.reason).toContain('more than 5000 at once');
    // The status page is cached for some seconds, so the clock is advanced to get a current one. A single waiting
    // payment does not make it show the network as delayed.
    await exchange.advanceTime(MINUTE_MS);
    const published = (await (await fetch(`${exchange.url}/status.json`)).json()) as {
      networks: { network: string; delayed: boolean }[];
    };
    expect(published.networks.find(({ network }) => network === 'ERC20')).toMatchObject({ delayed: false });
    expect((await sending(id))!.raw).toBeNull();
    const walletBalance = await anvil.tokenBalance(token, account(0).address);
    await anvil.setTokenBalance(token, account(0).address, 1n);
    const poor = await withdraw(trader, 'USDT', '50');
    await move();
    expect(exchange.doors.chains.health().reason).toContain('the wallet has 0.000001 USDT, not 46');
    await anvil.setTokenBalance(token, account(0).address, walletBalance);
    await exchange.advanceTime(MINUTE_MS);
    await move();
    expect((await sending(poor))!.raw).not.toBeNull();
    // The large withdrawal is still pending, so its amount is still on hold.
    expect(await coins(trader, 'USDT')).toEqual(['20950', '9050']);
  });

  const GWEI = 1_000_000_000n;
  /** Mines a block with this base fee in Gwei; transactions that pay less stay out of the block. */
  const mineAt = async (gwei: bigint) => {
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * GWEI).toString(16)}`);
    await mineBlocks(1);
  };
  const act = (id: string, operation: string, fields: Readonly<Record<string, string>>) =>
    operate(exchange, `/ops/withdrawals/${id}/${operation}`, { reason: 'a test', ...fields });
  const keyOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { key?: string }).key;
  const transactionsOf = async (id: string) => {
    const answer = await operate(exchange, `/ops/withdrawals/${id}/transactions`);
    type Row = { readonly txid: string; readonly isVoid: boolean; readonly maxFee: string };
    return ((await answer.json()) as { transactions: readonly Row[] }).transactions;
  };

  it('WDR-1207 WDR-1208 TRE-163 a withdrawal is charged the gas of a payment at the chain’s fee, and the rest arrives', async () => {
    const baseFee = async () => {
      type Block = { readonly baseFeePerGas: string };
      const block = await anvil.rpc<Block>('eth_getBlockByNumber', 'latest', false);
      return BigInt(block.baseFeePerGas);
    };
    const usualFee = await baseFee();
    await mineAt(20n);
    const price = (await baseFee()) + BigInt(await anvil.rpc('eth_maxPriorityFeePerGas'));
    const { chains } = exchange.doors.chains;
    const costs = await chains.paymentCosts(['ETH', 'USDT', 'SHIB'], 'ERC20');
    expect(costs).toEqual(
      new Map([
        ['ETH', { coin: 'ETH', amount: Decimal.ofScaled(21_000n * price, 18) }],
        ['USDT', { coin: 'ETH', amount: Decimal.ofScaled(65_000n * price, 18) }],
      ]),
    );
    expect(await chains.paymentCosts(['USDT'], 'TRC20')).toEqual(new Map());
    await exchange.setPrice('ethusdt', '3000');
    // The gas price is the same for all coins of the network, so the node is queried for it once.
    const reads = vi.spyOn(EvmNode.prototype, 'fees');
    await exchange.doors.treasury.withdrawalFees.refresh();
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
    const rows = exchange.doors.treasury.withdrawalFees.view('ERC20');
    const feeOf = (asset: string) => rows.find((row) => row.asset === asset)!;
    // The withdrawal fee is 1.2 times the network cost, rounded up to two significant digits, which adds at most a
    // tenth.
    for (const { asset, fee, cost, isLive } of [feeOf('ETH'), feeOf('USDT')]) {
      expect([asset, isLive]).toEqual([asset, true]);
      const wanted = cost!.times(Decimal.parse('1.2'), 'up');
      expect(fee.isLess(wanted)).toBe(false);
      expect(fee.isMore(wanted.times(Decimal.parse('1.1'), 'up'))).toBe(false);
    }
    expect(feeOf('USDT').cost!.toString()).toBe(
      costs.get('USDT')!.amount.times(Decimal.ofWhole(3_000), 'up').toString(),
    );
    expect(feeOf('SHIB')).toMatchObject({ isLive: false });
    const trader = await createSaver(exchange, { ETH: '2' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await exchange.doors.treasury.withdrawalFees.refresh();
    const before = await anvil.balance(RECEIVER);
    const id = await withdraw(trader, 'ETH', '1');
    await move();
    await mineBlocks(CONFIRMATIONS);
    await move();
    const fee = feeOf('ETH').fee;
    const arrived = Decimal.one.minus(fee);
    expect(await detail(trader, id)).toMatchObject({
      status: 1,
      fee: fee.toString(),
      realAmount: arrived.toString(),
    });
    expect((await anvil.balance(RECEIVER)) - before).toBe(arrived.toScaled(18));
    // While the node does not answer, the withdrawal fees from the last network fees read apply for five
    // minutes, and then the fixed withdrawal fees in the table of networks.
    const away = vi.spyOn(EvmNode.prototype, 'fees').mockRejectedValue(new ChannelUnavailable('away'));
    await exchange.advanceTime(6 * MINUTE_MS);
    await exchange.doors.treasury.withdrawalFees.refresh();
    away.mockRestore();
    expect(await trader.request(withdrawalConfig, { currency: 'ETH', network: 'ERC20' })).toMatchObject({
      fee: '0.001',
      feeLive: 0,
    });
    expect(
      exchange.log.lines.filter(({ event }) => event === 'treasury.withdrawal_fees_not_read'),
    ).toHaveLength(1);
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${usualFee.toString(16)}`);
    await mineBlocks(1);
  });

  it('WDR-1164 TRE-105 what the signer never signed is returned at once by two operators, and never paid afterwards', async () => {
    const trader = await createSaver(exchange, { USDT: '9000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    // Mines the payments of earlier tests, so that only this test's payments follow.
    await mineBlocks(1);
    const before = await anvil.tokenBalance(token, RECEIVER);
    const id = await withdraw(trader, 'USDT', '8000');
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3, stage: 'approved' });
    expect((await queued(id))['waitsBecause']).toContain(`the signer refused withdrawal ${id}`);
    const path = `/ops/withdrawals/${id}/return`;
    const because = { reason: 'the signer refuses it', because: 'networkRefused' };
    expect((await operateAs(exchange, 'owner', path, because)).status).toBe(202);
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3, stage: 'approved' });
    expect((await operate(exchange, path, because)).status).toBe(200);
    await Promise.all([move(), move()]);
    expect(await detail(trader, id)).toMatchObject({ status: 6, reason: 'networkRefused' });
    expect(await coins(trader, 'USDT')).toEqual(['9000', '0']);
    expect(await keyOf(act(id, 'return', because))).toBe('l.withdraw_not_pending');
    expect(await askSigner(new SignerClient(signer), `withdrawal ${id}`, '1')).toEqual({
      refused: 'the payment was voided',
    });
    const { list } = await trader.request(messagePage);
    expect(list.filter(({ title }) => title.startsWith('Withdrawal returned'))).toHaveLength(1);
    await mineBlocks(CONFIRMATIONS);
    expect(await anvil.tokenBalance(token, RECEIVER)).toBe(before);
  });

  it('WDR-1174 TRE-105 the owner reads that the network refuses a payment, and it is paid once the receiver accepts it', async () => {
    const trader = await createSaver(exchange, { ETH: '2' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    // The receiver of the payment is a contract that reverts every call, so that the network refuses the
    // payment.
    const refusing = await anvil.deploy(account(1), REFUSING_CODE);
    await markAddressKnown(exchange, trader.id, 'ETH', 'ERC20', refusing);
    const { review, withdrawals } = exchange.doors.withdrawals;
    const { id } = await withdrawals.submit(trader.id, {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('1.001'),
      address: refusing,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3, stage: 'refused' });
    expect((await queued(id))['waitsBecause']).toBe(
      'the receiver or the contract of the coin refuses the payment',
    );
    await anvil.rpc('anvil_setCode', refusing, '0x');
    await exchange.advanceTime(2 * MINUTE_MS);
    await move();
    await mineBlocks(CONFIRMATIONS);
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 1 });
    expect(await anvil.balance(refusing)).toBe(ETHER);
  });

  it('TRE-107 TRE-108 TRE-109 TRE-161 transfers of a token that two operators watch are arrivals, a bounded number a day, and are booked only once it is listed', async () => {
    type Row = Readonly<Record<string, unknown>>;
    const rowsAt = async (path: string, name: string) =>
      ((await (await operateAs(exchange, 'owner', path)).json()) as Record<string, readonly Row[]>)[name]!;
    const decide = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
      const answer = await operate(exchange, path, { reason: 'a test', ...fields });
      return { status: answer.status, ...((await answer.json()) as { key?: string; id?: string }) };
    };
    const tokens = '/ops/treasury/watched-tokens';
    const digits = 6;
    const fake = await anvil.deployUnlistedToken(account(1), { name: 'Fake Dollar', symbol: 'USDT', digits });
    const contract = fake.toLowerCase();
    const trader = await exchange.aUser();
    const address = await addressOf(trader);
    const seen = async () =>
      (await rowsAt('/ops/treasury/arrivals', 'arrivals')).filter(({ asset }) => asset === contract);
    const unit = 10n ** BigInt(digits);
    await anvil.payToken(account(1), fake, address, 5n * unit);
    await mineBlocks(1);
    expect(await seen()).toEqual([]);

    const request = { network: 'ERC20', contract: fake, least: '1' };
    const refusals = [
      [{ contract: token }, 'l.token_listed'],
      [{ contract: RECEIVER }, 'l.token_invalid'],
      [{ contract: 'USDT' }, 'l.token_invalid'],
      [{ least: '0' }, 'l.field_positive'],
      [{ network: 'NONE' }, 'l.field_choice'],
    ] as const;
    for (const [fields, key] of refusals)
      expect(await decide(tokens, { ...request, ...fields }), key).toMatchObject({ status: 400, key });
    const proposed = await operateAs(exchange, 'owner', tokens, { reason: 'a test', ...request });
    const { proposal } = (await proposed.json()) as { proposal: string };
    const { facts, warnings } = await evidenceOf(exchange, 'approver', proposal);
    expect(facts).toMatchObject({ contract, symbol: 'USDT', name: 'Fake Dollar', digits });
    expect(warnings[0]!.text).toContain('Names can lie');
    expect(warnings[0]!.text).toContain('USDT is the name of a listed coin');
    expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
    expect(await decide(tokens, request)).toMatchObject({ key: 'l.token_watched' });

    await anvil.payToken(account(1), fake, address, 5n * unit);
    await anvil.payToken(account(1), fake, address, unit / 10n);
    // The amount of this transfer is larger than the database can store, so no arrival is recorded.
    await anvil.payToken(account(1), fake, address, 2n ** 255n);
    await mineBlocks(1);
    const [arrival, ...others] = await seen();
    expect(others).toEqual([]);
    expect(arrival).toMatchObject({ amount: '5', address, token: 'USDT (Fake Dollar)' });
    // The exchange reads the transfers again, as after a restart.
    await exchange.doors.deposits.jobs.load();
    await watch();
    expect(await seen()).toHaveLength(1);
    expect(await records(trader)).toEqual([]);
    for (let payment = 0; payment < SHOWN_PER_DAY; payment += 1)
      await anvil.payToken(account(1), fake, account(0).address, unit);
    await mineBlocks(CONFIRMATIONS);
    expect(await seen()).toHaveLength(SHOWN_PER_DAY);
    expect(await rowsAt(tokens, 'tokens')).toMatchObject([
      { contract, shownOnDay: SHOWN_PER_DAY, notShown: 3 },
    ]);

    const path = `/ops/treasury/arrivals/${String(arrival!['id'])}`;
    for (const [act, fields] of [
      ['credit', { owner: trader.id }],
      ['assign', { account: 'fees' }],
    ] as const)
      expect(await decide(`${path}/${act}`, fields)).toMatchObject({ key: 'l.arrival_unlisted' });
    const returning = await operateAs(exchange, 'owner', `${path}/return`, {
      reason: 'a test',
      returnTxid: `0x${'ab'.repeat(32)}`,
    });
    const returned = ((await returning.json()) as { proposal: string }).proposal;
    const { context } = await evidenceOf(exchange, 'approver', returned);
    expect(context).toMatchObject({ depositAddressOf: trader.id });
    expect(context['onChain']).toContain(`Found: 5 ${contract}`);
    expect((await approveAs(exchange, 'approver', returned)).status).toBe(200);

    expect((await decide(`${tokens}/ERC20/${contract}/end`)).status).toBe(200);
    expect(await decide(`${tokens}/ERC20/${contract}/end`)).toMatchObject({ key: 'l.not_found' });
    await anvil.payToken(account(1), fake, address, 9n * unit);
    await mineBlocks(1);
    expect(await seen()).toHaveLength(SHOWN_PER_DAY - 1);

    // Stores an arrival of a token under the address of its contract, although the token is listed; `adoptListed` turns
    // it into an arrival of the listed coin.
    const txid = `0x${randomUUID().replaceAll('-', '').repeat(2)}`;
    const found = { network: 'ERC20', asset: token, amount: '7.1234567', txid, remark: 'seen', output: '1' };
    const { id = '' } = await decide('/ops/treasury/register', found);
    await exchange.doors.treasury.treasury.adoptListed();
    const adopted = (await rowsAt('/ops/treasury/arrivals', 'arrivals')).find((row) => row['id'] === id);
    expect(adopted).toMatchObject({ asset: 'USDT', amount: '7.123456', txid });
    // Arrivals of an unlisted token stay open under the address of its contract, however old they are.
    expect(await seen()).toHaveLength(SHOWN_PER_DAY - 1);
    expect((await decide(`/ops/treasury/arrivals/${id}/dismiss`)).status).toBe(200);
    const { rows } = await exchange.database.pool.query<{ id: string }>(
      `select id from treasury_arrival where asset = $1 and state = 'open'`,
      [contract],
    );
    expect(rows).toHaveLength(SHOWN_PER_DAY - 1);
  });

  it('WDR-1164 what was signed is returned when a transfer of nothing has taken its place for good', async () => {
    const trader = await createSaver(exchange, { ETH: '5' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const [returned, paid] = [await withdraw(trader, 'ETH', '1.001'), await withdraw(trader, 'ETH', '0.501')];
    await move();
    await act(returned, 'return', { because: 'userRequest' });
    await move();
    expect(await detail(trader, returned)).toMatchObject({
      status: 3,
      stage: 'returning',
      reason: 'userRequest',
    });
    expect((await transactionsOf(returned)).map(({ isVoid }) => isVoid)).toEqual([false, true]);
    await mineBlocks(1);
    await exchange.restart();
    await move();
    // A block contains the voiding transaction and the other withdrawal's payment, but the block is not final
    // yet, so both amounts are still on hold.
    expect(await coins(trader, 'ETH')).toEqual(['3.498', '1.502']);
    // A withdrawal that is in a block can no longer be returned to its owner; it ends as paid.
    await act(paid, 'return', { because: 'userRequest' });
    await mineBlocks(CONFIRMATIONS - 1);
    await move();
    expect(await detail(trader, returned)).toMatchObject({ status: 6, reason: 'userRequest' });
    expect(await detail(trader, paid)).toMatchObject({ status: 1 });
    expect(await coins(trader, 'ETH')).toEqual(['4.499', '0']);
    expect((await anvil.balance(RECEIVER)) - before).toBe(ETHER / 2n);
  });

  it('WDR-1164 a payment whose nonce another transaction used is returned on the evidence of that transaction', async () => {
    const trader = await createSaver(exchange, { ETH: '2' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw(trader, 'ETH', '1.001');
    await move();
    const nonce = Number((await sending(id))!.nonce);
    const gas = { gasLimit: 21_000n, maxFeePerGas: 90n * GWEI, maxPriorityFeePerGas: 9n * GWEI };
    const raw = await account(0).signTransaction({
      type: 2,
      chainId: ANVIL_CHAIN,
      nonce,
      to: RECEIVER,
      ...gas,
    });
    const other = await anvil.send(raw);
    await mineBlocks(1);
    const unrelated = await anvil.pay(account(1), RECEIVER, 1n);
    await mineBlocks(CONFIRMATIONS);
    await exchange.advanceTime(11 * MINUTE_MS);
    await move();
    expect(exchange.doors.chains.health().reason).toContain(`its nonce ${nonce} was used`);
    for (const txid of [unrelated, (await sending(id))!.txid!]) {
      await act(id, 'return', { because: 'networkRefused', txid });
      await move();
      expect(await detail(trader, id)).toMatchObject({ status: 3, stage: 'returning' });
    }
    await act(id, 'return', { because: 'networkRefused', txid: other });
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 6 });
    expect(await coins(trader, 'ETH')).toEqual(['2', '0']);
  });

  it('WDR-1165 TRE-120 TRE-128 a payment with too low a fee is replaced up to the bound, above it by two operators, and paid once', async () => {
    const trader = await createSaver(exchange, { ETH: '5' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const [first, second] = [await withdraw(trader, 'ETH', '1.001'), await withdraw(trader, 'ETH', '0.501')];
    await move();
    const { txid } = await detail(trader, first);
    await mineAt(30n);
    await move();
    expect(await transactionsOf(first)).toHaveLength(1);
    await exchange.advanceTime(11 * MINUTE_MS);
    await move();
    const [, replacement, ...others] = await transactionsOf(first);
    expect(others).toEqual([]);
    expect(await detail(trader, first)).toMatchObject({ status: 3, txid: replacement!.txid });
    expect(replacement!.txid).not.toBe(txid);
    // The second transaction has the next nonce and is not executed before the first, so it is not replaced.
    expect(await transactionsOf(second)).toHaveLength(1);
    // Network fees rise above the greatest fee of automatic replacements.
    for (let round = 0; round < 3; round += 1) {
      await mineAt(200n);
      await exchange.advanceTime(11 * MINUTE_MS);
      await move();
    }
    const bounded = await transactionsOf(first);
    // The fee is three times the base fee at the time of the replacement, plus the tip. A further raise by a tenth
    // would exceed the greatest fee of automatic replacements.
    expect(bounded.at(-1)!.maxFee).toBe('91 Gwei');
    expect(exchange.doors.chains.health().reason).toContain('automatic replacements end at 100');
    expect(await queued(first)).toMatchObject({
      stage: 'sent',
      waitsBecause: 'it waits with a fee of 91 Gwei, and automatic replacements end at 100 Gwei',
    });
    expect((await queued(second))['waitsBecause']).toBeUndefined();
    expect(await keyOf(act(first, 'raise-fee', { gwei: '99' }))).toBe('l.field_min');
    expect(await keyOf(act(first, 'raise-fee', { gwei: 'much' }))).toBe('l.field_positive');
    // The preview refuses a fee that nodes would not accept, and shows the cost of a fee that they accept; the signer
    // signs nothing for a preview.
    expect(await keyOf(act(first, 'raise-fee/check', { gwei: '99' }))).toBe('l.field_min');
    const preview = (await (await act(first, 'raise-fee/check', { gwei: '400' })).json()) as {
      neighbours: readonly { market: string; ceiling: string; cost: string }[];
    };
    expect(preview.neighbours).toMatchObject([
      {
        market: expect.stringContaining('the transaction offers 91 Gwei') as string,
        ceiling: expect.stringMatching(
          /^100 Gwei without operators; a replacement needs at least 10\d/,
        ) as string,
        cost: expect.stringMatching(
          /^up to 0\.01008 ETH \(.* USDT\) instead of up to 0\.0022932 ETH/,
        ) as string,
      },
    ]);
    expect((await transactionsOf(first)).at(-1)!.maxFee).toBe('91 Gwei');
    expect((await act(first, 'raise-fee', { gwei: '400' })).status).toBe(200);
    expect((await transactionsOf(first)).at(-1)!.maxFee).toBe('400 Gwei');
    expect((await queued(first))['waitsBecause']).toBeUndefined();
    await mineAt(200n);
    await exchange.restart();
    // The node had refused the second transaction, because its fee was below the base fee; after the restart the
    // exchange sends it to the node again.
    await mineAt(1n);
    await move();
    await mineBlocks(CONFIRMATIONS);
    await move();
    expect(await detail(trader, first)).toMatchObject({
      status: 1,
      txid: (await transactionsOf(first)).at(-1)!.txid,
    });
    expect(await detail(trader, second)).toMatchObject({ status: 1 });
    expect((await anvil.balance(RECEIVER)) - before).toBe((3n * ETHER) / 2n);
    expect(exchange.doors.chains.health().reason ?? '').not.toContain('automatic replacements');
  });

  it('WDR-1166 what was signed is followed although its account is frozen, its answer was lost and its coin is halted', async () => {
    const trader = await createSaver(exchange, { ETH: '5' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const [lost, unsigned] = [await withdraw(trader, 'ETH', '0.501'), await withdraw(trader, 'ETH', '0.701')];
    // Freezing an account ends the owner's sessions, so the test reads the withdrawals directly.
    const { withdrawals } = exchange.doors.withdrawals;
    const stateOf = async (id: string) => {
      const withdrawal = await withdrawals.require(id);
      const stage = (await withdrawals.stages([withdrawal])).get(id);
      return { status: withdrawal.status, stage, confirmed: withdrawals.confirmed(withdrawal) };
    };
    // Simulates a server that requested a signature and stopped before it received the answer.
    await exchange.database.pool.query(
      `insert into chain_sending (origin, network, asset, address, amount, asked_at, signing_at)
       values ($1, 'ERC20', 'ETH', $2, 0.5, 1, 1)`,
      [`withdrawal ${lost}`, RECEIVER],
    );
    await askSigner(new SignerClient(signer), `withdrawal ${lost}`, '0.5', trader.id);
    await operateAs(exchange, 'owner', `/ops/users/${trader.id}/freeze`, { reason: 'a test' });
    await operateAs(exchange, 'owner', '/ops/assets/eth/halt', {
      reason: 'a test',
      publicCause: 'network',
    });
    await move();
    expect(await stateOf(lost)).toMatchObject({ status: 'processing', stage: 'sent' });
    await anvil.rpc('anvil_dropTransaction', (await sending(lost))!.txid);
    await move();
    await mineBlocks(CONFIRMATIONS);
    await move();
    expect(await stateOf(lost)).toMatchObject({ status: 'processing', confirmed: CONFIRMATIONS });
    expect((await anvil.balance(RECEIVER)) - before).toBe(ETHER / 2n);
    expect((await operate(exchange, '/ops/assets/eth/lift', { reason: 'a test' })).status).toBe(200);
    await move();
    expect(await stateOf(lost)).toMatchObject({ status: 'finished' });
    // Freezing an account stops withdrawals that are not signed yet; operators can return these to the owner.
    expect(await stateOf(unsigned)).toMatchObject({ status: 'processing', stage: 'approved' });
    await act(unsigned, 'return', { because: 'ownerFreeze' });
    await move();
    expect(await stateOf(unsigned)).toMatchObject({ status: 'returned' });
  });

  it('WDR-1202 WDR-1167 a withdrawal that was paid by hand ends by its transaction, if that pays exactly it and nothing else', async () => {
    const trader = await createSaver(exchange, { USDT: '20000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const [id, otherId] = [await withdraw(trader, 'USDT', '6004'), await withdraw(trader, 'USDT', '6004')];
    await move();
    const pay = (units: bigint) => anvil.payToken(account(0), token, RECEIVER, units);
    expect((await act(id, 'pay-by-hand', {})).status).toBe(200);
    await move();
    expect((await exchange.doors.withdrawals.withdrawals.require(id)).exit?.readyAt).toBeDefined();
    const [short, exact] = [await pay(5_999_999_999n), await pay(6_000_000_000n)];
    const coin = await anvil.pay(account(1), RECEIVER, (6_000n * ETHER) / 1_000n);
    await mineBlocks(1);
    expect(await keyOf(act(id, 'finish', { txid: exact }))).toBe('l.withdraw_paid_unconfirmed');
    await mineBlocks(CONFIRMATIONS);
    for (const txid of [short, coin, 'nothing', `0x${'1'.repeat(64)}`])
      expect(await keyOf(act(id, 'finish', { txid }))).toBe('l.withdraw_not_paid');
    expect(
      (await operateAs(exchange, 'owner', `/ops/withdrawals/${id}/finish`, { reason: 'x', txid: exact }))
        .status,
    ).toBe(202);
    expect((await act(id, 'finish', { txid: exact })).status).toBe(200);
    expect(await keyOf(act(otherId, 'finish', { txid: exact.toUpperCase().replace('0X', '0x') }))).toBe(
      'l.withdraw_txid_used',
    );
    await Promise.all([move(), move()]);
    expect(await detail(trader, id)).toMatchObject({ status: 1, txid: exact });
    expect(await detail(trader, otherId)).toMatchObject({ status: 3 });
    expect(await coins(trader, 'USDT')).toEqual(['7992', '6004']);
    expect(await askSigner(new SignerClient(signer), `withdrawal ${id}`, '1')).toEqual({
      refused: 'the payment was voided',
    });
  });

  it('POL-014 EDGE-203 holdings are read from the chain, including deposits, payments in flight and coins moved away', async () => {
    const { coverage } = exchange.doors.proofs;
    const row = async (asset: string) => {
      await move();
      await coverage.refresh();
      return coverage.health().rows!.find((row) => row['asset'] === asset)!;
    };
    const total = async (asset: string) => Decimal.parse((await row(asset))['held']!);
    const trader = await createSaver(exchange, { ETH: '2' });
    const to = await addressOf(trader);
    await mineBlocks(CONFIRMATIONS);
    const before = await total('ETH');
    await anvil.pay(account(1), to, ETHER);
    await mineBlocks(CONFIRMATIONS);
    expect(await coins(trader, 'ETH')).toEqual(['3', '0']);
    expect((await total('ETH')).minus(before).toString()).toBe('1');
    expect(await row('ETH')).toMatchObject({ state: 'covered' });
    // The payment is in a block but not confirmed: its coins have left the wallet but are still owed to the user. The
    // holdings therefore still include the amount; they are lower only by the gas.
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw(trader, 'ETH', '1.001');
    await move();
    await mineBlocks(2);
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3 });
    const gas = before.plus(Decimal.ofWhole(1)).minus(await total('ETH'));
    expect(gas.isNegative() || gas.isMore(Decimal.parse('0.01'))).toBe(false);
    await mineBlocks(CONFIRMATIONS);
    await move();
    // Coins that are no longer in the hot wallet do not count as assets of the exchange.
    const walletBalance = await anvil.tokenBalance(token, account(0).address);
    await anvil.setTokenBalance(token, account(0).address, 7_000_001n);
    await mineBlocks(CONFIRMATIONS);
    const full = await total('USDT');
    await anvil.setTokenBalance(token, account(0).address, 1n);
    await mineBlocks(CONFIRMATIONS);
    expect(full.minus(await total('USDT')).toString()).toBe('7');
    await anvil.setTokenBalance(token, account(0).address, walletBalance);
    // While the node does not answer, the previous result of the coverage check remains.
    const coverageBefore = coverage.health();
    const away = vi.spyOn(EvmNode.prototype, 'balancesAt').mockRejectedValue(new Error('the node is away'));
    await coverage.refresh();
    away.mockRestore();
    expect(coverage.health()).toEqual(coverageBefore);
    expect(exchange.log.lines.some(({ event }) => event === 'proofs.coverage_not_read')).toBe(true);
  });

  it('TRE-035 TRE-036 TRE-037 TRE-040 TRE-041 a short hot wallet is refilled from the cold wallet, and the arrival closes the request', async () => {
    const { hot } = exchange.doors.treasury;
    const wallet = account(0).address;
    const before = await anvil.balance(wallet);
    const setBalance = (address: string, value: bigint) =>
      anvil.rpc('anvil_setBalance', address, `0x${value.toString(16)}`);
    const transfersAt = async (path: string) => {
      const answer = await operate(exchange, path);
      type Row = { readonly kind: string; readonly amount: string; readonly state: string; txid?: string };
      return ((await answer.json()) as { transfers: readonly Row[] }).transfers;
    };
    const open = () => transfersAt('/ops/treasury/transfers');
    const check = async () => {
      await hot.check();
      await hot.check();
    };
    await check();
    expect(await open()).toEqual([]);
    await setBalance(wallet, 3_999n * ETHER);
    await mineBlocks(1);
    await Promise.all([check(), check()]);
    expect(await open()).toMatchObject([
      {
        kind: 'refill',
        amount: '4001',
        source: account(COLD).address,
        destination: wallet,
        holdsNow: '3999',
        state: 'open',
      },
    ]);
    const wallets = await operate(exchange, '/ops/treasury/hot-wallets');
    expect(await wallets.json()).toMatchObject({
      wallets: [
        { asset: 'ETH', state: 'short', balance: '3999', least: '4000', target: '8000', needed: '0' },
      ],
    });
    expect((await exchange.doors.treasury.health()).reason).toContain('3999 ETH in the hot wallet on ERC20');
    expect(exchange.log.lines.filter(({ event }) => event === 'treasury.hot_wallet_short')).toHaveLength(1);
    await exchange.restart();
    await exchange.doors.treasury.hot.check();
    expect(await open()).toHaveLength(1);
    await setBalance(account(COLD).address, 5_000n * ETHER);
    const txid = await anvil.pay(account(COLD), wallet, 4_001n * ETHER);
    await mineBlocks(1);
    await exchange.doors.treasury.hot.check();
    // The refill is in a block that is not final yet, so the request for it is still open.
    expect(await open()).toMatchObject([{ kind: 'refill', state: 'open' }]);
    await mineBlocks(CONFIRMATIONS);
    await exchange.doors.treasury.hot.check();
    expect(await open()).toEqual([]);
    expect(await transfersAt('/ops/treasury/closed-transfers')).toMatchObject([
      { kind: 'refill', state: 'done', txid, received: '4001' },
    ]);
    const arrivals = await operate(exchange, '/ops/treasury/arrivals');
    expect(JSON.stringify(await arrivals.json())).not.toContain(txid);
    expect((await exchange.doors.treasury.health()).reason ?? '').not.toContain('hot wallet');
    await setBalance(wallet, before);
    await mineBlocks(1);
  });

  it('TRE-038 TRE-039 TRE-040 surplus moves to the cold wallet once, after two operators, through a restart and a killed signer', async () => {
    const wallet = account(0).address;
    const cold = account(COLD).address;
    const before = await anvil.balance(wallet);
    const setBalance = (value: bigint) => anvil.rpc('anvil_setBalance', wallet, `0x${value.toString(16)}`);
    const check = async () => {
      const { hot } = exchange.doors.treasury;
      await hot.check();
      await hot.check();
    };
    const open = async () => {
      const answer = await operate(exchange, '/ops/treasury/transfers');
      type Row = { readonly id: string; readonly amount: string; readonly state: string };
      return ((await answer.json()) as { transfers: readonly Row[] }).transfers;
    };
    const decide = (id: string, operation: string) =>
      operate(exchange, `/ops/treasury/transfers/${id}/${operation}`, { reason: 'too much' });
    // The surplus is worth more than approvers may approve by default, so the test raises their ceiling.
    const raised = { reason: 'surplus', most: '1000000000', version: '0' };
    expect((await operate(exchange, '/ops/treasury/ceilings/approver', raised)).status).toBe(200);
    await setBalance(30_000n * ETHER);
    await mineBlocks(1);
    await check();
    const [surplus] = await open();
    expect(surplus).toMatchObject({ kind: 'surplus', amount: '22000', state: 'open', destination: cold });
    const path = `/ops/treasury/transfers/${surplus!.id}/move`;
    const proposal = await operateAs(exchange, 'owner', path, { reason: 'alone' });
    expect(proposal.status).toBe(202);
    await check();
    await mineBlocks(1);
    const coldBefore = await anvil.balance(cold);
    expect((await decide(surplus!.id, 'move')).status).toBe(200);
    expect(await keyOf(decide(surplus!.id, 'move'))).toBe('l.transfer_decided');
    await signer.kill();
    await check();
    expect((await exchange.doors.treasury.health()).reason).toContain('surplus of ETH on ERC20 is not moved');
    await signer.start();
    await exchange.restart();
    await Promise.all([check(), check()]);
    await signer.restart();
    await mineBlocks(1);
    await check();
    expect(await open()).toMatchObject([{ id: surplus!.id, state: 'approved' }]);
    await mineBlocks(CONFIRMATIONS);
    await check();
    expect(await open()).toEqual([]);
    expect((await anvil.balance(cold)) - coldBefore).toBe(22_000n * ETHER);
    expect(
      (await exchange.database.pool.query('select state from treasury_transfer where id = $1', [surplus!.id]))
        .rows,
    ).toEqual([{ state: 'done' }]);
    // A transfer to the cold wallet that was approved but not signed is cancelled, and is never signed afterwards.
    await setBalance(25_000n * ETHER);
    await mineBlocks(1);
    await check();
    const [other] = await open();
    await exchange.doors.halting.halt('ETH', { by: 'test', reason: 'nothing is signed' });
    await decide(other!.id, 'move');
    await check();
    expect(await open()).toMatchObject([{ state: 'approved' }]);
    expect((await decide(other!.id, 'cancel')).status).toBe(200);
    await check();
    await exchange.doors.halting.lift('ETH', { by: 'test', reason: 'all is well' });
    const nothing = { rows: [{ state: 'cancelled', txid: null }] };
    expect(
      await exchange.database.pool.query('select state, txid from treasury_transfer where id = $1', [
        other!.id,
      ]),
    ).toMatchObject(nothing);
    await setBalance(before);
    await mineBlocks(1);
    await check();
    expect(await open()).toEqual([]);
  });

  describe('returns to senders', () => {
    const check = async () => {
      await exchange.doors.treasury.returns.check();
      await exchange.doors.treasury.returns.check();
    };
    const listAt = async (path: string, name: string) => {
      const answer = await operate(exchange, path);
      type Row = Readonly<Record<'id' | 'txid' | 'state' | 'arrival' | 'waitsFor' | 'lastReturn', string>>;
      return ((await answer.json()) as Record<string, readonly Row[]>)[name]!;
    };
    const open = () => listAt('/ops/treasury/returns', 'returns');
    const arrivalOf = async (txid: string) =>
      (await listAt('/ops/treasury/arrivals', 'arrivals')).find((arrival) => arrival.txid === txid);
    /**
     * Pays coins to the hot wallet from outside the exchange; the payment is listed as an arrival until operators
     * assign it.
     */
    const arrive = async (payer: number, value: bigint) => {
      const txid = await anvil.pay(account(payer), account(0).address, value);
      await mineBlocks(CONFIRMATIONS);
      return (await arrivalOf(txid))!;
    };
    const fees = () =>
      exchange.doors.ledger.balance({ owner: undefined, slot: -1, name: 'house:fees' }, 'ETH').toScaled(18);
    const sendBack = (id: string, fields: Readonly<Record<string, string>> = {}) =>
      operate(exchange, `/ops/treasury/arrivals/${id}/send-back`, { reason: 'not ours', ...fields });
    const fee = findCoinNetwork('ETH', 'ERC20')!.fee.toScaled(18);

    it('TRE-130 TRE-135 TRE-137 TRE-141 an arrival goes back once to the sender whom the chain names, through a killed signer and restarts, and only the fee is booked', async () => {
      const arrival = await arrive(9, 2n * ETHER);
      const sender = account(9).address;
      await exchange.doors.treasury.treasury.bookFees();
      const before = [await anvil.balance(sender), await anvil.balance(account(0).address), fees()] as const;
      const path = `/ops/treasury/arrivals/${arrival.id}/send-back`;
      const proposed = await operateAs(exchange, 'owner', path, { reason: 'not ours' });
      const { proposal } = (await proposed.json()) as { proposal: string };
      const evidence = await evidenceOf(exchange, 'approver', proposal);
      expect(evidence.facts).toMatchObject({ receiver: sender, receiverFrom: 'the network', sent: '1.999' });
      expect(evidence.context).toMatchObject({
        receiverIs: 'an account with a key; it has paid 1 address of the exchange',
        earlierReturns: 0,
      });
      expect(evidence.warnings).toEqual([]);
      await signer.kill();
      expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
      await check();
      expect(await open()).toMatchObject([{ arrival: arrival.id, state: 'signing' }]);
      await signer.start();
      await exchange.restart();
      await Promise.all([check(), check()]);
      // Simulates a server that stopped after the signature, before it stored the return's transaction id.
      const { pool } = exchange.database;
      await pool.query('update treasury_return set txid = null where closed_at is null');
      await signer.restart();
      await exchange.restart();
      await check();
      await mineBlocks(1);
      await check();
      expect(await open()).toMatchObject([{ state: 'confirming' }]);
      await mineBlocks(CONFIRMATIONS);
      await check();
      expect(await open()).toEqual([]);
      expect(await arrivalOf(arrival.txid)).toBeUndefined();
      await exchange.doors.treasury.treasury.bookFees();
      expect((await anvil.balance(sender)) - before[0]).toBe(2n * ETHER - fee);
      // The chain's balance and the balance of the fees account have changed by the same amount, because the ledger had
      // not booked the returned arrival.
      const chain = (await anvil.balance(account(0).address)) - before[1];
      expect(chain + 2n * ETHER).toBe(fees() - before[2]);

      const { rows } = await pool.query<{ reference: string }>(
        'select reference from treasury_return where arrival = $1',
        [arrival.id],
      );
      const origin = `return ${rows[0]!.reference}`;
      const states = new Map([[evmChain(ANVIL_CHAIN), evmState(new EvmNode(anvil.url))]]);
      const compare = (signed: AsyncIterable<SignedPayment>) => comparedWithChain(exchange, states, signed);
      const folder = join(signer.folder, 'memory');
      const known = await compare(paymentsIn([folder]));
      expect(known.paidKnown.map(({ id }) => id)).toContain(origin);
      const renamed = async function* () {
        for await (const payment of paymentsIn([folder]))
          if (payment.origin === origin) yield { ...payment, origin: 'return lost-1' };
      };
      expect((await compare(renamed())).paidUnknown).toMatchObject([
        { id: 'return lost-1', amount: '1.999' },
      ]);
    });

    it('TRE-133 TRE-134 TRE-136 a signed return is cancelled for good, one that its receiver refuses has an exit, and the arrival is sent back later', async () => {
      const refusing = await anvil.deploy(account(1), REFUSING_CODE);
      await mineBlocks(1);
      const arrival = await arrive(9, ETHER);
      const before = await anvil.balance(account(9).address);
      expect(await keyOf(sendBack(arrival.id, { address: account(COLD).address }))).toBe(
        'l.return_own_address',
      );
      expect(await keyOf(sendBack(arrival.id, { address: account(7).address }))).toBe('l.screening_address');
      expect(await keyOf(sendBack(arrival.id, { address: token }))).toBe('l.address_contract');
      expect(await keyOf(sendBack(arrival.id, { memo: '1' }))).toBe('l.memo_unexpected');

      expect((await sendBack(arrival.id, { address: refusing })).status).toBe(200);
      await check();
      const [refused] = await open();
      expect(refused!.waitsFor).toContain('the receiver or the contract of the coin refuses the payment');
      expect((await exchange.doors.treasury.health()).reason).toContain('the return of ETH on ERC20');
      const cancel = (id: string, fields = {}) =>
        operate(exchange, `/ops/treasury/returns/${id}/cancel`, { reason: 'refused', ...fields });
      expect((await cancel(refused!.id)).status).toBe(200);
      await check();
      expect(await arrivalOf(arrival.txid)).toMatchObject({ lastReturn: 'cancelled' });
      expect((await exchange.doors.treasury.health()).reason ?? '').not.toContain('the return of');

      expect((await sendBack(arrival.id)).status).toBe(200);
      await check();
      const [signed] = await open();
      expect(signed).toMatchObject({ state: 'sent' });
      const raise = `/ops/treasury/returns/${signed!.id}/raise-fee`;
      expect(await keyOf(operate(exchange, raise, { reason: 'slow', gwei: 'much' }))).toBe(
        'l.field_positive',
      );
      expect((await operate(exchange, raise, { reason: 'slow', gwei: '150' })).status).toBe(200);
      expect((await cancel(signed!.id)).status).toBe(200);
      await check();
      await mineBlocks(1);
      await check();
      expect(await open()).toMatchObject([{ state: 'cancelling' }]);
      expect(
        await keyOf(operate(exchange, `/ops/treasury/arrivals/${arrival.id}/dismiss`, { reason: 'x' })),
      ).toBe('l.arrival_decided');
      await mineBlocks(CONFIRMATIONS);
      await check();
      expect(await open()).toEqual([]);
      expect(await anvil.balance(account(9).address)).toBe(before);

      expect((await sendBack(arrival.id)).status).toBe(200);
      await check();
      await mineBlocks(CONFIRMATIONS + 1);
      await check();
      const closed = await listAt('/ops/treasury/closed-returns', 'returns');
      expect(closed.map(({ state }) => state)).toEqual(['done', 'cancelled', 'cancelled', 'done']);
      expect((await anvil.balance(account(9).address)) - before).toBe(ETHER - fee);
    });

    it('TRE-138 a return is not signed while the network has dropped its arrival, and one that was signed raises an alarm', async () => {
      const txid = await anvil.pay(account(9), account(0).address, ETHER);
      await mineBlocks(CONFIRMATIONS);
      const arrival = (await arrivalOf(txid))!;
      await signer.kill();
      expect((await sendBack(arrival.id)).status).toBe(200);
      await anvil.reorg(CONFIRMATIONS + 1);
      await mineBlocks(2);
      await signer.start();
      await check();
      const [held] = await open();
      expect(held!.waitsFor).toContain('the network has dropped the arrival');
      const alarms = exchange.log.lines.filter(({ event }) => event === 'treasury.assigned_and_gone');
      expect(alarms.length).toBeGreaterThan(0);
      await operate(exchange, `/ops/treasury/returns/${held!.id}/cancel`, { reason: 'gone' });
      await check();
      expect(await open()).toEqual([]);
      expect(await keyOf(sendBack(arrival.id))).toBe('l.arrival_unconfirmed');
    });
  });

  it('TRE-051 TRE-052 the sender of a deposit is compared with sanctions lists, and withdrawals of the account wait', async () => {
    const trader = await exchange.aUser();
    await anvil.pay(account(7), await addressOf(trader), ETHER);
    await mineBlocks(CONFIRMATIONS);
    expect(await coins(trader, 'ETH')).toEqual(['1', '0']);
    const answer = await operate(exchange, '/ops/screening/hits');
    const { hits } = (await answer.json()) as { hits: { id: string; owner: string }[] };
    expect(hits).toMatchObject([
      { owner: trader.id, subjectKind: 'deposit', screened: account(7).address, list: 'plain.txt' },
    ]);
    expect(await exchange.doors.screening.screening.mayWithdraw(trader.id)).toBe(false);
    const clear = `/ops/screening/hits/${hits[0]!.id}/clear`;
    expect((await operate(exchange, clear, { reason: 'an error of the list' })).status).toBe(200);
    await watch();
    expect(await exchange.doors.screening.screening.mayWithdraw(trader.id)).toBe(true);
  });

  it('TRE-042 nothing is withdrawn to a wallet of the exchange', async () => {
    const trader = await createSaver(exchange, { ETH: '2' });
    const { withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('1'),
      address: account(COLD).address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    };
    await expect(withdrawals.submit(trader.id, request)).rejects.toMatchObject({
      refusal: { key: 'l.address_house' },
    });
  });

  it('KEY-010 KEY-011 KEY-012 a restored database is compared with signer and chain, and sending stays paused until what it does not know is settled', async () => {
    const trader = await createSaver(exchange, { ETH: '5' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const known = await withdraw(trader, 'ETH', '0.101');
    await move();
    const folder = mkdtempSync(join(tmpdir(), 'exchange-restore-'));
    const restored = await testDatabase({ withSchema: false });
    try {
      const open = await withdraw(trader, 'ETH', '0.051');
      const { connection } = exchange.database;
      await backUp(connection, { folder: join(folder, 'backup'), madeAt: new Date(exchange.clock.now()) });
      const unknown = await withdraw(trader, 'ETH', '0.201');
      await move();
      await mineBlocks(CONFIRMATIONS);
      await move();
      // Requests the signature of a payment whose transaction no node receives; anybody who has the transaction could
      // still broadcast it.
      const waiting = `withdrawal ${randomUUID()}`;
      await askSigner(new SignerClient(signer), waiting, '0.01');
      await restoreBackup({
        connection: restored.connection,
        folder: join(folder, 'backup'),
        migrations: fileURLToPath(new URL('../../../migrations', import.meta.url)),
        log: () => undefined,
      });
      const database = databaseOver(restored.pool);
      const states = new Map([[evmChain(ANVIL_CHAIN), evmState(new EvmNode(anvil.url))]]);
      const compare = () =>
        compareWithChain({
          store: database.store,
          signed: paymentsIn([join(signer.folder, 'memory')]),
          stateOf: (payment) => stateOnChain(states, payment),
        });
      const comparison = await compare();
      const ids = (payments: readonly { readonly id: string }[]) => payments.map(({ id }) => id);
      expect(ids(comparison.paidKnown)).toContain(known);
      // The exchange sent this payment after the backup was made; in the restored database the withdrawal is still
      // being paid.
      expect(ids(comparison.paidKnown)).toContain(open);
      const found = comparison.paidUnknown.find(({ id }) => id === unknown);
      expect(found).toMatchObject({ asset: 'ETH', amount: '0.2', address: RECEIVER, status: undefined });
      expect(comparison.paidUnknown.map(({ origin }) => origin)).toContain(waiting);
      expect(ids(comparison.notPaid)).not.toContain(unknown);
      // Withdrawals whose payments earlier tests made outside the server count as paid, although their own transactions
      // were voided.
      const finished = comparison.notPaid.filter((payment) => 'status' in payment && payment.status === 1);
      expect(finished).toEqual([]);

      const pause = new SendingPause({
        clock: exchange.clock,
        log: recordingLog(),
        database,
        hasSigner: true,
      });
      await pause.load();
      const backup = pause.pausedBy!;
      await expect(pause.resume('two operators', 'compared')).rejects.toMatchObject({
        refusal: { key: 'l.restore_not_compared' },
      });
      await storeComparison(database.store, { backup, comparison, at: exchange.clock.now() });
      await storeComparison(database.store, {
        backup,
        comparison: await compare(),
        at: exchange.clock.now(),
      });
      await expect(pause.resume('two operators', 'compared')).rejects.toMatchObject({
        refusal: { key: 'l.restore_not_settled' },
      });
      for (const { id } of (await pause.openPayments(100)).list)
        await pause.settle(id, { by: 'two operators', settlement: 'correction 1' });
      await expect(pause.settle(unknown, { by: 'somebody', settlement: 'again' })).rejects.toMatchObject({
        refusal: { key: 'l.not_found' },
      });
      await pause.resume('two operators', 'compared');
      expect(pause.pausedBy).toBeUndefined();
    } finally {
      await restored.drop();
      rmSync(folder, { recursive: true });
    }
  });

  describe('sweeps of deposit addresses', () => {
    type Row = Readonly<Record<string, string | undefined>>;
    const check = async () => {
      const { sweeps } = exchange.doors.treasury;
      await sweeps.check();
      await sweeps.check();
    };
    const listed = async (path: string, name: string) =>
      ((await (await operate(exchange, `/ops/treasury/${path}`)).json()) as Record<string, readonly Row[]>)[
        name
      ]!;
    const openOf = async (address: string) =>
      (await listed('sweeps', 'sweeps')).filter((row) => row['address'] === address);
    const closedOf = async (address: string) =>
      (await listed('closed-sweeps', 'sweeps')).filter((row) => row['address'] === address);
    const network = async () => (await listed('sweep-networks', 'networks'))[0]!;
    const wallet = account(0).address;
    /** Runs the jobs and mines blocks four times in turn, in which all open sweeps end, and books the sweeps' fees. */
    const finish = async () => {
      for (let round = 0; round < 4; round += 1) {
        await check();
        await mineBlocks(CONFIRMATIONS);
      }
      await check();
      await exchange.doors.treasury.treasury.bookFees();
      await exchange.doors.treasury.treasury.bookFees();
    };
    const signedOf = async (origin: string) =>
      (
        await exchange.database.pool.query<{ txid: string; raw: string }>(
          `select txid, raw from chain_sending where origin = $1
           union all select txid, raw from chain_variant where origin = $1`,
          [origin],
        )
      ).rows;

    beforeAll(async () => {
      await anvil.pay(account(6), wallet, ETHER);
      await mineBlocks(CONFIRMATIONS);
      for (const arrival of await listed('arrivals', 'arrivals'))
        await operate(exchange, `/ops/treasury/arrivals/${arrival['id']}/assign`, {
          account: 'fees',
          reason: 'gas for sweeps',
        });
    });

    it('TRE-043 TRE-044 TRE-046 TRE-047 a token moves into the hot wallet with gas from it, once, through restarts and a killed signer', async () => {
      await finish();
      const held = async (asset: string) => {
        const { coverage } = exchange.doors.proofs;
        await mineBlocks(CONFIRMATIONS);
        await move();
        await coverage.refresh();
        return Decimal.parse(coverage.health().rows!.find((row) => row['asset'] === asset)!['held']!);
      };
      const trader = await exchange.aUser();
      const to = await addressOf(trader);
      await anvil.payToken(account(0), token, to, 250_000_000n);
      await mineBlocks(1);
      await check();
      // The deposit is in a block but not confirmed yet, so no sweep is open.
      expect(await openOf(to)).toEqual([]);
      await mineBlocks(CONFIRMATIONS);
      const before = await anvil.tokenBalance(token, wallet);
      const etherBefore = await held('ETH');
      await signer.kill();
      await check();
      expect(await openOf(to)).toMatchObject([
        {
          asset: 'USDT',
          amount: '250',
          destination: wallet,
          state: 'planned',
          waitsFor: expect.stringContaining('signer'),
        },
      ]);
      await signer.start();
      await exchange.restart();
      await check();
      const [planned] = await openOf(to);
      expect(planned).toMatchObject({ state: 'planned', gasTxid: expect.any(String) });
      const gasUnits = await anvil.balance(to);
      await mineBlocks(1);
      expect((await anvil.balance(to)) - gasUnits).toBe(Decimal.parse(planned!['gas']!).toScaled(18));
      await check();
      expect(await openOf(to)).toMatchObject([{ state: 'planned' }]);
      await mineBlocks(CONFIRMATIONS);
      await signer.kill();
      await check();
      expect(await openOf(to)).toMatchObject([{ state: 'funded' }]);
      await signer.restart();
      await Promise.all([check(), check()]);
      const [sent] = await openOf(to);
      expect(sent).toMatchObject({ id: planned!['id'], state: 'sent' });
      // The node loses the transaction; the exchange then broadcasts the identical transaction again.
      await anvil.rpc('anvil_dropTransaction', sent!['txid']);
      await exchange.restart();
      await check();
      await mineBlocks(1);
      await check();
      expect(await openOf(to)).toMatchObject([{ state: 'sent', txid: sent!['txid'] }]);
      await mineBlocks(CONFIRMATIONS);
      await finish();
      expect(await openOf(to)).toEqual([]);
      expect(await anvil.tokenBalance(token, to)).toBe(0n);
      expect((await anvil.tokenBalance(token, wallet)) - before).toBe(250_000_000n);
      expect(await signedOf(`sweep ${planned!['id']}`)).toHaveLength(1);
      expect(await signedOf(`gas ${planned!['id']}`)).toHaveLength(1);
      // The user's only deposit is the tokens: the gas that the exchange sent to the deposit address is neither
      // credited nor listed among the incoming transfers that operators decide about.
      expect((await records(trader)).map(({ currency, amount }) => `${amount} ${currency}`)).toEqual([
        '250 USDT',
      ]);
      expect([await coins(trader, 'USDT'), await coins(trader, 'ETH')]).toEqual([
        ['250', '0'],
        ['0', '0'],
      ]);
      const arrivals = JSON.stringify(await listed('arrivals', 'arrivals'));
      expect(arrivals).not.toContain(sent!['txid']);
      expect(arrivals).not.toContain(planned!['gasTxid']);
      // The exchange's holdings of ETH fall by exactly the booked fee of the sweep.
      const [closed] = await closedOf(to);
      expect(closed).toMatchObject({ state: 'confirmed', txid: sent!['txid'] });
      const fee = Decimal.parse(closed!['fee']!);
      expect(fee.isPositive()).toBe(true);
      expect(etherBefore.minus(await held('ETH')).toString()).toBe(fee.toString());
      expect(exchange.doors.treasury.treasury.unbookedFees).toBe(0);
    });

    it('TRE-043 TRE-044 coins leave after the tokens of their address, dust stays, and a user’s transfer that looks like gas is credited', async () => {
      const [trader, small, marked] = [
        await exchange.aUser(),
        await exchange.aUser(),
        await exchange.aUser(),
      ];
      const [to, dust, tagged] = [await addressOf(trader), await addressOf(small), await addressOf(marked)];
      await anvil.payToken(account(0), token, to, 30_000_000n);
      await anvil.pay(account(1), to, 2n * ETHER);
      await anvil.pay(account(1), dust, ETHER / 1_000_000n);
      await anvil.send(await anvil.signTransaction(account(1), { to: tagged, value: ETHER, data: GAS_TAG }));
      await mineBlocks(CONFIRMATIONS);
      expect(await coins(marked, 'ETH')).toEqual(['1', '0']);
      await check();
      expect((await openOf(to)).map((row) => row['asset'])).toEqual(['USDT']);
      expect((await openOf(to))[0]!['gas']).toBeUndefined();
      expect(await openOf(dust)).toEqual([]);
      await finish();
      await exchange.advanceTime(11 * MINUTE_MS);
      await finish();
      expect((await closedOf(to)).map((row) => row['asset'])).toEqual(['ETH', 'USDT']);
      expect(await anvil.tokenBalance(token, to)).toBe(0n);
      expect((await anvil.balance(to)) < ETHER / 100n).toBe(true);
      expect(await anvil.balance(dust)).toBe(ETHER / 1_000_000n);
      // The coins of a sweep that arrive in the hot wallet count as an internal transfer, neither as a refill nor as
      // capital.
      const { rows } = await exchange.database.pool.query(
        'select distinct state from treasury_arrival where txid = any($1::text[])',
        [(await closedOf(to)).map((row) => row['txid'])],
      );
      expect(rows).toEqual([{ state: 'internal' }]);
    });

    it('TRE-046 TRE-062 a sweep with too low a fee is replaced under its nonce, and one whose nonce was used by hand fails', async () => {
      const [trader, moved] = [await exchange.aUser(), await exchange.aUser()];
      const [to, byHand] = [await addressOf(trader), await addressOf(moved)];
      await anvil.pay(account(1), to, ETHER);
      await anvil.pay(account(1), byHand, ETHER);
      await mineBlocks(CONFIRMATIONS);
      await mineAt(2n);
      await check();
      const [[slow], [lost]] = [await openOf(to), await openOf(byHand)];
      expect([slow!['state'], lost!['state']]).toEqual(['sent', 'sent']);
      const { rows } = await exchange.database.pool.query<{ idx: number }>(
        'select idx from evm_address where address = $1',
        [byHand.toLowerCase()],
      );
      await anvil.rpc('anvil_dropTransaction', lost!['txid']);
      await anvil.send(
        await anvil.signTransaction(testDepositKeys().deriveChild(rows[0]!.idx), {
          to: wallet,
          value: ETHER / 2n,
        }),
      );
      await mineAt(20n);
      await exchange.advanceTime(11 * MINUTE_MS);
      await check();
      const variants = await signedOf(`sweep ${slow!['id']}`);
      expect(variants.length).toBeGreaterThan(1);
      // The node had refused the transaction, because its fee was below the base fee; the check sends it to the node
      // again.
      await mineAt(1n);
      await check();
      await mineBlocks(CONFIRMATIONS);
      await check();
      expect((await closedOf(to)).map((row) => [row['state'], row['txid']])).toEqual([
        ['confirmed', variants.at(-1)!.txid],
      ]);
      expect(await closedOf(byHand)).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('its nonce') },
      ]);
      // Coins that remain on an address after a failed sweep are swept again after a day at the earliest.
      await exchange.advanceTime(7 * HOUR_MS);
      await check();
      expect(await openOf(byHand)).toEqual([]);
      await exchange.advanceTime(DAY_MS);
      await finish();
      expect((await closedOf(byHand))[0]).toMatchObject({ state: 'confirmed' });
      expect(exchange.doors.treasury.treasury.unbookedFees).toBe(0);
      expect(
        (
          await exchange.database.pool.query(
            'select 1 from chain_sending where txid is not null and not is_fee_booked',
          )
        ).rows,
      ).toEqual([]);
    });

    it('TRE-046 whichever step is interrupted, before or after it took effect, gas and coins are sent once', async () => {
      const trader = await exchange.aUser();
      const to = await addressOf(trader);
      await anvil.payToken(account(0), token, to, 40_000_000n);
      await mineBlocks(CONFIRMATIONS);
      const steps = [
        [exchange.doors.sequencer, 'execute'],
        [SignerClient.prototype, 'sign'],
        [EvmNode.prototype, 'broadcast'],
      ] as const;
      const interrupted = new Set<string>();
      /**
       * Checks the sweeps once while the next call of the given method fails, either before or, with `isDone`, after it
       * has taken effect.
       */
      const interrupt = async ([owner, name]: (typeof steps)[number], isDone: boolean) => {
        const target = owner as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>;
        const original = target[name]!;
        const step = vi.spyOn(target, name).mockImplementationOnce(async function lost(
          this: unknown,
          ...input
        ) {
          interrupted.add(name);
          if (isDone) await original.apply(this, input);
          throw new Error('interrupted');
        });
        await exchange.doors.treasury.sweeps.check();
        step.mockRestore();
        // The server is restarted, so that the rest of the sweep depends only on what is stored in the
        // database.
        if (name === 'execute') await exchange.restart();
      };
      for (let turn = 0; turn < 12 && (await closedOf(to)).length === 0; turn += 1) {
        const [owner, name] = steps[turn % steps.length]!;
        const current =
          name === 'execute' ? ([exchange.doors.sequencer, name] as const) : ([owner, name] as const);
        await interrupt(current as (typeof steps)[number], turn % 2 === 0);
        await mineBlocks(CONFIRMATIONS);
      }
      expect([...interrupted].toSorted()).toEqual(['broadcast', 'execute', 'sign']);
      await exchange.doors.withdrawals.jobs.advance();
      await finish();
      await finish();
      const closed = await closedOf(to);
      expect(closed).toMatchObject([{ asset: 'USDT', amount: '40', state: 'confirmed' }]);
      expect(await openOf(to)).toEqual([]);
      expect(await anvil.tokenBalance(token, to)).toBe(0n);
      const id = closed[0]!['id']!;
      const journal = readFileSync(join(signer.folder, 'memory', 'signed.jsonl'), 'utf8');
      expect(journal.split('\n').filter((line) => line.includes(id))).toHaveLength(2);
      expect(await coins(trader, 'ETH')).toEqual(['0', '0']);
    });

    it('TRE-048 TRE-049 operators see and pause sweeps, and a stuck one is an alarm, a reason in health and dropped if it was never signed', async () => {
      const trader = await exchange.aUser();
      const to = await addressOf(trader);
      await anvil.pay(account(1), to, ETHER);
      await mineBlocks(CONFIRMATIONS);
      const decide = (operation: string) =>
        operate(exchange, `/ops/treasury/sweep-networks/ERC20/${operation}`, { reason: 'a test' });
      expect((await decide('pause')).status).toBe(200);
      expect(await keyOf(decide('pause'))).toBe('l.sweeps_paused');
      await exchange.restart();
      await check();
      expect(await openOf(to)).toEqual([]);
      expect(await network()).toMatchObject({ network: 'ERC20', state: 'paused', reason: 'a test' });
      expect((await decide('resume')).status).toBe(200);
      expect((await decide('resume')).status).toBe(400);
      await exchange.doors.treasury.sweeps.check();
      // Network fees rise above the fee for which gas was reserved, before a signature is requested.
      await mineAt(40n);
      await check();
      expect(await openOf(to)).toMatchObject([
        { state: 'planned', waitsFor: expect.stringContaining('which its gas lasts for') },
      ]);
      expect((await exchange.doors.treasury.health()).reason ?? '').not.toContain('stuck');
      await exchange.advanceTime(2 * HOUR_MS + MINUTE_MS);
      await check();
      expect((await exchange.doors.treasury.health()).reason).toContain('1 sweeps on ERC20 are stuck');
      expect(await network()).toMatchObject({ state: 'stuck', stuck: 1, planned: 1 });
      expect(exchange.log.lines.filter(({ event }) => event === 'treasury.sweep_stuck')).toHaveLength(1);
      // The unsigned sweep has waited for too long; it is dropped, and planned again with the current fees.
      await exchange.advanceTime(5 * HOUR_MS);
      await check();
      expect(await closedOf(to)).toMatchObject([{ state: 'dropped' }]);
      await exchange.advanceTime(11 * MINUTE_MS);
      await finish();
      expect((await closedOf(to)).map((row) => row['state'])).toEqual(['confirmed', 'dropped']);
      expect((await exchange.doors.treasury.health()).reason ?? '').not.toContain('stuck');
    });
  });

  it('TRE-004 a payment whose fee no node reports is named in the log once, and holds up no later fee', async () => {
    const trader = await createSaver(exchange, { ETH: '2' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const { treasury } = exchange.doors.treasury;
    const pay = async () => {
      const id = await withdraw(trader, 'ETH', '0.5');
      await move();
      await mineBlocks(CONFIRMATIONS);
      await treasury.bookFees();
      return `withdrawal ${id}`;
    };
    const isBooked = async (origin: string) => {
      const { rows } = await exchange.database.pool.query<{ booked: boolean; entries: number }>(
        `select is_fee_booked as booked,
          (select count(*)::int from treasury_payment where reason = $1 and kind = 'gas') as entries
        from chain_sending where origin = $1`,
        [origin],
      );
      return rows[0];
    };
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its object
    const { receipt } = EvmNode.prototype;
    const silent = vi.spyOn(EvmNode.prototype, 'receipt').mockImplementation(async function withoutFee(
      this: EvmNode,
      txid: string,
    ) {
      const whole = await receipt.call(this, txid);
      return whole === undefined ? undefined : Object.assign({}, whole, { fee: undefined });
    });
    const unknown = await pay();
    await treasury.bookFees();
    silent.mockRestore();
    const known = await pay();
    expect([await isBooked(unknown), await isBooked(known)]).toEqual([
      { booked: true, entries: 0 },
      { booked: true, entries: 1 },
    ]);
    const named = exchange.log.lines.filter(({ event }) => event === 'chains.fee_unknown');
    expect(named.map(({ fields }) => fields?.['origin'])).toEqual([unknown]);
  });

  it('WDR-026 the signer rejects callers without the secret, and signs nothing else under the same name', async () => {
    const stranger = join(signer.folder, 'other');
    writeFileSync(stranger, 'some other secret of the right length');
    const origin = `withdrawal ${randomUUID()}`;
    const foreign = new SignerClient({ place: signer.place, secretFile: stranger });
    await expect(askSigner(foreign, origin, '0.1')).rejects.toThrow('hung up');
    const client = new SignerClient(signer);
    const first = await askSigner(client, origin, '0.1');
    expect(await askSigner(client, origin, '0.10')).toEqual(first);
    expect(await askSigner(client, origin, '0.2')).toEqual({
      refused: 'another payment was signed under this name',
    });
  });

  function askSigner(client: SignerClient, origin: string, amount: string, owner: string = randomUUID()) {
    const id = origin.slice('withdrawal '.length);
    const payment = { owner, network: 'ERC20', asset: 'ETH', address: RECEIVER };
    return client.sign({
      kind: 'pay',
      origin,
      ...payment,
      digest: confirmedDigest({ id, ...payment, memo: undefined, amount: Decimal.parse(amount) }),
      chainId: ANVIL_CHAIN,
      amount,
      approvedBy: 'a test',
      nonce: 0,
      gasLimit: '50000',
      maxFeePerGas: '50000000000',
      maxPriorityFeePerGas: '1000000000',
    });
  }
});
