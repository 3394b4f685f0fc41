import { Decimal } from '@exchange/core/decimal.ts';
import { requireEvmNetwork } from '@exchange/core/evm-network.ts';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '@exchange/core/time.ts';
import {
  depositAddress,
  depositCoins,
  depositNetworks,
  depositRecords,
  networkFees,
} from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { addressList, withdrawalConfig, withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { Transaction } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, Anvil, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { operate } from '../../../testing/operators.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aSigner } from '../../../testing/test-signer.ts';
import { createSaver } from '../finance/testing/products.ts';

const POLYGON_CHAIN = 1_337;
const CONFIRMATIONS = 2;
const GWEI = 10n ** 9n;
const UNITS = 10n ** 6n;
const ETHER = 10n ** 18n;
const RECEIVER = '0x1111111111111111111111111111111111111111';
const SAVED = '0x2222222222222222222222222222222222222222';
/** Number of blocks by which the test chain's newest final block is behind its newest block. */
const FINAL_BEHIND = 64;
/** Confirmations of a deposit on Arbitrum, which are counted from the newest final block. */
const ARBITRUM_CONFIRMATIONS = 20;
const CODES = ['POLYGON', 'ARBITRUM'] as const;
type Code = (typeof CODES)[number];

describe.skipIf(withoutAnvil() !== undefined)('networks that only a node opens', () => {
  let chains: Record<Code, { readonly anvil: Anvil; readonly token: string }>;
  let signers: Record<Code, Awaited<ReturnType<typeof aSigner>>>;
  let exchange: TestExchange;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const started = async (chainId?: number) => {
      const anvil = await Anvil.start(chainId === undefined ? {} : { chainId });
      return { anvil, token: await anvil.deployToken(account(0)) };
    };
    const [POLYGON, ARBITRUM] = await Promise.all([started(POLYGON_CHAIN), started()]);
    chains = { POLYGON, ARBITRUM };
    signers = {
      POLYGON: await aSigner(POLYGON.token, 'USDT=5000/20000', {
        chainId: POLYGON_CHAIN,
        network: 'POLYGON',
      }),
      ARBITRUM: await aSigner(ARBITRUM.token, 'USDT=5000/20000, ETH=5/20', { network: 'ARBITRUM' }),
    };
    settings = {
      EVM_XPUB: testXpub(),
      EXPLORERS: 'POLYGON=https://explorer.test/tx/{txid}',
      SERVER_SECRET: SIGNED_SERVER_SECRET,
      POLYGON_FINALITY: 'latest',
      POLYGON_CONFIRMATIONS: String(CONFIRMATIONS),
      POLYGON_SWEEP_LEAST: '100',
    };
    for (const code of CODES) {
      const { anvil, token } = chains[code];
      settings[`${code}_RPC_URL`] = anvil.url;
      settings[`${code}_CHAIN_ID`] = String(anvil.chainId);
      settings[`${code}_TOKENS`] = `USDT=${token}:6`;
      settings[`${code}_WALLET`] = account(0).address;
      settings[`${code}_SIGNER`] = signers[code].place;
      settings[`${code}_SIGNER_SECRET_FILE`] = signers[code].secretFile;
    }
    await chains.ARBITRUM.anvil.mine(FINAL_BEHIND);
    exchange = await anExchange({ settings });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    for (const signer of Object.values(signers ?? {})) await signer.close();
    for (const { anvil } of Object.values(chains ?? {})) await anvil.stop();
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
  const makeFinal = async () => {
    await chains.POLYGON.anvil.mine(CONFIRMATIONS);
    await chains.ARBITRUM.anvil.mine(FINAL_BEHIND + ARBITRUM_CONFIRMATIONS);
    await watch();
  };
  const networksOf = async (trader: TestTrader, currency: string) =>
    (await trader.request(depositNetworks, { currency })).list;
  const available = async (trader: TestTrader, currency: string) =>
    (await trader.request(spotAssets, { currency })).list[0]!.availableCurrency;
  const operatorRows = async () => {
    const answer = await operate(exchange, '/ops/networks/all');
    return ((await answer.json()) as { networks: Record<string, unknown>[] }).networks;
  };
  const statusCodes = async () => {
    // The status page is cached for some seconds, so the clock is advanced to get a current one.
    await exchange.advanceTime(MINUTE_MS);
    return (await fetch(`${exchange.url}/status`)).text();
  };
  const withdraw = async (trader: TestTrader, asset: string, network: Code, amount: string) => {
    const { review, withdrawals } = exchange.doors.withdrawals;
    await markAddressKnown(exchange, trader.id, asset, network, RECEIVER);
    const { id } = await withdrawals.submit(trader.id, {
      asset,
      network,
      amount: Decimal.parse(amount),
      address: RECEIVER,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return id;
  };

  it('NET-019 NET-020 they are listed for users and operators with the delay of their finality, and credit deposits', async () => {
    const trader = await exchange.aUser();
    expect((await networksOf(trader, 'USDT')).map(({ network, channel }) => `${network} ${channel}`)).toEqual(
      ['TRC20 demo', 'ERC20 demo', 'BEP20 manual', 'POLYGON evm', 'ARBITRUM evm'],
    );
    const [, arbitrum] = await networksOf(trader, 'ETH');
    expect(arbitrum).toMatchObject({
      network: 'ARBITRUM',
      name: 'Arbitrum One',
      confirmations: ARBITRUM_CONFIRMATIONS,
      blockSeconds: 0.25,
      minutes: requireEvmNetwork('ARBITRUM').finalitySeconds.finalized / 60,
    });
    const coins = (await trader.request(depositCoins)).list;
    expect(coins.find(({ currency }) => currency === 'ETH')!.networks).toEqual(['ERC20', 'ARBITRUM']);
    const rows = await operatorRows();
    expect(rows.find(({ network }) => network === 'POLYGON')).toMatchObject({
      name: 'Polygon PoS',
      channel: 'evm',
      state: 'working',
    });
    expect(await statusCodes()).toContain('Arbitrum One');
    const { address } = await trader.request(depositAddress, { currency: 'USDT', network: 'POLYGON' });
    expect(await trader.request(depositAddress, { currency: 'ETH', network: 'ARBITRUM' })).toMatchObject({
      address,
    });
    const { POLYGON, ARBITRUM } = chains;
    await POLYGON.anvil.payToken(account(0), POLYGON.token, address, 50n * UNITS);
    await ARBITRUM.anvil.pay(account(1), address, ETHER / 2n);
    await ARBITRUM.anvil.payToken(account(0), ARBITRUM.token, address, 7n * UNITS);
    await POLYGON.anvil.mine(CONFIRMATIONS);
    await ARBITRUM.anvil.mine(ARBITRUM_CONFIRMATIONS);
    await watch();
    // The newest blocks of Arbitrum are not final yet, so its deposits are not seen.
    expect([await available(trader, 'USDT'), await available(trader, 'ETH')]).toEqual(['50', '0']);
    await makeFinal();
    expect([await available(trader, 'USDT'), await available(trader, 'ETH')]).toEqual(['57', '0.5']);
    const [record] = (await trader.request(depositRecords, { currency: 'USDT' })).list.filter(
      ({ network }) => network === 'POLYGON',
    );
    expect(record!.explorer).toBe(`https://explorer.test/tx/${record!.txid}`);
  });

  it('NET-021 TRE-129 both pay with the fees of their network, and a coin that is not listed pays the gas', async () => {
    const trader = await createSaver(exchange, { USDT: '1000', ETH: '2' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const ids = [
      await withdraw(trader, 'USDT', 'POLYGON', '20.2'),
      await withdraw(trader, 'ETH', 'ARBITRUM', '0.5001'),
    ];
    await move();
    await makeFinal();
    await move();
    for (const id of ids) expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 1 });
    const { POLYGON, ARBITRUM } = chains;
    expect(await POLYGON.anvil.tokenBalance(POLYGON.token, RECEIVER)).toBe(20n * UNITS);
    expect(await ARBITRUM.anvil.balance(RECEIVER)).toBe(ETHER / 2n);
    const { rows } = await exchange.database.pool.query<{ raw: string }>(
      "select raw from chain_sending where network = 'POLYGON' and origin like 'withdrawal %'",
    );
    expect(rows.map(({ raw }) => Transaction.from(raw).maxPriorityFeePerGas)).toEqual([25n * GWEI]);
    const spent = await exchange.doors.chains.chains.spentFees(instant(0));
    expect(spent.map(({ network, asset }) => `${network} ${asset}`)).toEqual(['POLYGON POL']);
  });

  it('TRE-160 tokens are swept where the coin of the gas is not listed, from a value in USDT on', async () => {
    const [trader, small] = [await exchange.aUser(), await exchange.aUser()];
    const addressOf = async (user: TestTrader) =>
      (await user.request(depositAddress, { currency: 'USDT', network: 'POLYGON' })).address;
    const [to, little] = [await addressOf(trader), await addressOf(small)];
    const { anvil, token } = chains.POLYGON;
    const hot = account(0).address;
    await anvil.payToken(account(0), token, to, 250n * UNITS);
    await anvil.payToken(account(0), token, little, 90n * UNITS);
    await makeFinal();
    const before = await anvil.tokenBalance(token, hot);
    for (let round = 0; round < 4; round += 1) {
      await exchange.doors.treasury.sweeps.check();
      await exchange.doors.treasury.sweeps.check();
      await makeFinal();
    }
    await exchange.doors.treasury.sweeps.check();
    expect(await anvil.tokenBalance(token, to)).toBe(0n);
    expect(await anvil.tokenBalance(token, little)).toBe(90n * UNITS);
    expect((await anvil.tokenBalance(token, hot)) - before).toBe(250n * UNITS);
    const { sweeps } = (await (await operate(exchange, '/ops/treasury/closed-sweeps')).json()) as {
      sweeps: Record<string, unknown>[];
    };
    expect(sweeps.filter(({ address }) => address === to)).toMatchObject([
      { network: 'POLYGON', asset: 'USDT', amount: '250', state: 'confirmed' },
    ]);
    // The coins that the hot wallet sent to the deposit address for gas are neither credited as a deposit nor listed
    // among the incoming transfers that operators decide about, and the fee of this transfer counts as spent.
    expect((await trader.request(depositRecords)).list).toHaveLength(1);
    const [spent] = await exchange.doors.chains.chains.spentFees(instant(0));
    await makeFinal();
    const [later] = await exchange.doors.chains.chains.spentFees(instant(0));
    expect([spent!.asset, later!.amount.isLess(spent!.amount)]).toEqual(['POL', false]);
    const { rows } = await exchange.database.pool.query<{ count: string }>(
      "select count(*)::text as count from chain_spent_fee where network = 'POLYGON'",
    );
    // The three stored fees are those of the withdrawal, of the transfer of gas, and of the sweep.
    expect(rows).toEqual([{ count: '3' }]);
  });

  it('NET-019 without its node a network is unknown, and what is stored on it is still shown and ends', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const { address } = await trader.request(depositAddress, { currency: 'USDT', network: 'POLYGON' });
    await chains.POLYGON.anvil.payToken(account(0), chains.POLYGON.token, address, 30n * UNITS);
    await makeFinal();
    const save = (network: string, remark: string) =>
      exchange.doors.withdrawals.addressBook.add(trader.id, {
        asset: 'USDT',
        network,
        address: SAVED,
        memo: undefined,
        remark,
      });
    const otherNetwork = { refusal: { key: 'l.address_remark' } };
    await expect(save('ERC20', 'my Polygon wallet')).rejects.toMatchObject(otherNetwork);
    const saved = await save('POLYGON', 'my Polygon wallet');
    const waiting = await withdraw(trader, 'USDT', 'POLYGON', '30');
    const removed = Object.entries(settings).filter(
      ([name]) => name.startsWith('POLYGON_') || name === 'EXPLORERS',
    );
    for (const [name] of removed) delete settings[name];
    await exchange.restart();
    const unknown = { errKey: 'l.field_choice' };
    const place = { currency: 'USDT', network: 'POLYGON' };
    expect(await trader.call(depositAddress, place)).toMatchObject(unknown);
    expect(await trader.call(withdrawalConfig, place)).toMatchObject(unknown);
    const notOffered = { refusal: { key: 'l.field_choice' } };
    await expect(save('POLYGON', 'another')).rejects.toMatchObject(notOffered);
    await expect(withdraw(trader, 'USDT', 'POLYGON', '30')).rejects.toMatchObject(notOffered);
    expect((await networksOf(trader, 'USDT')).map(({ network }) => network)).toEqual([
      'TRC20',
      'ERC20',
      'BEP20',
      'ARBITRUM',
    ]);
    expect((await trader.request(networkFees)).list.some(({ network }) => network === 'POLYGON')).toBe(false);
    expect(await statusCodes()).not.toContain('Polygon');
    const pause = { depositsNoteEn: 'Later.', depositsNoteZh: '稍后。', reason: 'a test' };
    expect((await operate(exchange, '/ops/networks/all/polygon/pause-deposits', pause)).ok).toBe(false);
    // After the network was removed from the settings, stored records still show it, and operators still see the
    // waiting withdrawal.
    expect((await trader.request(depositRecords)).list[0]).toMatchObject({ network: 'POLYGON', status: 1 });
    expect(await trader.request(withdrawalDetail, { id: waiting })).toMatchObject({ network: 'POLYGON' });
    const { addressBook } = exchange.doors.withdrawals;
    expect((await trader.request(addressList)).list).toContainEqual(
      expect.objectContaining({ network: 'POLYGON', address: SAVED }),
    );
    await expect(addressBook.rename(trader.id, saved.id, 'Arbitrum')).rejects.toMatchObject(otherNetwork);
    await addressBook.rename(trader.id, saved.id, 'Matic');
    expect((await operatorRows()).find(({ network }) => network === 'POLYGON')).toMatchObject({
      name: 'Polygon PoS',
      state: 'closed',
      waiting: 1,
    });
    for (const [name, value] of removed) settings[name] = value;
    await exchange.restart();
    await watch();
    await move();
    await makeFinal();
    await move();
    expect(await trader.request(withdrawalDetail, { id: waiting })).toMatchObject({ status: 1 });
    await exchange.doors.withdrawals.addressBook.remove(trader.id, saved.id);
    expect((await trader.request(addressList)).list.some(({ address: row }) => row === SAVED)).toBe(false);
  });
});
