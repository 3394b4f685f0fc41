import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { sumOf } from '@exchange/core/utxo-transaction.ts';
import { Transaction } from '@scure/btc-signer';
import { RawTx } from '@scure/btc-signer/script.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAccount } from '../../../testing/litecoind.ts';
import { confirmedDigest } from '../../../testing/test-signer.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { addressCodec, bytesOf, hexOf } from '../utxo/scripts.ts';
import { readPrevious, readTransaction } from '../utxo/transactions.ts';
import { LEGACY_INPUTS_MAX, type BatchPayment, type BatchRequest, type UtxoAnswer } from './utxo-protocol.ts';
import { readSignerNetwork, readUtxoSigningTerms } from './utxo-settings.ts';

const OUTSIDE = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
const COIN = 100_000_000n;
const network = UTXO_NETWORKS.get('DOGE')!;

describe('the signer of a network without segregated witness', () => {
  let signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  let own: string;
  let deposit: string;
  let scriptOf: (address: string) => string;

  beforeEach(async () => {
    signer = await aUtxoSigner({ code: 'DOGE', limit: '5000/12000' });
    own = signer.signer.address;
    deposit = signer.signer.firstDepositAddress;
    const codec = await addressCodec(network);
    scriptOf = (address) => codec.scriptOf(address)!;
  });
  afterEach(() => signer.close());

  /** Makes a transaction with outputs of these amounts at an address, and `extra` bytes in its input's script. */
  const made = async (amounts: readonly bigint[], address = deposit, extra = 0) => {
    const raw = hexOf(
      RawTx.encode({
        version: 1,
        segwitFlag: false,
        inputs: [
          { txid: new Uint8Array(32).fill(7), index: 0, finalScriptSig: new Uint8Array(extra), sequence: 0 },
        ],
        outputs: amounts.map((amount) => ({ amount, script: bytesOf(scriptOf(address)) })),
        lockTime: 0,
      }),
    );
    return { raw, txid: (await readPrevious(raw)).txid };
  };
  const input = (txid: string, units: bigint, vout = 0) => ({
    txid,
    vout,
    units: units.toString(),
    branch: 0 as const,
    index: 0,
    address: deposit,
  });
  const payment = (coins: string): BatchPayment => {
    const [id, amount, owner] = [randomUUID(), Decimal.parse(coins), 'an-owner'];
    const place = { network: 'DOGE', asset: 'DOGE', address: OUTSIDE, memo: undefined };
    return {
      kind: 'pay',
      origin: `withdrawal ${id}`,
      owner,
      address: OUTSIDE,
      units: amount.toScaled(8).toString(),
      digest: confirmedDigest({ id, owner, amount, ...place }),
      approvedBy: 'an operator',
    };
  };
  const batch = (changes: Partial<BatchRequest>): BatchRequest => ({
    kind: 'batch',
    network: 'DOGE',
    batch: randomUUID(),
    inputs: [],
    payments: [payment('1000')],
    fee: '1000000',
    change: own,
    ...changes,
  });
  const ask = (request: Parameters<typeof signer.signer.answerTo>[0]) => signer.signer.answerTo(request);
  const refusalOf = (answer: UtxoAnswer) => ('refused' in answer ? answer.refused : 'signed');
  const signed = (answer: UtxoAnswer) => {
    if ('refused' in answer || answer.batch === null) throw new Error(JSON.stringify(answer));
    return answer.batch;
  };

  it('UTXO-043 the amount of an output is read from the transaction that made it, and the batch is signed once for ever', async () => {
    const previous = await made([3_000n * COIN, 4n * COIN]);
    const request = batch({
      inputs: [input(previous.txid, 3_000n * COIN), input(previous.txid, 4n * COIN, 1)],
      previous: [previous],
    });
    const { variants } = signed(await ask(request));
    const { inputs, outputs } = await readTransaction(variants[0]!.raw);
    expect(inputs).toEqual([
      { txid: previous.txid, vout: 0 },
      { txid: previous.txid, vout: 1 },
    ]);
    expect(outputs).toEqual([
      { script: scriptOf(OUTSIDE), units: 1_000n * COIN },
      { script: scriptOf(own), units: 2_004n * COIN - 1_000_000n },
    ]);
    // The signer's transaction equals the one that the library signs when it verifies the previous transactions itself.
    expect(variants[0]!.raw).toBe(await signedByLibrary(request.inputs, previous.raw, outputs));
    await signer.restart();
    // A signed batch, and its replacement, need no previous transactions: their amounts are in the journal.
    const { previous: _, ...again } = request;
    expect(signed(await ask(again)).variants).toEqual(variants);
    const replace = (fee: string) =>
      ask({ kind: 'replace', network: 'DOGE', batch: request.batch, fee, without: [] });
    expect(refusalOf(await replace('1030000'))).toContain('does not replace one of');
    const replaced = signed(await replace('2000000')).variants[1]!;
    const newest = await readTransaction(replaced.raw);
    expect(newest.inputs).toEqual(inputs);
    expect(sumOf(newest.outputs)).toBe(3_004n * COIN - 2_000_000n);
  });

  it('UTXO-043 a false amount, address, position or previous transaction is refused by name, and nothing is recorded', async () => {
    const rich = await made([10_000n * COIN]);
    const poor = await made([2_000n * COIN]);
    const foreign = await made([2_000n * COIN], OUTSIDE);
    const at = (txid: string) => [input(txid, 2_000n * COIN)];
    const refused: readonly (readonly [Partial<BatchRequest>, string])[] = [
      // The output holds 10,000 coins, but the request states 2,000. Without the check, the other 8,000 coins would
      // become the transaction's fee.
      [{ inputs: at(rich.txid), previous: [rich] }, `${rich.txid}:0 holds 1000000000000, not 200000000000`],
      [
        { inputs: [input(poor.txid, 2_001n * COIN)], previous: [poor] },
        'holds 200000000000, not 200100000000',
      ],
      [{ inputs: at(foreign.txid), previous: [foreign] }, `${foreign.txid}:0 is not at the address 0/0`],
      [{ inputs: [input(poor.txid, 2_000n * COIN, 1)], previous: [poor] }, 'has no output 1'],
      [{ inputs: at(poor.txid) }, `the previous transaction ${poor.txid} is missing`],
      [{ inputs: at(poor.txid), previous: [rich] }, `the previous transaction ${poor.txid} is missing`],
      [
        { inputs: at(rich.txid), previous: [{ txid: rich.txid, raw: poor.raw }] },
        `the previous transaction ${rich.txid} has the id ${poor.txid}`,
      ],
      [
        { inputs: at(rich.txid), previous: [{ txid: rich.txid, raw: `${rich.raw}00` }] },
        `the previous transaction ${rich.txid} is no transaction`,
      ],
      [
        { inputs: at(poor.txid), previous: [poor], fee: (100n * COIN).toString() },
        'per 1,000 bytes is more than 100000000',
      ],
    ];
    for (const [changes, reason] of refused) expect(refusalOf(await ask(batch(changes)))).toContain(reason);
    expect(signer.journal.count).toBe(0);
    // With the amount that the previous transaction states, the signer signs the same batch.
    signed(await ask(batch({ inputs: [input(rich.txid, 10_000n * COIN)], previous: [rich] })));
    // The library, too, refuses a previous transaction whose id is not that of the spent output.
    await expect(
      signedByLibrary([input(rich.txid, 10_000n * COIN)], poor.raw, [{ script: scriptOf(own), units: 1n }]),
    ).rejects.toThrow('wrong txid');
  });

  it('UTXO-045 more outputs or more bytes of previous transactions than a batch may have are refused', async () => {
    const many = await made(Array.from({ length: LEGACY_INPUTS_MAX + 1 }, () => 100n * COIN));
    const inputs = (count: number) =>
      Array.from({ length: count }, (_, vout) => input(many.txid, 100n * COIN, vout));
    expect(refusalOf(await ask(batch({ inputs: inputs(LEGACY_INPUTS_MAX + 1), previous: [many] })))).toBe(
      '101 outputs are more than the 100 that a batch spends here',
    );
    const large = await Promise.all([2_000n, 2_001n].map((coins) => made([coins * COIN], deposit, 900_000)));
    const both = large.map(({ txid }, at) => input(txid, (2_000n + BigInt(at)) * COIN));
    expect(refusalOf(await ask(batch({ inputs: both, previous: large })))).toMatch(
      /^1800\d{3} bytes of previous transactions are more than 1500000$/,
    );
    expect(signer.journal.count).toBe(0);
    signed(await ask(batch({ inputs: both.slice(0, 1), previous: large.slice(0, 1) })));
    signed(await ask(batch({ inputs: inputs(LEGACY_INPUTS_MAX), previous: [many] })));
  });

  it('UTXO-048 the signer of Dogecoin has the fee bound of its network unless another one is set', async () => {
    const codec = await addressCodec(network);
    const environment = { SIGNER_NETWORK: 'DOGE' };
    expect(readUtxoSigningTerms(environment, codec)).toMatchObject({ network, rateMax: COIN });
    expect(readUtxoSigningTerms({ ...environment, SIGNER_FEE_RATE: '7' }, codec).rateMax).toBe(7_000n);
    expect(() => readSignerNetwork({ SIGNER_NETWORK: 'BCH' })).toThrow(
      'SIGNER_NETWORK must be one of LTC, BTC, DOGE, not "BCH"',
    );
  });

  /**
   * Returns, in hex, a transaction that the library has signed with the key of the first deposit address. The
   * library reads the spent amounts from the previous transaction and verifies its id.
   */
  async function signedByLibrary(
    inputs: readonly { readonly txid: string; readonly vout: number }[],
    previous: string,
    outputs: readonly { readonly script: string; readonly units: bigint }[],
  ): Promise<string> {
    const transaction = new Transaction({ version: 1 });
    for (const { txid, vout } of inputs)
      transaction.addInput({ txid, index: vout, sequence: 0xff_ff_ff_fd, nonWitnessUtxo: previous });
    for (const { script, units } of outputs)
      transaction.addOutput({ script: bytesOf(script), amount: units });
    const { privateKey } = testAccount('DOGE').deriveChild(0).deriveChild(0);
    transaction.sign(bytesOf(privateKey.slice(2)));
    transaction.finalize();
    return transaction.hex;
  }
});
