import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChannelUnavailable } from './channel.ts';
import {
  candidatesIn,
  internalTransfers,
  outputOf,
  TRANSFER_TOPIC,
  type EvmLog,
  type TracedCall,
} from './evm-domain.ts';
import { EvmNode, NodeRefused } from './evm-node.ts';

describe('an EVM node', () => {
  let server: Server;
  let answer = '';
  /** The node's answer to each method; to a method that is not listed, the node sends `answer`. */
  let answers: ReadonlyMap<string, string>;
  let requested: { readonly method: string; readonly params: readonly unknown[] };
  let url: string;
  let node: EvmNode;
  beforeEach(async () => {
    answers = new Map();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requested = JSON.parse(Buffer.concat(chunks).toString()) as typeof requested;
        response.end(answers.get(requested.method) ?? answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    node = new EvmNode(url);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('DEP-039 is unavailable when it answers with something other than JSON-RPC', async () => {
    answer = '<html>502</html>';
    await expect(node.head()).rejects.toThrow(ChannelUnavailable);
  });

  it('DEP-039 is unavailable when it does not listen', async () => {
    await expect(new EvmNode('http://127.0.0.1:9').head()).rejects.toThrow(ChannelUnavailable);
  });

  it('DEP-039 is trusted only for answers in the requested form', async () => {
    answer = JSON.stringify({ result: '0x10' });
    expect(await node.head()).toBe(16);
    for (const result of [16, '16', '0xzz', {}, null]) {
      answer = JSON.stringify({ result });
      await expect(node.head()).rejects.toThrow(/invalid/);
    }
    answer = JSON.stringify({ result: { number: '0x1', hash: '0x2' } });
    await expect(node.blockAt(1)).rejects.toThrow(/invalid/);
    answer = JSON.stringify({ error: { code: -32_000, message: 'already known' } });
    await expect(node.broadcast('0x')).rejects.toThrow(NodeRefused);
    answer = JSON.stringify({ result: null });
    expect(await node.receipt('0x1')).toBeUndefined();
  });

  it('DEP-039 is not believed about another transaction than was asked for', async () => {
    const receipt = {
      transactionHash: '0xA1',
      status: '0x1',
      blockNumber: '0x7',
      blockHash: '0x70',
      logs: [],
    };
    const transaction = { hash: '0xA1', from: '0x2', to: null, value: '0x0', input: '0x', nonce: '0x0' };
    answers = new Map([
      ['eth_getTransactionReceipt', JSON.stringify({ result: receipt })],
      ['eth_getTransactionByHash', JSON.stringify({ result: transaction })],
    ]);
    expect(await node.receipt('0xa1')).toMatchObject({ isSuccess: true, block: 7 });
    expect(await node.transaction('0xa1')).toMatchObject({ from: '0x2' });
    await expect(node.receipt('0xa2')).rejects.toThrow(ChannelUnavailable);
    await expect(node.transaction('0xa2')).rejects.toThrow('gave the transaction 0xA1 instead of 0xa2');
  });

  it('TRE-004 names the fee of a transaction whose receipt has no gas price by the price of the transaction', async () => {
    const receipt = {
      transactionHash: '0xa1',
      status: '0x1',
      blockNumber: '0x7',
      blockHash: '0x70',
      logs: [],
    };
    const answerWith = (gas: Readonly<Record<string, string>>, transaction: unknown) => {
      answers = new Map([
        ['eth_getTransactionReceipt', JSON.stringify({ result: Object.assign({}, receipt, gas) })],
        ['eth_getTransactionByHash', JSON.stringify({ result: transaction })],
      ]);
    };
    answerWith({ gasUsed: '0x5208', effectiveGasPrice: '0x2' }, null);
    expect((await node.receipt('0xa1'))!.fee).toBe(42_000n);
    answerWith({ gasUsed: '0x5208' }, { hash: '0xA1', gasPrice: '0x3' });
    expect((await node.receipt('0xa1'))!.fee).toBe(63_000n);
    answerWith({ gasUsed: '0x5208' }, { hash: '0xa1' });
    expect((await node.receipt('0xa1'))!.fee).toBeUndefined();
    for (const transaction of [null, { hash: '0xa2', gasPrice: '0x3' }]) {
      answerWith({ gasUsed: '0x5208' }, transaction);
      await expect(node.receipt('0xa1')).rejects.toThrow(ChannelUnavailable);
    }
  });

  it('NET-006 is read up to the block that its validators have agreed on, where the settings say so', async () => {
    const final = new EvmNode(url, { finality: 'finalized' });
    answer = JSON.stringify({ result: { number: '0x20', hash: '0x2' } });
    expect(await final.head()).toBe(32);
    expect(requested).toMatchObject({ method: 'eth_getBlockByNumber', params: ['finalized', false] });
    answer = JSON.stringify({ result: null });
    await expect(final.head()).rejects.toThrow('no block that is finalized');
  });

  it('NET-004 says the whole gas price as a tip where there is no base fee', async () => {
    answer = JSON.stringify({ result: '0x3b9aca00' });
    expect(await new EvmNode(url, { feeModel: 'legacy' }).fees()).toEqual({ base: 0n, tip: 1_000_000_000n });
    expect(requested.method).toBe('eth_gasPrice');
  });

  it('NET-018 raises a suggested tip or gas price to the least one of the settings, and lowers none', async () => {
    const GWEI = 1_000_000_000n;
    const block = {
      number: '0x1',
      hash: '0x2',
      parentHash: '0x1',
      baseFeePerGas: '0x7',
      transactions: [],
    };
    answers = new Map([['eth_getBlockByNumber', JSON.stringify({ result: block })]]);
    const feesOf = (feeModel: 'legacy' | 'eip1559', suggested: bigint) => {
      answer = JSON.stringify({ result: `0x${suggested.toString(16)}` });
      return new EvmNode(url, { feeModel, leastTip: 25n * GWEI }).fees();
    };
    expect(await feesOf('legacy', GWEI)).toEqual({ base: 0n, tip: 25n * GWEI });
    expect(await feesOf('legacy', 30n * GWEI)).toEqual({ base: 0n, tip: 30n * GWEI });
    expect(await feesOf('eip1559', 0n)).toEqual({ base: 7n, tip: 25n * GWEI });
    expect(await feesOf('eip1559', 40n * GWEI)).toEqual({ base: 7n, tip: 40n * GWEI });
  });
});

describe('payments of a block', () => {
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`;
  const [contract, ann] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
  const SENDER = `0x${'dd'.repeat(20)}`;
  const TOKEN_SENDER = `0x${'cc'.padStart(40, '0')}`;
  const terms = { network: 'ERC20', coin: 'ETH', tokens: new Map([['USDT', { contract, digits: 6 }]]) };
  const log = (overrides: Partial<EvmLog> = {}): EvmLog => ({
    address: contract,
    data: word('64'),
    index: 5,
    txid: '0x01',
    topics: [TRANSFER_TOPIC, word('cc'), word('bb'.repeat(20))],
    ...overrides,
  });
  const block = { number: 1, hash: '0x1', parentHash: '0x0', transactions: [] };

  it('DEP-035 TRE-040 TRE-044 include transfers of known contracts and of the native coin, but no look-alikes', () => {
    const transactions = [
      { hash: '0x02', from: SENDER, to: ann.toUpperCase().replace('0X', '0x'), value: 7n, input: '0x' },
      { hash: '0x05', from: SENDER, to: ann, value: 8n, input: '0x676173' },
      { hash: '0x03', from: SENDER, to: null, value: 7n, input: '0x' },
      { hash: '0x04', from: SENDER, to: ann, value: 0n, input: '0x' },
    ];
    const token721 = log({ topics: [...log().topics, word('1')] });
    const lookAlikes = [log({ address: ann }), log({ data: word('0') }), log({ data: '0x' }), token721];
    expect(candidatesIn({ ...block, transactions }, [log(), ...lookAlikes], terms)).toEqual([
      {
        txid: '0x02',
        log: undefined,
        call: undefined,
        asset: 'ETH',
        digits: 18,
        address: ann,
        sender: SENDER,
        input: '0x',
        units: 7n,
      },
      {
        txid: '0x05',
        log: undefined,
        call: undefined,
        asset: 'ETH',
        digits: 18,
        address: ann,
        sender: SENDER,
        input: '0x676173',
        units: 8n,
      },
      {
        txid: '0x01',
        log: 5,
        call: undefined,
        asset: 'USDT',
        digits: 6,
        address: ann,
        sender: TOKEN_SENDER,
        input: undefined,
        units: 100n,
      },
    ]);
    expect(candidatesIn({ ...block, transactions }, [], { ...terms, coin: undefined })).toEqual([]);
  });

  it('TRE-059 include what contracts pay inside a transaction, but nothing reverted, delegated or empty', () => {
    const call = (type: string, value: bigint, overrides: Partial<TracedCall> = {}): TracedCall => ({
      type,
      from: SENDER,
      to: ann,
      value,
      isReverted: false,
      calls: [],
      ...overrides,
    });
    const inside = [
      call('DELEGATECALL', 9n, { calls: [call('CALL', 3n)] }),
      call('CALL', 4n, { isReverted: true, calls: [call('CALL', 5n)] }),
      call('CALL', 0n, { calls: [call('SELFDESTRUCT', 6n)] }),
    ];
    const found = internalTransfers('0x02', call('CALL', 7n, { calls: inside }));
    expect(found.map(({ call: number, value }) => [number, value])).toEqual([
      [2, 3n],
      [6, 6n],
    ]);
    expect(internalTransfers('0x02', call('CALL', 7n, { isReverted: true, calls: inside }))).toEqual([]);
    const [payment] = candidatesIn(block, [], terms, found);
    expect(payment).toMatchObject({ asset: 'ETH', address: ann, units: 3n });
    const receipt = { isSuccess: true, block: 1, blockHash: '0x1', logs: [] };
    expect(outputOf(payment!, receipt)).toBe(1_000_002);
    expect(candidatesIn(block, [], { ...terms, coin: undefined }, found)).toEqual([]);
  });

  it('DEP-036 are identified by their position in the transaction, independent of the block', () => {
    const [payment] = candidatesIn(block, [log({ index: 41 })], terms);
    const logs = [log({ index: 40, address: ann }), log({ index: 41 })];
    const receipt = { isSuccess: true, block: 1, blockHash: '0x1', logs };
    expect(outputOf(payment!, receipt)).toBe(2);
    expect(outputOf({ ...payment!, log: undefined }, receipt)).toBe(0);
    expect(outputOf(payment!, { ...receipt, isSuccess: false })).toBeUndefined();
    expect(outputOf(payment!, { ...receipt, logs: [] })).toBeUndefined();
  });
});
