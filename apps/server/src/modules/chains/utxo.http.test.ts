import { findCoinNetwork } from '@exchange/core/network.ts';
import { depositAddress, depositNetworks, depositRecords } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Litecoind, malleated, testAccountXpub, withoutLitecoind } from '../../../testing/litecoind.ts';
import { operate } from '../../../testing/operators.ts';
import { demoDestination } from './domain.ts';

/** Blocks until a deposit is credited, and from 10 coins on. */
const CONFIRMATIONS = 2;
const MORE_CONFIRMATIONS = 4;
const OTHER_ADDRESS = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const skipped = withoutLitecoind();

describe.skipIf(skipped !== undefined)('coins on a chain with unspent outputs', () => {
  let node: Litecoind;
  let exchange: TestExchange;

  beforeAll(async () => {
    node = await Litecoind.start(3);
    exchange = await anExchange({
      settings: {
        LTC_RPC_URL: node.url,
        LTC_RPC_AUTH_FILE: node.authFile,
        LTC_XPUB: testAccountXpub(),
        LTC_CHAIN: 'regtest',
        LTC_CONFIRMATIONS: `${CONFIRMATIONS}, 10=${MORE_CONFIRMATIONS}`,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    await node?.stop();
  });

  // A round in progress may have read the chain before; the second one starts afterwards.
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };
  const mineBlocks = async (blocks: number, miner?: string) => {
    await node.mine(blocks, miner);
    await watch();
  };
  const available = async (trader: TestTrader) =>
    (await trader.request(spotAssets, { currency: 'LTC' })).list[0]!.availableCurrency;
  const records = async (trader: TestTrader) =>
    (await trader.request(depositRecords)).list.map(({ amount, confirm, needConfirm, status }) =>
      [amount, `${confirm}/${needConfirm}`, ['pending', 'credited', 'rejected'][status]].join(' '),
    );
  const addressOf = async (trader: TestTrader) =>
    (await trader.request(depositAddress, { currency: 'LTC', network: 'LTC' })).address;

  it('UTXO-004 the network is served by its chain, with an address per user that is derived again before it is shown', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    expect((await ann.request(depositNetworks, { currency: 'LTC' })).list).toMatchObject([
      { network: 'LTC', channel: 'utxo', confirmations: CONFIRMATIONS, status: 1 },
    ]);
    const [address, other] = [await addressOf(ann), await addressOf(bob)];
    expect(address).toMatch(/^ltc1q[a-z0-9]{38}$/);
    expect(other).not.toBe(address);
    expect(await addressOf(ann)).toBe(address);
    // An address from before the network had a chain is replaced.
    const early = await exchange.aUser();
    const pretended = demoDestination(findCoinNetwork('LTC', 'LTC')!.network, early.id, 0).address;
    const { pool } = exchange.database;
    await pool.query("insert into deposit_address (owner, network, address, at) values ($1, 'LTC', $2, 0)", [
      early.id,
      pretended,
    ]);
    expect(await addressOf(early)).not.toBe(pretended);
    await pool.query("update deposit_address set address = $2 where owner = $1 and network = 'LTC'", [
      bob.id,
      OTHER_ADDRESS,
    ]);
    expect((await bob.call(depositAddress, { currency: 'LTC', network: 'LTC' })).code).not.toBe(1);
  });

  it('UTXO-005 UTXO-006 two customers in one transaction are credited once each with the confirmations of its whole amount, across a restart', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    await node.pay({ [await addressOf(ann)]: '1.5', [await addressOf(bob)]: '8.50000001' });
    await node.pay({ [await addressOf(ann)]: '0.25' });
    await mineBlocks(1);
    expect((await records(ann)).toSorted()).toEqual(['0.25 1/2 pending', '1.5 1/4 pending']);
    await mineBlocks(CONFIRMATIONS - 1);
    expect(await available(ann)).toBe('0.25');
    await exchange.restart();
    await node.mine(MORE_CONFIRMATIONS - CONFIRMATIONS);
    await Promise.all([watch(), watch()]);
    expect([await available(ann), await available(bob)]).toEqual(['1.75', '8.50000001']);
    expect(await records(bob)).toEqual(['8.50000001 4/4 credited']);
  });

  it('UTXO-007 a transaction that was replaced before a block never counts, and its replacement counts once', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    const first = await node.pay({ [await addressOf(ann)]: '0.5' });
    await watch();
    expect(await records(ann)).toEqual([]);
    const { txid: replacement } = await node.rpc<{ txid: string }>('bumpfee', first);
    expect(replacement).not.toBe(first);
    // Another one that pays a second customer instead, with the same coins.
    const misled = await node.pay({ [await addressOf(ann)]: '0.75' });
    const { vin } = await node.rpc<{ vin: { txid: string; vout: number }[] }>(
      'getrawtransaction',
      misled,
      true,
    );
    await node.send(
      await node.signedFrom({ txid: vin[0]!.txid, vout: vin[0]!.vout }, await addressOf(bob), '0.6'),
    );
    await mineBlocks(CONFIRMATIONS);
    expect(await records(ann)).toEqual(['0.5 2/2 credited']);
    expect(await records(bob)).toEqual(['0.6 2/2 credited']);
    expect((await ann.request(depositRecords)).list.map(({ txid }) => txid)).toEqual([replacement]);
  });

  it('UTXO-008 a deposit of a dropped block is rejected, and waits and is credited again once another block has it', async () => {
    const trader = await exchange.aUser();
    await node.pay({ [await addressOf(trader)]: '2' });
    await mineBlocks(1);
    expect(await records(trader)).toEqual(['2 1/2 pending']);
    await node.reorg(1);
    await watch();
    expect(await records(trader)).toEqual([expect.stringMatching('rejected')]);
    await mineBlocks(1);
    expect(await records(trader)).toEqual(['2 1/2 pending']);
    await mineBlocks(1);
    expect([await records(trader), await available(trader)]).toEqual([['2 2/2 credited'], '2']);
  });

  it('UTXO-009 the same payment under another id after a re-org is another deposit; the credited one is gone with an alarm and can be claimed', async () => {
    const trader = await exchange.aUser();
    const raw = await node.signedFrom(await node.legacyOutput('3'), await addressOf(trader), '1');
    await node.send(raw);
    await mineBlocks(CONFIRMATIONS);
    expect(await available(trader)).toBe('1');
    await node.reorg(CONFIRMATIONS, [malleated(raw)]);
    await watch();
    await mineBlocks(CONFIRMATIONS);
    expect((await records(trader)).map((text) => text.split(' ').at(-1)).toSorted()).toEqual([
      'credited',
      'credited',
    ]);
    expect(await available(trader)).toBe('2');
    const response = await operate(exchange, '/ops/deposits/gone');
    expect(((await response.json()) as { gone: unknown[] }).gone).toMatchObject([
      { owner: trader.id, asset: 'LTC' },
    ]);
    expect(exchange.log.lines.some(({ event }) => event === 'deposits.credited_and_gone')).toBe(true);
  });

  it('UTXO-010 dust is no deposit, and the reward of a block is credited when it can be spent', async () => {
    const trader = await exchange.aUser();
    await node.pay({ [await addressOf(trader)]: '0.00005459' });
    await mineBlocks(1, await addressOf(trader));
    expect((await records(trader)).map((text) => text.split(' ').slice(1).join(' '))).toEqual([
      '1/100 pending',
    ]);
    expect(exchange.log.lines.some(({ event }) => event === 'chains.dust_ignored')).toBe(true);
    await mineBlocks(99);
    // Blocks are read at most twenty at a time.
    for (let round = 0; round < 3; round += 1) await watch();
    expect((await records(trader)).map((text) => text.split(' ').slice(1).join(' '))).toEqual([
      '100/100 credited',
    ]);
  });

  it('UTXO-011 a node that is away stops its own coin only, and nothing is lost when it is back', async () => {
    const trader = await exchange.aUser();
    const address = await addressOf(trader);
    await node.pay({ [address]: '0.125' });
    await node.mine(CONFIRMATIONS);
    await node.halt();
    await watch();
    expect(await records(trader)).toEqual([]);
    expect(exchange.log.lines.filter(({ event }) => event === 'deposits.channel_not_heard')).toHaveLength(1);
    await node.launch();
    await watch();
    expect(await available(trader)).toBe('0.125');
  });
});
