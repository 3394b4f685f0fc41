import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { depositAddress, depositNetworks, depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalConfig, withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { account, Anvil, ANVIL_CHAIN, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { knowAddress } from '../../../testing/known-address.ts';
import { operate } from '../../../testing/operators.ts';
import { aSignerProcess } from '../../../testing/test-signer.ts';
import { demoDestination } from './domain.ts';
import { EvmNode } from './evm-node.ts';
import { SignerClient } from '../../platform/signer/client.ts';
import { aSaver } from '../finance/testing/products.ts';

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

  // A round that was under way may have looked before: the second one begins after that.
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };
  const move = async () => {
    await exchange.doors.withdrawals.jobs.move();
    await exchange.doors.withdrawals.jobs.move();
  };
  const mine = async (blocks: number) => {
    await anvil.mine(blocks);
    await watch();
  };
  const coins = async (of: TestTrader, currency: string) => {
    const { availableCurrency, frozenCurrency } = (await of.ask(spotAssets, { currency })).list[0]!;
    return [availableCurrency, frozenCurrency];
  };
  const records = async (of: TestTrader) => (await of.ask(depositRecords)).list;
  const addressOf = async (of: TestTrader, currency = 'ETH') =>
    (await of.ask(depositAddress, { currency, network: 'ERC20' })).address;
  /** Asks for a withdrawal and lets it go, past the forms that other stories fill in. */
  const withdraw = async (of: TestTrader, asset: string, amount: string) => {
    const none = { addressId: undefined, memo: undefined, remark: undefined };
    const { withdrawals } = exchange.doors.withdrawals;
    const request = { asset, network: 'ERC20', amount: Decimal.parse(amount), address: RECEIVER, ...none };
    await knowAddress(exchange, of.id, asset, 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(of.id, request);
    await withdrawals.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return id;
  };
  const detail = (of: TestTrader, id: string) => of.ask(withdrawalDetail, { id });
  const sending = async (id: string) => {
    const { rows } = await exchange.database.pool.query<{
      txid: string | null;
      raw: string | null;
      nonce: string;
    }>('select txid, raw, nonce from chain_sending where origin = $1', [`withdrawal ${id}`]);
    return rows[0];
  };

  it('DEP-033 the chain carries what it is configured for, beside the networks that are pretended', async () => {
    const of = await exchange.aUser();
    const channels = async (currency: string) =>
      (await of.ask(depositNetworks, { currency })).list.map(
        ({ network, channel }) => `${network} ${channel}`,
      );
    expect(await channels('USDT')).toEqual(['TRC20 demo', 'ERC20 evm', 'BEP20 manual']);
    expect(await channels('SHIB')).toEqual(['ERC20 none']);
    expect((await of.ask(depositNetworks, { currency: 'ETH' })).list).toMatchObject([
      { confirmations: CONFIRMATIONS, channel: 'evm', status: 1 },
    ]);
    expect(await addressOf(of)).toBe(await addressOf(of, 'USDT'));
    expect(await of.ask(withdrawalConfig, { currency: 'ETH', network: 'ERC20' })).toMatchObject({
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

  it('DEP-033 what the chain brings is counted behind what was pretended, so that nothing of it looks old', async () => {
    const of = await exchange.aUser();
    for (let n = 0; n < 5; n += 1)
      await of.ask(sendTestDeposit, {
        currency: 'USDT',
        network: 'TRC20',
        amount: '10',
        clientId: randomUUID(),
      });
    const positions = async (table: string) =>
      (await exchange.database.pool.query<{ last: bigint }>(`select max(position) as last from ${table}`))
        .rows[0]!.last;
    const pretended = await positions('chain_transfer');
    await anvil.pay(account(1), await addressOf(of), ETHER);
    await mine(1);
    expect((await records(of)).map(({ currency }) => currency)).toContain('ETH');
    expect(await positions('chain_sighting')).toBeGreaterThan(pretended);
  });

  it('DEP-034 an address that was put into the database is not shown', async () => {
    const of = await exchange.aUser();
    await addressOf(of);
    const { pool } = exchange.database;
    await pool.query('update deposit_address set address = $2 where owner = $1', [of.id, RECEIVER]);
    expect((await of.call(depositAddress, { currency: 'ETH', network: 'ERC20' })).code).not.toBe(1);
    expect(exchange.log.lines.some(({ level }) => level === 'error')).toBe(true);
  });

  it('DEP-035 the coin and a token come in block by block and are credited once; what failed or is no coin of ours is not', async () => {
    const of = await exchange.aUser();
    const to = await addressOf(of);
    const other = await anvil.deployToken(account(2));
    await anvil.pay(account(1), to, (3n * ETHER) / 2n + 9n);
    await anvil.payToken(account(0), token, to, 250_000_001n);
    await anvil.payToken(account(2), other, to, 7n);
    // Has none of the token: mined, and failed.
    await anvil.payToken(account(3), token, to, 5_000_000n);
    await mine(1);
    const seen = (await records(of)).map(({ currency, amount, confirm, needConfirm, status }) =>
      [currency, amount, confirm, needConfirm, status].join(' '),
    );
    expect(seen.toSorted()).toEqual([`ETH 1.5 1 ${CONFIRMATIONS} 0`, `USDT 250.000001 1 ${CONFIRMATIONS} 0`]);
    expect(await coins(of, 'ETH')).toEqual(['0', '0']);
    await exchange.restart();
    await anvil.mine(CONFIRMATIONS - 1);
    await Promise.all([watch(), watch()]);
    expect(await coins(of, 'ETH')).toEqual(['1.5', '0']);
    expect(await coins(of, 'USDT')).toEqual(['250.000001', '0']);
    expect((await records(of)).map(({ status }) => status)).toEqual([1, 1]);
  });

  it('DEP-036 a deposit whose block is taken back is rejected, and waits anew where another block has it', async () => {
    const of = await exchange.aUser();
    const raw = await anvil.signed(account(4), { to: await addressOf(of), value: ETHER });
    const txid = await anvil.send(raw);
    await mine(1);
    expect(await records(of)).toMatchObject([{ txid, status: 0, gone: 0, confirm: 1 }]);
    await anvil.reorg(1);
    await mine(CONFIRMATIONS);
    expect(await records(of)).toMatchObject([{ txid, status: 2, gone: 1, realAmount: '0' }]);
    expect(await coins(of, 'ETH')).toEqual(['0', '0']);
    await anvil.send(raw);
    await mine(1);
    expect(await records(of)).toMatchObject([{ txid, status: 0, gone: 0, confirm: 1 }]);
    await mine(CONFIRMATIONS - 1);
    expect(await coins(of, 'ETH')).toEqual(['1', '0']);
    expect(await records(of)).toMatchObject([{ txid, status: 1 }]);
  });

  it('DEP-037 one that was credited and is taken back after that stays credited, and people are alarmed until it is back', async () => {
    const of = await exchange.aUser();
    const raw = await anvil.signed(account(5), { to: await addressOf(of), value: ETHER });
    await anvil.send(raw);
    await mine(CONFIRMATIONS);
    expect(await coins(of, 'ETH')).toEqual(['1', '0']);
    await anvil.reorg(CONFIRMATIONS);
    await mine(1);
    expect(await records(of)).toMatchObject([{ status: 1, gone: 1 }]);
    expect(await coins(of, 'ETH')).toEqual(['1', '0']);
    expect(exchange.log.lines.some(({ event }) => event === 'deposits.credited_and_gone')).toBe(true);
    const gone = await operate(exchange, '/ops/deposits/gone');
    expect(((await gone.json()) as { gone: unknown[] }).gone).toMatchObject([{ owner: of.id, asset: 'ETH' }]);
    expect((await exchange.doors.deposits.health()).isUp).toBe(false);
    await anvil.send(raw);
    await mine(CONFIRMATIONS);
    expect(await records(of)).toMatchObject([{ status: 1, gone: 0 }]);
    expect(await coins(of, 'ETH')).toEqual(['1', '0']);
    expect((await exchange.doors.deposits.health()).isUp).toBe(true);
  });

  it('WDR-021 WDR-022 coin and token are sent by the signer, once, and leave when the chain has confirmed them', async () => {
    const of = await aSaver(exchange, { ETH: '2', USDT: '500' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const [coin, tether] = [await withdraw(of, 'ETH', '1.001'), await withdraw(of, 'USDT', '104')];
    await move();
    expect(await detail(of, coin)).toMatchObject({
      status: 3,
      confirm: 0,
      txid: (await sending(coin))!.txid,
    });
    // A node that has forgotten it gets the very same again.
    await anvil.ask('anvil_dropTransaction', (await sending(coin))!.txid);
    await move();
    await mine(1);
    await move();
    expect(await detail(of, coin)).toMatchObject({ status: 3, confirm: 1, needConfirm: CONFIRMATIONS });
    await exchange.restart();
    await mine(CONFIRMATIONS - 1);
    await move();
    expect(await detail(of, coin)).toMatchObject({ status: 1, realAmount: '1' });
    expect(await detail(of, tether)).toMatchObject({ status: 1, realAmount: '100' });
    expect(await anvil.balance(RECEIVER)).toBe(ETHER);
    expect(await anvil.tokenBalance(token, RECEIVER)).toBe(100_000_000n);
    expect([await coins(of, 'ETH'), await coins(of, 'USDT')]).toEqual([
      ['0.999', '0'],
      ['396', '0'],
    ]);
  });

  it('WDR-023 stopped between signing and sending, it sends the transaction that was signed, and no second one', async () => {
    const of = await aSaver(exchange, { ETH: '1' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const before = await anvil.balance(RECEIVER);
    const client = new SignerClient(signer);
    const none = { addressId: undefined, memo: undefined, remark: undefined };
    const { withdrawals } = exchange.doors.withdrawals;
    const request = {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('0.501'),
      address: RECEIVER,
      ...none,
    };
    await knowAddress(exchange, of.id, 'ETH', 'ERC20', RECEIVER);
    const { id } = await withdrawals.submit(of.id, request);
    // As if a server had asked for it and died before it could write the answer down.
    const lost = await askSigner(client, `withdrawal ${id}`, '0.5');
    await signer.restart();
    await withdrawals.decide(id, 'approve', { by: 'an operator', persons: 1 });
    await move();
    expect((await sending(id))!.raw).toBe((lost as { raw: string }).raw);
    await mine(CONFIRMATIONS);
    await move();
    expect(await detail(of, id)).toMatchObject({ status: 1 });
    expect((await anvil.balance(RECEIVER)) - before).toBe(ETHER / 2n);
  });

  it('WDR-024 what the chain refuses for good is failed, and its amount is back once', async () => {
    const of = await aSaver(exchange, { USDT: '200' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const id = await withdraw(of, 'USDT', '104');
    await move();
    const held = await anvil.tokenBalance(token, account(0).address);
    // The wallet is emptied before the transaction is in a block.
    await anvil.setTokenBalance(token, account(0).address, 0n);
    await mine(1);
    await move();
    expect(await detail(of, id)).toMatchObject({ status: 3 });
    expect(await coins(of, 'USDT')).toEqual(['96', '104']);
    await mine(CONFIRMATIONS - 1);
    await Promise.all([move(), move()]);
    await move();
    await anvil.setTokenBalance(token, account(0).address, held);
    expect(await detail(of, id)).toMatchObject({ status: 4 });
    expect(await coins(of, 'USDT')).toEqual(['200', '0']);
    const { list } = await of.ask(messagePage);
    expect(list.filter(({ title }) => title.startsWith('Withdrawal failed'))).toHaveLength(1);
  });

  it('WDR-025 without money in the wallet, or past the signer’s limits, it waits and operators are told why', async () => {
    const of = await aSaver(exchange, { USDT: '30000' });
    await exchange.pass(DAY_MS + HOUR_MS);
    const id = await withdraw(of, 'USDT', '9000');
    await move();
    expect(await detail(of, id)).toMatchObject({ status: 3 });
    const told = exchange.doors.chains.health();
    expect(told).toMatchObject({ isUp: false });
    expect(told.reason).toContain('more than 5000 at once');
    expect((await sending(id))!.raw).toBeNull();
    const held = await anvil.tokenBalance(token, account(0).address);
    await anvil.setTokenBalance(token, account(0).address, 1n);
    const poor = await withdraw(of, 'USDT', '50');
    await move();
    expect(exchange.doors.chains.health().reason).toContain('the wallet has 0.000001 USDT, not 46');
    await anvil.setTokenBalance(token, account(0).address, held);
    await move();
    expect((await sending(poor))!.raw).not.toBeNull();
    // The large one is left waiting: its amount stays held.
    expect(await coins(of, 'USDT')).toEqual(['20950', '9050']);
  });

  it('POL-014 EDGE-203 what is held is read from the chain, amid deposits, payments on their way and what people moved away', async () => {
    const { coverage } = exchange.doors.proofs;
    const row = async (asset: string) => {
      await coverage.look();
      return coverage.health().rows!.find((one) => one['asset'] === asset)!;
    };
    const total = async (asset: string) => Decimal.parse((await row(asset))['held']!);
    const of = await aSaver(exchange, { ETH: '2' });
    const to = await addressOf(of);
    await mine(CONFIRMATIONS);
    const before = await total('ETH');
    await anvil.pay(account(1), to, ETHER);
    await mine(CONFIRMATIONS);
    expect(await coins(of, 'ETH')).toEqual(['3', '0']);
    expect((await total('ETH')).minus(before).toString()).toBe('1');
    expect(await row('ETH')).toMatchObject({ state: 'covered' });
    // In a block and not confirmed yet, it has left the wallet and is owed still; counting it, only gas is gone.
    await exchange.pass(DAY_MS + HOUR_MS);
    const id = await withdraw(of, 'ETH', '1.001');
    await move();
    await mine(2);
    await move();
    expect(await detail(of, id)).toMatchObject({ status: 3 });
    const gas = before.plus(Decimal.ofWhole(1)).minus(await total('ETH'));
    expect(gas.isNegative() || gas.isMore(Decimal.parse('0.01'))).toBe(false);
    await mine(CONFIRMATIONS);
    await move();
    // What the wallet has no more is not counted any more, to the last unit.
    const held = await anvil.tokenBalance(token, account(0).address);
    await anvil.setTokenBalance(token, account(0).address, 7_000_001n);
    await mine(CONFIRMATIONS);
    const full = await total('USDT');
    await anvil.setTokenBalance(token, account(0).address, 1n);
    await mine(CONFIRMATIONS);
    expect(full.minus(await total('USDT')).toString()).toBe('7');
    await anvil.setTokenBalance(token, account(0).address, held);
    // A node that is away changes nothing of what was found.
    const found = coverage.health();
    const away = vi.spyOn(EvmNode.prototype, 'balancesAt').mockRejectedValue(new Error('the node is away'));
    await coverage.look();
    away.mockRestore();
    expect(coverage.health()).toEqual(found);
    expect(exchange.log.lines.some(({ event }) => event === 'proofs.coverage_not_read')).toBe(true);
  });

  it('WDR-026 the signer hears nobody without the secret, and signs nothing else under the same name', async () => {
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
