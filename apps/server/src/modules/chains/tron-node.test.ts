import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TRON_USDT } from '../../../testing/fake-tron.ts';
import { aRecordedNode, recordedAnswers } from '../../../testing/recorded/recorded-node.ts';
import { ChannelUnavailable } from './channel.ts';
import { coinTransfersIn, transfersIn, tronAddress, type TronTransaction } from './tron-domain.ts';
import { TronCallRefused, TronNode } from './tron-node.ts';

/**
 * Type of a node's answer about an executed transaction; its fields are writable, because tests change copies
 * of recorded answers.
 */
interface Result {
  id: string;
  blockNumber: number;
  fee?: number;
  result?: string;
  receipt: { result?: string };
  log: [{ address: string; topics: string[]; data: string }];
}

interface Recorded {
  readonly results: Readonly<Record<string, Result>>;
  readonly block: { readonly block_header: { readonly raw_data: { readonly number: number } } };
  readonly blockResults: readonly Result[];
  readonly transfer: { readonly txID: string };
  readonly calls: Readonly<Record<string, object>>;
  readonly resources: Readonly<Record<string, object>>;
  readonly parameters: Readonly<Record<string, object>>;
}

const recorded = recordedAnswers('tron') as Recorded;
const TOKENS = new Map([['USDT', { contract: TRON_USDT, digits: 6 }]]);
const ANYBODY = tronAddress('11'.repeat(20));
const resultOf = (name: string) => structuredClone(recorded.results[name]!);
const received = (transaction: TronTransaction | undefined) =>
  transfersIn([transaction!], TOKENS).map(({ receiver, units }) => `${units} ${receiver}`);

