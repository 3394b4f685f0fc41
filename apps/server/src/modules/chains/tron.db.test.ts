import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { instant } from '@exchange/core/time.ts';
import { HDNodeWallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeTron, TRON_USDT } from '../../../testing/fake-tron.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { TronChannel } from './tron-channel.ts';

const NETWORK = findCoinNetwork('USDT', 'TRC20')!.network;
const PHRASE = 'test test test test test test test test test test test junk';
const RESERVE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const OUTSIDER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const OTHER_TOKEN = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
const ANN = '0190a000-0000-7000-8000-000000000001';
const BOB = '0190a000-0000-7000-8000-000000000002';

describe('tokens of TRON', () => {
  let testing: TestDatabase;
  let node: FakeTron;
  const log = recordingLog();
  beforeAll(async () => {
    testing = await testDatabase();
    node = new FakeTron();
    await node.start();
  });
  afterEach(() => {
    node.distort = undefined;
  });
  afterAll(async () => {
    await node?.stop();
    await testing?.drop();
  });

  const opened = async (
    chain = 'nile',
    {
      secondUrl,
      ageMs = 0,
      reserve = RESERVE,
    }: { readonly secondUrl?: string; readonly ageMs?: number; readonly reserve?: string } = {},
  ) => {
    const channel = new TronChannel({
      settings: {
        rpcUrl: `${node.url}/`,
        fullUrl: undefined,
        secondUrl,
        xpub: HDNodeWallet.fromPhrase(PHRASE, '', "m/44'/195'/0'").neuter().extendedKey,
        chain,
        tokens: new Map([['USDT', { contract: TRON_USDT, digits: 6 }]]),
        startBlock: 1,
        reserves: [reserve],
        sending: undefined,
        cold: undefined,
        bounds: new Map(),
        feeMost: 60_000_000n,
        sweepLeast: undefined,
      },
      clock: { now: () => instant(Date.now() + ageMs), monotonicMs: () => 0 },
      database: databaseOver(testing.pool),
      log,
    });
    await channel.start();
    return channel;
  };
  const addressOf = async (channel: TronChannel, owner: string) =>
    (await channel.destination(NETWORK, owner)).address;
  const seen = async (channel: TronChannel, after = 0) =>
    (await channel.transfersSince(after, 100)).map(({ address, amount, output, isInternal }) =>
      [address, amount.toString(), output, isInternal ? 'internal' : 'from outside'].join(' '),
    );
  const held = async (channel: TronChannel) =>
    (await channel.wallets.holdings(channel.wallets.block()!)).get('USDT')?.toString();

  it('TRX-001 TRX-002 users have addresses of their own, by the published rules, which are derived again before they are shown', async () => {
    const channel = await opened();
    const [ann, bob] = [await addressOf(channel, ANN), await addressOf(channel, BOB)];
    // The first two addresses of the test mnemonic, as tronweb 6.5.1 derives them.
    expect(ann).toBe('TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6');
    expect(bob).toBe('TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C');
    expect(await addressOf(await opened(), ANN)).toBe(ann);
    expect(await channel.isOwn(NETWORK, ANN, { address: ann, memo: undefined })).toBe(true);
    expect(await channel.isOwn(NETWORK, ANN, { address: bob, memo: undefined })).toBe(false);
    await expect(testing.pool.query("update tron_address set address = 'x'")).rejects.toThrow('append-only');
    expect(channel.isHouseAddress('TRC20', RESERVE)).toBe(true);
    expect(channel.sends('USDT', 'TRC20')).toBe(false);
    // An address must not belong both to a user and to the exchange: a channel whose settings contain a
    // deposit address as a reserve does not open, and a reserve address is not assigned as a deposit address.
    const third = 'TB7mhtkvfhsRBRhe5FuRa4tFXSEyGDe4eA';
    await expect(opened('nile', { reserve: ann })).rejects.toThrow('is a deposit address');
    const careless = await opened('nile', { reserve: third });
    await expect(addressOf(careless, '0190a000-0000-7000-8000-000000000003')).rejects.toThrow(third);
  });

  it('TRX-003 TRX-004 transfers of listed tokens in solidified blocks arrive once, across a restart; others and failed ones never do', async () => {
    const channel = await opened();
    const [ann, bob] = [await addressOf(channel, ANN), await addressOf(channel, BOB)];
    const txid = node.transfer(
      { from: OUTSIDER, to: ann, units: 25_000_000n, before: 1 },
      { from: OUTSIDER, to: bob, units: 1n },
      { from: OUTSIDER, to: OUTSIDER, units: 5n },
      { from: OUTSIDER, to: bob, units: 0n },
    );
    node.transfer({ from: OUTSIDER, to: ann, units: 7_000_000n, result: 'OUT_OF_ENERGY' });
    node.transfer({ from: OUTSIDER, to: ann, units: 9_000_000n, contract: OTHER_TOKEN });
    node.solidify(2);
    await channel.scan();
    expect(await seen(channel)).toEqual([`${ann} 25 2 from outside`, `${bob} 0.000001 3 from outside`]);
    expect(await held(channel)).toBe('25.000001');
    // Operators move coins from a deposit address to a reserve address of the exchange by hand, and a part of
    // them from there to an outside address.
    node.transfer({ from: ann, to: RESERVE, units: 24_000_000n });
    node.transfer({ from: RESERVE, to: OUTSIDER, units: 4_000_000n });
    node.solidify();
    const again = await opened();
    await again.scan();
    expect((await seen(again)).slice(2)).toEqual([`${RESERVE} 24 1 internal`]);
    expect(await held(again)).toBe('21.000001');
    expect(await channel.wallets.holdings(7)).toEqual(new Map([['USDT', Decimal.parse('25.000001')]]));
    expect(await again.paymentsIn(txid.toUpperCase())).toMatchObject([
      { address: ann, isFinal: true, block: 6 },
      { address: bob },
      { address: OUTSIDER },
    ]);
    expect(await again.paymentsIn('f'.repeat(64))).toBeUndefined();
    expect(again.health()).toMatchObject({ isUp: true, facts: { TRC20: 'block 8 of 8, receives only' } });
  });

  it('TRX-005 a node that lacks results, answers with errors or gives another block stops the reading, which goes on without a loss', async () => {
    const channel = await opened();
    const ann = await addressOf(channel, ANN);
    await channel.scan();
    const before = (await seen(channel)).length;
    node.transfer({ from: OUTSIDER, to: ann, units: 3_000_000n });
    node.solidify(2);
    const faults: [string, (method: string, answer: unknown) => unknown][] = [
      ['has no result of', (method, answer) => (method === 'gettransactioninfobyblocknum' ? [] : answer)],
      ['with an error', (method, answer) => (method === 'getnowblock' ? { Error: 'busy' } : answer)],
      [
        'has no result of',
        (method, answer) =>
          method === 'gettransactioninfobyblocknum'
            ? (answer as object[]).map((result) => Object.assign({}, result, { blockNumber: 1 }))
            : answer,
      ],
    ];
    for (const [reason, distort] of faults) {
      node.distort = distort;
      await expect(channel.scan()).rejects.toThrow(reason);
      expect(await seen(channel)).toHaveLength(before);
    }
    node.distort = undefined;
    await channel.scan();
    expect((await seen(channel)).slice(before)).toEqual([`${ann} 3 1 from outside`]);
  });

  it('TRON-018 a block with money of the exchange is read only if a second node has the same one', async () => {
    const second = new FakeTron();
    await second.start();
    try {
      const channel = await opened('nile', { secondUrl: second.url });
      const ann = await addressOf(channel, ANN);
      await channel.scan();
      const before = (await seen(channel)).length;
      node.solidify(3);
      await channel.scan();
      node.transfer({ from: OUTSIDER, to: ann, units: 6_000_000n });
      node.solidify();
      await expect(channel.scan()).rejects.toThrow('second node does not have the solidified block');
      // Both nodes now have the same number of blocks, but the newest one of the second node has another hash.
      while (second.blocks.length < node.blocks.length) second.solidify();
      second.replace(1);
      await expect(channel.scan()).rejects.toThrow('the nodes have different solidified blocks');
      expect(await seen(channel)).toHaveLength(before);
      second.blocks.splice(0, second.blocks.length, ...node.blocks);
      await channel.scan();
      expect((await seen(channel)).slice(before)).toEqual([`${ann} 6 1 from outside`]);
    } finally {
      await second.stop();
    }
  });

  it('TRON-021 a node whose newest solidified block is old is reported, although everything that it has was read', async () => {
    const late = await opened('nile', { ageMs: 20 * 60_000 });
    await late.scan();
    expect(late.health()).toMatchObject({ isUp: false, reason: expect.stringContaining('minutes old') });
    expect(late.height()).toBe(late.head());
  });

  it('TRX-006 a node of another network, or with other solidified blocks, is not read', async () => {
    const other = await opened('shasta');
    await expect(other.scan()).rejects.toThrow('not on the network shasta');
    const channel = await opened();
    await channel.scan();
    const before = await seen(channel);
    node.replace(1);
    await expect(channel.scan()).rejects.toThrow('other solidified blocks');
    expect(await seen(channel)).toEqual(before);
  });
});
