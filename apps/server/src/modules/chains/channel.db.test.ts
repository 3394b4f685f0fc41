import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { instant } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, Anvil, ANVIL_CHAIN, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { aSigner, confirmedDigest } from '../../../testing/test-signer.ts';
import { databaseOver } from '../../platform/database/database.ts';
import type { Channel } from './channel.ts';
import { DemoChannel } from './demo-channel.ts';
import type { Destination } from './domain.ts';
import { EvmChannel } from './evm-channel.ts';
import { Chains } from './service.ts';
import type { WatchedTokens } from './watched-tokens.ts';

const NETWORK = findCoinNetwork('ETH', 'ERC20')!.network;

/**
 * A channel under test and the functions that simulate its network: they pay from outside the exchange and mine blocks.
 */
interface Tried {
  readonly open: () => Channel;
  readonly pay: (to: Destination, amount: Decimal) => Promise<string>;
  /**
   * Adds the given number of blocks to the chain: mines them or, for simulated networks, advances the clock.
   */
  readonly pass: (blocks: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const triedChannels: Readonly<Record<string, (database: TestDatabase) => Promise<Tried>>> = {
  demo: async ({ pool }) => {
    let now = Date.now();
    const parts = {
      offered: new OfferedNetworks([]),
      database: databaseOver(pool),
      clock: { now: () => instant(now), monotonicMs: () => now },
    };
    const channel = new DemoChannel(parts);
    return {
      open: () => new DemoChannel(parts),
      pay: async (to, amount) =>
        (await channel.send({ origin: randomUUID(), network: 'ERC20', asset: 'ETH', ...to, amount })).txid,
      pass: async (blocks) => void (now += blocks * 4_000),
      close: () => Promise.resolve(),
    };
  },
  evm: async ({ pool }) => {
    const anvil = await Anvil.start();
    const token = await anvil.deployToken(account(0));
    const signer = await aSigner(token);
    const settings = {
      rpcUrl: anvil.url,
      chainId: ANVIL_CHAIN,
      network: 'ERC20',
      xpub: testXpub(),
      finality: 'latest' as const,
      feeModel: 'eip1559' as const,
      tokens: new Map([['USDT', { contract: token, digits: 6 }]]),
      confirmations: 3,
      startBlock: undefined,
      reserves: [],
      cold: undefined,
      bounds: new Map(),
      sweeping: undefined,
      isTraced: false,
      sending: {
        wallet: account(0).address,
        signer: signer.place,
        secretFile: signer.secretFile,
        tls: undefined,
      },
      replacement: { afterMs: 600_000, maxFee: 100_000_000_000n },
    };
    const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() };
    return {
      open: () => new EvmChannel({ settings, clock, log: recordingLog(), database: databaseOver(pool) }),
      pay: async (to, amount) => anvil.pay(account(1), to.address, amount.toScaled(18)),
      pass: (blocks) => anvil.mine(blocks),
      close: async () => {
        await signer.close();
        await anvil.stop();
      },
    };
  },
};

describe.each(Object.keys(triedChannels))('the channel %s keeps the guarantees of every channel', (kind) => {
  let database: TestDatabase;
  let tried: Tried;
  let channel: Channel;
  const [ann, bob] = [randomUUID(), randomUUID()];
  const skipped = kind === 'evm' ? withoutAnvil() : undefined;
  const reads = async (position: number, limit = 100) => {
    await channel.scan();
    return channel.transfersSince(position, limit);
  };
  beforeAll(async () => {
    if (skipped !== undefined) return;
    database = await testDatabase();
    tried = await triedChannels[kind]!(database);
    channel = tried.open();
    await channel.start();
    await channel.scan();
  });
  afterAll(async () => {
    await tried?.close();
    await database?.drop();
  });

  it.skipIf(skipped !== undefined)(
    'DEP-030 an address stays the same at every call and after a restart, and differs per user',
    async () => {
      const [first, otherAddress] = [
        await channel.destination(NETWORK, ann, 0),
        await channel.destination(NETWORK, bob, 0),
      ];
      expect(await channel.destination(NETWORK, ann, 0)).toEqual(first);
      expect(await tried.open().destination(NETWORK, ann, 0)).toEqual(first);
      expect(otherAddress.address).not.toBe(first.address);
      expect(await channel.isOwn(NETWORK, ann, first)).toBe(true);
    },
  );

  it.skipIf(skipped !== undefined)(
    'DEP-031 incoming transfers are reported once, in order, with growing confirmations',
    async () => {
      const to = await channel.destination(NETWORK, ann, 0);
      const paidTxids: string[] = [];
      for (const amount of ['0.5', '0.25', '0.125'])
        paidTxids.push(await tried.pay(to, Decimal.parse(amount)));
      // Credited amounts and the amounts shown to operators are rounded down to the decimals of the ledger; on the EVM
      // chain this payment has more decimals.
      const fine = await tried.pay(to, Decimal.parse(kind === 'evm' ? '0.0625000000000001' : '0.0625'));
      paidTxids.push(fine);
      await tried.pass(1);
      const transfers = await reads(0);
      expect(transfers.map(({ txid, amount }) => [txid, amount.toString()])).toEqual(
        ['0.5', '0.25', '0.125', '0.0625'].map((amount, at) => [paidTxids[at], amount]),
      );
      expect(
        transfers.every(({ address, isGone, asset }) => address === to.address && !isGone && asset === 'ETH'),
      ).toBe(true);
      expect(await reads(transfers.at(-1)!.position)).toEqual([]);
      expect(await reads(0, 2)).toEqual(transfers.slice(0, 2));
      expect(await reads(transfers[1]!.position)).toEqual(transfers.slice(2));
      expect((await channel.paymentsIn(fine))![0]!.amount.toString()).toBe('0.0625');
      const height = channel.height();
      await tried.pass(4);
      await channel.scan();
      expect(channel.height()).toBe(height + 4);
      const again = tried.open();
      await again.start();
      await again.scan();
      expect(await again.transfersSince(0, 100)).toEqual(transfers);
    },
  );

  it.skipIf(skipped !== undefined)(
    'WDR-020 a payment is sent once per origin, also after a restart, and its status is reported',
    async () => {
      const last = (await reads(0)).at(-1)!.position;
      const to = await channel.destination(NETWORK, bob, 0);
      const origin = `withdrawal ${randomUUID()}`;
      const sending = {
        origin,
        network: 'ERC20',
        asset: 'ETH',
        ...to,
        amount: Decimal.parse('1.5'),
        approvedBy: 'a test',
        confirmed: confirmedBy(bob, { origin, ...to, amount: '1.5' }),
      };
      expect(await channel.status(origin)).toEqual({ state: 'unknown' });
      const payment = await channel.send(sending);
      expect((await channel.send(sending)).txid).toBe(payment.txid);
      await tried.pass(1);
      expect((await tried.open().send(sending)).txid).toBe(payment.txid);
      await tried.pass(1);
      expect(await channel.status(origin)).toMatchObject({ state: 'mined', txid: payment.txid });
      expect(await reads(last)).toMatchObject([{ txid: payment.txid, address: to.address }]);
      expect((await reads(last))[0]!.amount.toString()).toBe('1.5');
      expect(channel.health().isUp).toBe(true);
      const payments = (await channel.paymentsIn(payment.txid))!;
      expect(payments).toMatchObject([{ asset: 'ETH', address: to.address }]);
      expect(payments[0]!.amount.toString()).toBe('1.5');
      expect(await channel.paymentsIn(`0x${'0'.repeat(64)}`)).toBeUndefined();
    },
  );

  it.skipIf(skipped !== undefined)(
    'WDR-1163 a voided payment is not sent by any later request, and one in a block cannot be voided',
    async () => {
      const to = await channel.destination(NETWORK, bob, 0);
      const sendingOf = (origin: string) => ({
        origin,
        network: 'ERC20',
        asset: 'ETH',
        ...to,
        amount: Decimal.parse('0.5'),
        confirmed: confirmedBy(bob, { origin, ...to, amount: '0.5' }),
      });
      const [never, paid] = [
        sendingOf(`withdrawal ${randomUUID()}`),
        sendingOf(`withdrawal ${randomUUID()}`),
      ];
      expect(await channel.void(never)).toEqual({ state: 'unsigned' });
      expect(await tried.open().void(never)).toEqual({ state: 'unsigned' });
      await expect(channel.send(never)).rejects.toThrow('voided');
      const { txid } = await channel.send(paid);
      await tried.pass(1);
      expect(await channel.void(paid)).toMatchObject({ state: 'mined', txid });
    },
  );
});

/**
 * The `confirmed` field of a withdrawal in a test: its owner, and the digest of the details that the owner confirmed.
 */
function confirmedBy(
  owner: string,
  { origin, amount, ...to }: Destination & { readonly origin: string; readonly amount: string },
) {
  const id = origin.slice('withdrawal '.length);
  const payment = { id, owner, network: 'ERC20', asset: 'ETH', ...to, amount: Decimal.parse(amount) };
  return { owner, digest: confirmedDigest(payment) };
}

it('DEP-032 no channel receives a coin that operators review, or one without a network', () => {
  const manualDeposits = new Map([['USDT/BEP20', '0x43367AC27272F42A8309b883355b7618Bb2A58D1']]);
  const chains = new Chains({
    offered: new OfferedNetworks([]),
    channels: [],
    watched: {} as WatchedTokens,
    explorers: new Map(),
    manualDeposits,
    voidWithoutChannel: () => Promise.resolve({ state: 'unsigned' }),
    originsOf: () => Promise.resolve([]),
  });
  expect(chains.receiving('USDT', 'BEP20')).toBe('manual');
  expect(chains.receiver('USDT', 'BEP20')).toBeUndefined();
  expect([chains.receiving('ETH', 'ERC20'), chains.sending('ETH', 'ERC20')]).toEqual(['none', 'none']);
});