describe('recorded answers of nodes of TRON', () => {
  /** Responses that the simulated node gives, by the last segment of the request's path (the method). */
  const answers = new Map<string, unknown>();
  let stop: () => void;
  let node: TronNode;
  beforeAll(async () => {
    const started = await aRecordedNode(({ path }) => answers.get(path.split('/').at(-1)!));
    ({ stop } = started);
    node = new TronNode(started.url, undefined);
  });
  afterAll(() => stop());
  beforeEach(() => answers.clear());

  const readResult = (result: Result) => {
    answers.set('gettransactioninfobyid', result);
    return node.transaction(result.id);
  };

  it('TRON-025 transfers of USDT are read with what moved and what was burnt, whether energy was staked or paid', async () => {
    const staked = await readResult(resultOf('staked'));
    expect(staked).toMatchObject({ isSuccess: true, failure: undefined, fee: 345_000n, block: 66_861_993 });
    expect(received(staked)).toEqual([`3500000 ${tronAddress('cdae4e9a6287333a3f7df432b050af7b17e79e63')}`]);
    const burnt = await readResult(resultOf('burnt'));
    expect(burnt).toMatchObject({ isSuccess: true, fee: 1_231_300n, block: 29_129_143 });
    expect(received(burnt)).toEqual([`1000000 ${tronAddress('88bb8fcadbf29ee90dffbc8c7fd1e02a485fbeff')}`]);
  });

  it('TRON-025 failed transactions and transfers of other tokens move nothing that is listed', async () => {
    const failed = await readResult(resultOf('outOfEnergy'));
    expect(failed).toMatchObject({ isSuccess: false, failure: 'OUT_OF_ENERGY', fee: 16_500_120n });
    expect(received(failed)).toEqual([]);
    const reverted = await readResult(resultOf('reverted'));
    expect(reverted).toMatchObject({ isSuccess: false, failure: 'REVERT', fee: 802_800n });
    expect(received(reverted)).toEqual([]);
    const other = await readResult(resultOf('otherToken'));
    expect(other).toMatchObject({ isSuccess: true, fee: 1_649_400n });
    expect(received(other)).toEqual([]);
    // A transfer of TRX within the free bandwidth: no contract was called, and nothing was burnt.
    expect(await readResult(resultOf('coins'))).toMatchObject({
      isSuccess: false,
      failure: undefined,
      fee: 0n,
    });
  });

  it('TRON-025 a transfer of TRX is read from its transaction', async () => {
    const { txID: id } = recorded.transfer;
    answers.set('gettransactioninfobyid', { ...resultOf('coins'), id });
    answers.set('gettransactionbyid', recorded.transfer);
    const transaction = await node.wholeTransaction(id);
    expect(coinTransfersIn([transaction!])).toMatchObject([
      {
        units: 5n,
        sender: tronAddress('9b3281a60ab7a44f351ef2896c653f134972ad22'),
        receiver: tronAddress('05cc125604448afeb6867eb688efb7e80411d57a'),
      },
    ]);
  });

  it('TRON-025 a block is read with the results of all its transactions, and not without one of them', async () => {
    const { block, blockResults } = recorded;
    const { number } = block.block_header.raw_data;
    const listed = blockResults.map(({ id: txID }) => ({ txID }));
    answers.set('getblockbynum', { ...block, transactions: listed });
    answers.set('gettransactioninfobyblocknum', blockResults);
    expect(await node.blockAt(number)).toMatchObject({
      number: 66_987_565,
      hash: '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e',
      parentHash: '0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed',
      time: 1_777_445_121_000,
      transactions: [
        { fee: 267_000n, failure: undefined },
        { fee: 267_000n, failure: undefined },
      ],
    });
    answers.set('gettransactioninfobyblocknum', blockResults.slice(1));
    await expect(node.blockAt(number)).rejects.toThrow(ChannelUnavailable);
    answers.set('gettransactioninfobyblocknum', [
      { ...blockResults[0], blockNumber: number - 1 },
      blockResults[1],
    ]);
    await expect(node.blockAt(number)).rejects.toThrow(ChannelUnavailable);
    await expect(node.blockAt(number + 1)).rejects.toThrow('gave block');
  });

  it('TRON-025 balances, energy and resources are read, and a call that the contract refuses is refused', async () => {
    answers.set('triggerconstantcontract', recorded.calls['balance']);
    expect(await node.tokenBalance(TRON_USDT, ANYBODY)).toBe(1_087_360_000n);
    answers.set('triggerconstantcontract', recorded.calls['transfer']);
    const transfer = { address: ANYBODY, units: 1n };
    expect(await node.energy(ANYBODY, TRON_USDT, transfer)).toBe(64_895n);
    answers.set('triggerconstantcontract', recorded.calls['reverted']);
    await expect(node.energy(ANYBODY, TRON_USDT, transfer)).rejects.toThrow(
      new TronCallRefused('REVERT opcode executed'),
    );
    answers.set('getaccountresource', recorded.resources['free']);
    expect(await node.resources(ANYBODY)).toEqual({ energy: 0n, bandwidth: 159n });
    answers.set('getaccountresource', recorded.resources['staked']);
    expect(await node.resources(ANYBODY)).toEqual({
      energy: 25_898_510_887n,
      bandwidth: 416_245_122n - 2_011n,
    });
    // A node omits the value of a parameter that is zero.
    answers.set('getchainparameters', recorded.parameters['old']);
    expect(await node.prices()).toEqual({ energy: 100n, bandwidth: 10n, activation: 0n });
    answers.set('getchainparameters', recorded.parameters['cut']);
    await expect(node.prices()).rejects.toThrow('no price getEnergyFee');
  });

  it.each<[string, (result: Result) => void]>([
    ['of another contract', ({ log }) => (log[0].address = '42a1e39aefa49290f2b3f9ed688d7cecf86cd6e0')],
    ['whose call was reverted', (result) => (result.receipt.result = 'REVERT')],
    ['that failed', (result) => (result.result = 'FAILED')],
    ['without the result of the call', (result) => delete result.receipt.result],
    [
      'that only approves',
      ({ log }) => (log[0].topics[0] = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'),
    ],
    ['without its receiver', ({ log }) => log[0].topics.pop()],
    ['with a further topic', ({ log }) => log[0].topics.push('0'.repeat(64))],
    ['with a short topic', ({ log }) => (log[0].topics[2] = log[0].topics[2]!.slice(2))],
    ['of nothing', ({ log }) => (log[0].data = '0'.repeat(64))],
    ['without an amount', ({ log }) => (log[0].data = '')],
    ['with further data', ({ log }) => (log[0].data += '0'.repeat(64))],
  ])('TRON-026 a recorded transfer %s is no transfer', async (_, plant) => {
    const result = resultOf('staked');
    plant(result);
    expect(received(await readResult(result))).toEqual([]);
  });

  it('TRON-026 a recorded transfer to another receiver is read as to that one', async () => {
    const result = resultOf('staked');
    result.log[0].topics[2] = `${'0'.repeat(24)}${'22'.repeat(20)}`;
    expect(received(await readResult(result))).toEqual([`3500000 ${tronAddress('22'.repeat(20))}`]);
  });

  it('TRON-026 the answer about another transaction than was asked for is not taken', async () => {
    const [asked, other] = [resultOf('staked'), resultOf('burnt')];
    answers.set('gettransactioninfobyid', other);
    await expect(node.transaction(asked.id)).rejects.toThrow(ChannelUnavailable);
    await expect(node.wholeTransaction(asked.id)).rejects.toThrow(`gave the transaction ${other.id}`);
    answers.set('gettransactioninfobyid', asked);
    answers.set('gettransactionbyid', recorded.transfer);
    await expect(node.wholeTransaction(asked.id)).rejects.toThrow(
      `gave the transaction ${recorded.transfer.txID}`,
    );
  });
});
