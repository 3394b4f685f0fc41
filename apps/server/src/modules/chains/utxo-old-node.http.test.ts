import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { Litecoind, testAccountXpub, withoutLitecoind } from '../../../testing/litecoind.ts';
import { anOldNodeProxy, type OldNodeProxy } from '../../../testing/old-node-proxy.ts';
import { comparedWithChain } from '../../../testing/restores.ts';
import { openChainStates, utxoState, type ChainStates } from '../../commands/restore/chain-states.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { isCompared, openPayments, storeComparison } from '../withdrawals/restore-repository.ts';
import { UtxoNode } from './utxo-node.ts';

/** Number of payments in a block, more than the 50 transactions that one batch of requests to the node reads. */
const PAYMENTS = 60;
const CONFIRMATIONS = 2;

describe.skipIf(withoutLitecoind() !== undefined)('a node that is built on Bitcoin Core 0.14', () => {
  let node: Litecoind;
  let proxy: OldNodeProxy;
  let exchange: TestExchange;

  beforeAll(async () => {
    node = await Litecoind.start(3);
    proxy = await anOldNodeProxy(node.url);
    exchange = await anExchange({
      settings: {
        LTC_RPC_URL: proxy.url,
        LTC_RPC_AUTH_FILE: node.authFile,
        LTC_XPUB: testAccountXpub(),
        LTC_CHAIN: 'regtest',
        LTC_CONFIRMATIONS: `${CONFIRMATIONS}`,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    await proxy?.stop();
    await node?.stop();
  });
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };

  it('UTXO-034 a node that lists only ids of transactions has its blocks read by id, and deposits are credited', async () => {
    const trader = await exchange.aUser();
    const { address } = await trader.request(depositAddress, { currency: 'LTC', network: 'LTC' });
    await node.pay({ [address]: '1.25' });
    const outside = await node.rpc('getnewaddress', '', 'legacy');
    for (let paid = 0; paid < PAYMENTS; paid += 1) await node.rpc('sendtoaddress', outside, '0.01');
    await node.mine(CONFIRMATIONS);
    await watch();
    expect((await trader.request(spotAssets, { currency: 'LTC' })).list[0]!.availableCurrency).toBe('1.25');
    expect(proxy.batches).toContain(50);
    expect(Math.max(...proxy.batches)).toBe(50);
    // The client returns the same block from an old node, which lists ids only, and from a present one.
    const height = await node.height();
    const [old, present] = [new UtxoNode(proxy.url, node.authFile), new UtxoNode(node.url, node.authFile)];
    for (const number of [1, height - 1, height])
      expect(await old.blockAt(number)).toEqual(await present.blockAt(number));
    expect(await old.blockAt(0)).toMatchObject({ number: 0, parentHash: '', transactions: [] });
  });

  it('UTXO-035 a payment on a chain whose node has no list of its indexes is compared after a restore', async () => {
    const states = openChainStates({
      evm: [],
      utxo: [
        {
          network: 'LTC',
          chain: 'regtest',
          rpcUrl: proxy.url,
          authFile: node.authFile,
          xpub: testAccountXpub(),
          steps: [],
          startBlock: undefined,
          reserves: [],
          sending: undefined,
          cold: undefined,
          coldXpub: undefined,
          bounds: undefined,
          rates: { least: 1n, consolidate: 1n, most: 1n },
          replaceAfterMs: 1,
        },
      ],
      xrp: undefined,
      tron: undefined,
    });
    const txid = await node.pay({ [await node.rpc('getnewaddress')]: '1' });
    const payment = { chain: 'LTC', origin: 'withdrawal a', txid, lastValid: undefined };
    expect(await states.get('LTC')!(payment)).toBe('waiting');
    await node.mine();
    expect(await states.get('LTC')!(payment)).toBe('paid');
    const client = new UtxoNode(proxy.url, node.authFile);
    expect(await client.rawTransaction(txid)).toBe(await node.rpc('getrawtransaction', txid));
    expect(await client.rawTransaction('1'.repeat(64))).toBeUndefined();
    expect(await client.feeRate(3)).toBeUndefined();
  });

  it('UTXO-035 a chain whose node fails is named as not compared, the others are compared, and sending stays paused', async () => {
    const paid = await node.pay({ [await node.rpc('getnewaddress')]: '1' });
    await node.mine();
    const reader = await utxoState(new UtxoNode(proxy.url, node.authFile), 'LTC');
    const readable: ChainStates = new Map([['LTC', reader]]);
    let dogeReads = 0;
    const failing: ChainStates = new Map([
      ...readable,
      [
        'DOGE',
        async () => {
          dogeReads += 1;
          if (dogeReads > 1) throw new Error('the node does not answer');
          return 'waiting' as const;
        },
      ],
    ]);
    const signed = async function* () {
      for (const [chain, txid, id] of [
        ['DOGE', '1', 'c'],
        ['DOGE', '2', 'd'],
        ['LTC', paid, 'e'],
        ['DOGE', '3', 'f'],
      ] as const)
        yield {
          origin: `withdrawal ${id.repeat(36)}`,
          asset: chain,
          amount: '1',
          address: 'an address',
          chain,
          txid,
          isVoid: false,
          lastValid: undefined,
        };
    };
    const partial = await comparedWithChain(exchange, failing, signed());
    expect(partial.notCompared).toEqual([{ chain: 'DOGE', payments: 3, reason: 'the node does not answer' }]);
    expect([partial.paidUnknown.map(({ txid }) => txid), partial.notPaid]).toEqual([[paid], []]);
    const { store } = databaseOver(exchange.database.pool);
    await storeComparison(store, { backup: 'a backup', comparison: partial, at: 0 });
    expect(await isCompared(store, 'a backup')).toBe(false);
    expect((await openPayments(store, 'a backup', 10)).list.map(({ txid }) => txid)).toEqual([paid]);
    const whole = await comparedWithChain(
      exchange,
      new Map([...readable, ['DOGE', async () => 'waiting' as const]]),
      signed(),
    );
    await storeComparison(store, { backup: 'a backup', comparison: whole, at: 0 });
    expect(await isCompared(store, 'a backup')).toBe(true);
  });

  it('UTXO-034 UTXO-043 such a node without an index of transactions reads nothing, has no previous transactions, and says what is missing', async () => {
    const bare = await Litecoind.start(1, { isIndexed: false });
    const bareProxy = await anOldNodeProxy(bare.url);
    try {
      const client = new UtxoNode(bareProxy.url, bare.authFile);
      expect(await client.hasTransactionIndex()).toBe(false);
      await expect(client.blockAt(1)).rejects.toThrow('start it with -txindex=1');
      await expect(client.rawTransaction('1'.repeat(64))).rejects.toThrow('start it with -txindex=1');
    } finally {
      await bareProxy.stop();
      await bare.stop();
    }
  });
});
