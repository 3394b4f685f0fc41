import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { account, Anvil, ANVIL_CHAIN, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { testDatabase } from '../../../testing/database.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { operate } from '../../../testing/operators.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { aSignerProcess } from '../../../testing/test-signer.ts';
import { backUp, restoreBackup } from '../../platform/backup/backup.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { paymentsIn, stateOnChain } from '../../commands/restore/signed-payments.ts';
import { compareWithChain, storeComparison } from '../withdrawals/restore-repository.ts';
import { SendingPause } from '../withdrawals/sending-pause.ts';
import { demoDestination } from './domain.ts';
import { EvmNode } from './evm-node.ts';
import { SignerClient } from '../../platform/signer/client.ts';
import { createSaver } from '../finance/testing/products.ts';

const ETHER = 10n ** 18n;
const CONFIRMATIONS = 3;
const RECEIVER = '0x1111111111111111111111111111111111111111';
const skipped = withoutAnvil();

describe.skipIf(skipped !== undefined)('coins on a real chain', () => {
  let anvil: Anvil;
  let token: string;
  let signer: Awaited<ReturnType<typeof aSignerProcess>>;
  let exchange: TestExchange;

  beforeAll(async () => {
    anvil = await Anvil.start();
    token = await anvil.deployToken(account(0));
    signer = await aSignerProcess(token);
    exchange = await anExchange({
      settings: {
        EVM_RPC_URL: anvil.url,
        EVM_CHAIN_ID: String(ANVIL_CHAIN),
        EVM_XPUB: testXpub(),
        EVM_TOKENS: `USDT=${token}:6`,
        EVM_CONFIRMATIONS: String(CONFIRMATIONS),
        EVM_WALLET: account(0).address,
        EVM_SIGNER: signer.place,
        EVM_SIGNER_SECRET_FILE: signer.secretFile,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    await signer?.close();
    await anvil?.stop();
  });

  // A round in progress may have read the chain before; the second one starts afterwards.
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
  /** Submits and approves a withdrawal directly, without the forms that other tests cover. */
  const withdraw = async (trader: TestTrader, asset: string, amount: string) => {
    const noBookEntry = { addressId: undefined, memo: undefined, remark: undefined };
    const { withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset,
      network: 'ERC20',
      amount: Decimal.parse(amount),
      address: RECEIVER,
      ...noBookEntry,
    };
    await markAddressKnown(exchange, trader.id, asset, 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(trader.id, request);
    await withdrawals.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return id;
  };
  const detail = (trader: TestTrader, id: string) => trader.request(withdrawalDetail, { id });
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
    // This account has no tokens, so the transaction is mined but fails.
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

  it('DEP-037 a credited deposit in a dropped block stays credited, with an alarm until it reappears', async () => {
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
    // A node that has lost the transaction receives the identical one again.
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

  it('WDR-023 after a stop between signing and sending, the signed transaction is sent and no second one', async () => {
    const trader = await createSaver(exchange, { ETH: '1' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const client = new SignerClient(signer);
    const noBookEntry = { addressId: undefined, memo: undefined, remark: undefined };
    const { withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('0.501'),
      address: RECEIVER,
      ...noBookEntry,
    };
    await markAddressKnown(exchange, trader.id, 'ETH', 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(trader.id, request);
    // Simulates a server that requested a signature and crashed before storing it.
    const lost = await askSigner(client, `withdrawal ${id}`, '0.5');
    await signer.restart();
    await withdrawals.decide(id, 'approve', { by: 'an operator', persons: 1 });
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
    // Empties the wallet before the transaction is mined.
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

  it('WDR-025 without funds in the wallet or beyond the signer’s limits, a withdrawal waits and operators see the reason', async () => {
    const trader = await createSaver(exchange, { USDT: '30000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw(trader, 'USDT', '9000');
    await move();
    expect(await detail(trader, id)).toMatchObject({ status: 3 });
    const health = exchange.doors.chains.health();
    expect(health).toMatchObject({ isUp: false });
    expect(health.reason).toContain('more than 5000 at once');
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
    // The large withdrawal still waits, so its amount stays on hold.
    expect(await coins(trader, 'USDT')).toEqual(['20950', '9050']);
  });

  it('POL-014 EDGE-203 holdings are read from the chain, including deposits, payments in flight and coins moved away', async () => {
    const { coverage } = exchange.doors.proofs;
    const row = async (asset: string) => {
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
    // Mined but unconfirmed: gone from the wallet but still owed. Counting it, only gas is missing.
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
    // Coins that left the wallet are no longer counted, to the last unit.
    const walletBalance = await anvil.tokenBalance(token, account(0).address);
    await anvil.setTokenBalance(token, account(0).address, 7_000_001n);
    await mineBlocks(CONFIRMATIONS);
    const full = await total('USDT');
    await anvil.setTokenBalance(token, account(0).address, 1n);
    await mineBlocks(CONFIRMATIONS);
    expect(full.minus(await total('USDT')).toString()).toBe('7');
    await anvil.setTokenBalance(token, account(0).address, walletBalance);
    // An unavailable node does not change the previous result.
    const coverageBefore = coverage.health();
    const away = vi.spyOn(EvmNode.prototype, 'balancesAt').mockRejectedValue(new Error('the node is away'));
    await coverage.refresh();
    away.mockRestore();
    expect(coverage.health()).toEqual(coverageBefore);
    expect(exchange.log.lines.some(({ event }) => event === 'proofs.coverage_not_read')).toBe(true);
  });

  it('KEY-010 KEY-011 a restored database is compared with signer and chain, and sending stays paused until what it does not know is settled', async () => {
    const trader = await createSaver(exchange, { ETH: '5' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const known = await withdraw(trader, 'ETH', '0.101');
    await move();
    const folder = mkdtempSync(join(tmpdir(), 'exchange-restore-'));
    const restored = await testDatabase({ withSchema: false });
    try {
      const open = await withdraw(trader, 'ETH', '0.051');
      const { connection } = exchange.database;
      await backUp(connection, join(folder, 'backup'), new Date(exchange.clock.now()));
      const unknown = await withdraw(trader, 'ETH', '0.201');
      await move();
      await mineBlocks(CONFIRMATIONS);
      await move();
      // It was signed, and no node has it: whoever has the transaction can still hand it over.
      const waiting = `withdrawal ${randomUUID()}`;
      await askSigner(new SignerClient(signer), waiting, '0.01');
      await restoreBackup({
        connection: restored.connection,
        folder: join(folder, 'backup'),
        migrations: fileURLToPath(new URL('../../../migrations', import.meta.url)),
        log: () => undefined,
      });
      const database = databaseOver(restored.pool);
      const node = new EvmNode(anvil.url);
      const compare = () =>
        compareWithChain({
          store: database.store,
          signed: paymentsIn(join(signer.folder, 'memory')),
          stateOf: (txid) => stateOnChain(node, txid),
        });
      const comparison = await compare();
      const ids = (payments: readonly { readonly id: string }[]) => payments.map(({ id }) => id);
      expect(ids(comparison.paidKnown)).toContain(known);
      // The queue of the exchange has sent it after the backup: the restored database still counts it as leaving.
      expect(ids(comparison.paidKnown)).toContain(open);
      const found = comparison.paidUnknown.find(({ id }) => id === unknown);
      expect(found).toMatchObject({ asset: 'ETH', amount: '0.2', address: RECEIVER, status: undefined });
      expect(comparison.paidUnknown.map(({ origin }) => origin)).toContain(waiting);
      expect(ids(comparison.notPaid)).not.toContain(unknown);

      const pause = new SendingPause({
        clock: exchange.clock,
        log: recordingLog(),
        database,
        evm: { sending: signer.place },
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
      for (const { id } of await pause.openPayments(100))
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

  function askSigner(client: SignerClient, origin: string, amount: string) {
    return client.sign({
      origin,
      chainId: ANVIL_CHAIN,
      asset: 'ETH',
      address: RECEIVER,
      amount,
      approvedBy: 'a test',
      nonce: 0,
      gasLimit: '50000',
      maxFeePerGas: '50000000000',
      maxPriorityFeePerGas: '1000000000',
    });
  }
});
