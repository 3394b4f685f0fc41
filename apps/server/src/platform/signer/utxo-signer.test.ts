import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvedReturnDigest, coldDigest, confirmedDigest } from '../../../testing/test-signer.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { sumOf } from '@exchange/core/utxo-transaction.ts';
import { readTransaction } from '../utxo/transactions.ts';
import { coldOrigin } from './protocol.ts';
import type { BatchPayment, BatchRequest, UtxoAnswer } from './utxo-protocol.ts';

const OUTSIDE = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const COLD = 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn';
/** The first deposit address of the test account, as a list. */
let deposits: readonly string[];
/** The test account's own address. */
let own: string;
const DAY_MS = 86_400_000;
const COIN = 100_000_000n;

describe('the signer of batches', () => {
  let signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  let now = 1_000_000_000_000;

  beforeEach(async () => {
    signer = await aUtxoSigner({ limit: '5/12', cold: COLD, now: () => now });
    own = signer.signer.address;
    deposits = [signer.signer.firstDepositAddress];
  });
  afterEach(() => signer.close());

  const input = (number: number, units: bigint) => ({
    txid: number.toString(16).padStart(64, '0'),
    vout: 0,
    units: units.toString(),
    branch: 0 as const,
    index: 0,
    address: deposits[0]!,
  });
  const payment = (coins: string, id: string = randomUUID()): BatchPayment => {
    const amount = Decimal.parse(coins);
    const owner = 'an-owner';
    const place = { network: 'LTC', asset: 'LTC', address: OUTSIDE, memo: undefined };
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
  const batch = (changes: Partial<BatchRequest> = {}): BatchRequest => ({
    kind: 'batch',
    network: 'LTC',
    batch: randomUUID(),
    inputs: [input(1, 3n * COIN)],
    payments: [payment('1'), payment('0.5')],
    fee: '1000',
    change: own,
    ...changes,
  });
  const ask = (request: Parameters<typeof signer.signer.answerTo>[0]) => signer.signer.answerTo(request);
  const refusalOf = (answer: UtxoAnswer) => ('refused' in answer ? answer.refused : 'signed');
  const signed = (answer: UtxoAnswer) => {
    if ('refused' in answer || answer.batch === null) throw new Error(JSON.stringify(answer));
    return answer.batch;
  };

  it('UTXO-020 a batch pays what owners confirmed, returns the rest to its own address, and is signed once for ever', async () => {
    const request = batch();
    const { variants } = signed(await ask(request));
    const { outputs, inputs } = await readTransaction(variants[0]!.raw);
    expect(inputs).toEqual([{ txid: input(1, 0n).txid, vout: 0 }]);
    expect(outputs.map(({ units }) => units)).toEqual([COIN, COIN / 2n, COIN + COIN / 2n - 1_000n]);
    await signer.stop();
    await signer.start();
    expect(signed(await ask(request)).variants).toEqual(variants);
    expect(signer.journal.count).toBe(1);
    expect(refusalOf(await ask({ ...request, payments: [payment('1')] }))).toBe(
      'another batch was signed under this name',
    );
    // The signer refuses a batch with a payment or an output of another batch.
    const again = await ask(batch({ payments: request.payments, inputs: [input(2, 3n * COIN)] }));
    expect(again).toMatchObject({
      origins: request.payments.map(({ origin }) => origin),
      batches: [request.batch],
    });
    expect(await ask(batch())).toMatchObject({
      refused: expect.stringContaining('was spent by the batch') as string,
      batches: [request.batch],
    });
    expect(signer.journal.count).toBe(1);
  });

  it('TRE-140 UTXO-032 a return to its sender is in one batch, as two operators approved it, within the limits of payments', async () => {
    const returned = (coins: string, approved = coins): BatchPayment => {
      const digest = approvedReturnDigest({
        id: 'a1-1',
        owner: 'sender',
        network: 'LTC',
        asset: 'LTC',
        address: OUTSIDE,
        memo: undefined,
        amount: Decimal.parse(approved),
      });
      const units = Decimal.parse(coins).toScaled(8).toString();
      const fields = { origin: 'return a1-1', owner: 'sender', address: OUTSIDE, approvedBy: 'two' };
      return { kind: 'pay', ...fields, units, digest };
    };
    const inputs = [input(1, 20n * COIN)];
    expect(refusalOf(await ask(batch({ inputs, payments: [returned('2', '1')] })))).toContain('not what was');
    expect(refusalOf(await ask(batch({ inputs, payments: [returned('5.1')] })))).toContain('at once');
    expect(refusalOf(await ask(batch({ inputs, payments: [returned('5'), payment('5')] })))).toBe('signed');
    const others = { inputs: [input(2, 20n * COIN)] };
    expect(refusalOf(await ask(batch({ ...others, payments: [payment('3')] })))).toContain('within a day');
    expect(refusalOf(await ask(batch({ ...others, payments: [returned('5')] })))).toContain('another batch');
  });

  it('UTXO-021 a payment that its owner did not confirm, or that the signer’s own settings do not allow, is refused and not recorded', async () => {
    const changed = payment('1');
    const cold = (address: string) => {
      const id = randomUUID();
      const amount = Decimal.parse('2');
      const digest = coldDigest({ id, network: 'LTC', asset: 'LTC', address, amount });
      return {
        kind: 'cold' as const,
        origin: coldOrigin(id),
        address,
        units: (2n * COIN).toString(),
        digest,
        approvedBy: 'two',
      };
    };
    const refused: readonly (readonly [Partial<BatchRequest>, string])[] = [
      [{ payments: [{ ...changed, units: (2n * COIN).toString() }] }, 'not what was confirmed or approved'],
      [{ payments: [{ ...changed, address: COLD }] }, 'not what was confirmed or approved'],
      [{ payments: [{ ...changed, origin: `withdrawal ${randomUUID()}` }] }, 'not what was confirmed'],
      [{ payments: [changed, changed] }, 'a payment is in the batch twice'],
      [{ payments: [payment('5.00000001')] }, 'more than is signed at once'],
      [
        { payments: [payment('5'), payment('5'), payment('5')], inputs: [input(1, 20n * COIN)] },
        'within a day',
      ],
      [{ payments: [{ ...changed, address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }] }, 'no address'],
      [{ payments: [cold(OUTSIDE)] }, 'not what was confirmed or approved'],
      [{ change: OUTSIDE }, 'is not the own address'],
      [{ inputs: [{ ...input(1, 3n * COIN), index: 7 }] }, 'is not the address 0/7'],
      [{ inputs: [input(1, 3n * COIN), input(1, 3n * COIN)] }, 'an output is spent twice'],
      [{ inputs: [input(1, COIN)] }, 'do not pay the payments and the fee'],
      [{ fee: (COIN / 10n).toString() }, 'is more than 300000'],
      [{ network: 'BTC' }, 'BTC is not LTC'],
    ];
    for (const [changes, reason] of refused) expect(refusalOf(await ask(batch(changes)))).toContain(reason);
    expect(signer.journal.count).toBe(0);
    // Payments to the cold wallet do not count towards the daily limit. Payments to the outside count for a day.
    const inputs = (number: number) => [input(number, 20n * COIN)];
    signed(await ask(batch({ inputs: inputs(1), payments: [payment('5'), payment('5'), cold(COLD)] })));
    expect(refusalOf(await ask(batch({ inputs: inputs(2), payments: [payment('3')] })))).toContain(
      'within a day',
    );
    signed(await ask(batch({ inputs: inputs(2), payments: [payment('2')] })));
    now += DAY_MS + 1;
    signed(await ask(batch({ inputs: inputs(3), payments: [payment('5')] })));
  });

  it('UTXO-022 a replacement spends the same outputs with a higher fee; a payment that was left out stays out', async () => {
    const request = batch();
    const [first, second] = request.payments.map(({ origin }) => origin);
    signed(await ask(request));
    const replace = (fee: string, without: string[] = []) =>
      ask({ kind: 'replace', network: 'LTC', batch: request.batch, fee, without });
    expect(refusalOf(await replace('1050'))).toContain('does not replace one of 1000');
    expect(refusalOf(await replace('2000', ['withdrawal unknown']))).toContain('no such payments');
    await replace('2000', [first!]);
    const { variants } = signed(await replace('3000'));
    expect(variants.map(({ fee, without }) => [fee, without])).toEqual([
      ['1000', []],
      ['2000', [first]],
      ['3000', [first]],
    ]);
    const newest = await readTransaction(variants[2]!.raw);
    expect(newest.inputs).toEqual([{ txid: input(1, 0n).txid, vout: 0 }]);
    expect(newest.outputs.map(({ units }) => units)).toEqual([COIN / 2n, 2n * COIN + COIN / 2n - 3_000n]);
    await signer.stop();
    await signer.start();
    const read = await ask({ kind: 'find', network: 'LTC', origin: second! });
    expect(signed(read).variants).toEqual(variants);
    expect(refusalOf(await replace('50000000'))).toContain('is more than 300000');
  });

  it('UTXO-036 of payments above the limit of a day, those that do not fit are named in their order', async () => {
    const payments = [payment('5'), payment('5'), payment('5'), payment('2')];
    const inputs = [input(1, 30n * COIN)];
    const answer = await ask(batch({ inputs, payments }));
    expect(answer).toMatchObject({ origins: [payments[2]!.origin], batches: [] });
    expect(refusalOf(answer)).toContain('more than 12 LTC within a day');
    signed(await ask(batch({ inputs, payments: payments.filter((each) => each !== payments[2]) })));
  });

  it('UTXO-037 a batch has 30 transactions with higher fees, and ten more that leave out further payments', async () => {
    const payments = ['0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1'].map(
      (coins) => payment(coins),
    );
    const request = batch({ payments });
    signed(await ask(request));
    let fee = 1_000;
    const replace = (without: string[] = []) => {
      fee += 1_000;
      return ask({ kind: 'replace', network: 'LTC', batch: request.batch, fee: String(fee), without });
    };
    for (let count = 1; count < 30; count += 1) signed(await replace());
    expect(refusalOf(await replace())).toBe('30 transactions were signed for this batch');
    for (const { origin } of payments.slice(0, 10)) signed(await replace([origin]));
    expect(refusalOf(await replace([payments[10]!.origin]))).toBe(
      '40 transactions were signed for this batch',
    );
  });

  it('UTXO-023 a payment that was forbidden is never signed, and one that is signed cannot be forbidden', async () => {
    const forbidden = payment('1');
    const forbid = (origin: string) => ask({ kind: 'forbid', network: 'LTC', origin });
    expect(await forbid(forbidden.origin)).toEqual({ batch: null });
    await signer.stop();
    await signer.start();
    expect(await ask(batch({ payments: [forbidden] }))).toMatchObject({ origins: [forbidden.origin] });
    const request = batch();
    signed(await ask(request));
    expect(signed(await forbid(request.payments[0]!.origin)).batch).toBe(request.batch);
    // Change below the dust limit is added to the fee, because an output of this amount would be rejected.
    const exact = batch({ inputs: [input(9, COIN + 4_000n)], payments: [payment('1')] });
    const { variants } = signed(await ask(exact));
    const { outputs } = await readTransaction(variants[0]!.raw);
    expect([outputs.length, sumOf(outputs), variants[0]!.fee]).toEqual([1, COIN, '4000']);
  });
});
