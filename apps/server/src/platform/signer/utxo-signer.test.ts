import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvedReturnDigest, coldDigest, confirmedDigest } from '../../../testing/test-signer.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { sumOf } from '@exchange/core/utxo-transaction.ts';
import { readTransaction } from '../utxo/transactions.ts';
import { coldOrigin } from './protocol.ts';
import type { BatchPayment, BatchRequest, ChildRequest, UtxoAnswer } from './utxo-protocol.ts';

const OUTSIDE = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const COLD = 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn';
/** The first deposit address of the test account, as a list. */
let deposits: readonly string[];
/** The test account's own address, which receives change. */
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
    // Payments to the cold wallet do not count towards the limit of 24 hours. Payments to the outside count
    // for 24 hours.
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

  describe('children', () => {
    /**
     * Returns a signed batch with payments of 1 and 0.5 LTC and the rest of 3 LTC as change, and its
     * transaction.
     */
    const aParent = async (changes: Partial<BatchRequest> = {}) => {
      const request = batch({ payments: [payment('1'), payment('0.5')], ...changes });
      const { variants } = signed(await ask(request));
      return { request, ...(await readTransaction(variants[0]!.raw)) };
    };
    type Parent = Awaited<ReturnType<typeof aParent>>;
    const childOf = ({ request, txid }: Parent, changes: Partial<ChildRequest> = {}): ChildRequest => ({
      kind: 'child',
      network: 'LTC',
      batch: randomUUID(),
      parent: request.batch,
      txid,
      fee: '20000',
      change: own,
      ...changes,
    });
    const [parentVbytes, childVbytes] = [172n, 110n];

    it('UTXO-051 a child spends only the change of its parent, pays only the own address, and is signed once for ever', async () => {
      const parent = await aParent();
      const request = childOf(parent);
      const { variants, payments, inputs } = signed(await ask(request));
      const change = parent.outputs[2]!;
      const { inputs: spent, outputs } = await readTransaction(variants[0]!.raw);
      expect(spent).toEqual([{ txid: parent.txid, vout: 2 }]);
      expect(outputs).toEqual([{ script: change.script, units: change.units - 20_000n }]);
      expect([payments, inputs[0]!.address]).toEqual([[], own]);
      await signer.stop();
      await signer.start();
      expect(signed(await ask(request)).variants).toEqual(variants);
      expect(
        signed(await ask({ kind: 'read', network: 'LTC', batch: parent.request.batch })).children,
      ).toEqual([request.batch]);
      // Only the signed child batch may ever spend this change: another child or a batch of payments that spends it is
      // refused.
      expect(await ask(childOf(parent))).toMatchObject({
        refused: expect.stringContaining('was spent by the batch') as string,
        batches: [request.batch],
      });
      expect(await ask(batch({ inputs, payments: [payment('1')] }))).toMatchObject({
        batches: [request.batch],
      });
      expect(refusalOf(await ask({ ...request, parent: request.batch }))).toContain('another batch');
    });

    it('UTXO-051 a child with another address, of another transaction or of no change is refused and not recorded', async () => {
      const parent = await aParent();
      const exact = await aParent({ inputs: [input(2, COIN + 4_000n)], payments: [payment('1')] });
      const { count } = signer.journal;
      const refused: readonly (readonly [ChildRequest, string])[] = [
        [childOf(parent, { change: OUTSIDE }), 'is not the own address'],
        [childOf(parent, { txid: 'ab'.repeat(32) }), 'has no transaction'],
        [childOf(parent, { parent: randomUUID() }), 'has no transaction'],
        [childOf(parent, { fee: (2n * COIN).toString() }), 'does not pay the fee'],
        [childOf(parent, { fee: parent.outputs[2]!.units.toString() }), 'does not pay the fee'],
        [childOf(exact), 'has no change'],
        [childOf(parent, { network: 'BTC' }), 'BTC is not LTC'],
      ];
      for (const [request, reason] of refused) expect(refusalOf(await ask(request))).toContain(reason);
      expect(signer.journal.count).toBe(count);
      // If a batch of payments has spent the change, a child batch that would spend it is refused.
      const { units } = parent.outputs[2]!;
      const spent = {
        txid: parent.txid,
        vout: 2,
        units: units.toString(),
        branch: 1 as const,
        index: 0,
        address: own,
      };
      const next = batch({ inputs: [spent], payments: [payment('1')] });
      signed(await ask(next));
      expect(await ask(childOf(parent))).toMatchObject({ batches: [next.batch] });
    });

    it('UTXO-051 the bound of the fee per byte applies to a parent and its child together, and to a raised child', async () => {
      const parent = await aParent();
      // The transactions of parent and child together may pay at most 300 units of fee per virtual byte. The parent has
      // already paid 1,000 units of that.
      const most = 300n * (parentVbytes + childVbytes) - 1_000n;
      expect(most).toBeGreaterThan(300n * childVbytes);
      expect(refusalOf(await ask(childOf(parent, { fee: (most + 1n).toString() })))).toContain(
        'is more than 300000',
      );
      const request = childOf(parent, { fee: (most - 1_000n).toString() });
      signed(await ask(request));
      const raise = (fee: bigint) =>
        ask({ kind: 'replace', network: 'LTC', batch: request.batch, fee: fee.toString(), without: [] });
      expect(refusalOf(await raise(most + 1n))).toContain('is more than 300000');
      expect(signed(await raise(most)).variants).toHaveLength(2);
      // The fee of a batch of payments is limited by the batch's own size alone, because the batch has no ancestors.
      expect(refusalOf(await ask(batch({ inputs: [input(5, 3n * COIN)], fee: most.toString() })))).toContain(
        'is more than 300000',
      );
    });

    it('TRE-162 UTXO-057 batches, replacements and children with too high a fee are refused, one by one and within a day', async () => {
      await signer.close();
      signer = await aUtxoSigner({
        limit: '5/100',
        rate: '300',
        fees: { once: '0.0002', day: '0.0005' },
        now: () => now,
      });
      const tooHigh = 'a network fee of 0.00020001 LTC is more than 0.0002 LTC at once';
      expect(refusalOf(await ask(batch({ fee: '20001' })))).toBe(tooHigh);
      const parent = await aParent({ fee: '20000' });
      const raise = (id: string, fee: string) =>
        ask({ kind: 'replace', network: 'LTC', batch: id, fee, without: [] });
      expect(refusalOf(await ask(childOf(parent, { fee: '20001' })))).toBe(tooHigh);
      const child = childOf(parent, { fee: '15000' });
      signed(await ask(child));
      expect(refusalOf(await raise(child.batch, '20001'))).toBe(tooHigh);
      expect(signed(await raise(child.batch, '19000')).variants).toHaveLength(2);
      await signer.stop();
      await signer.start();
      // 39,000 of the 50,000 units of the fee limit of 24 hours are used, so 11,000 are left.
      const next = batch({ inputs: [input(7, 3n * COIN)], fee: '11001' });
      expect(refusalOf(await ask(next))).toBe(
        'with a network fee of 0.00011001 LTC more than 0.0005 LTC of fees within a day',
      );
      expect(signer.journal.count).toBe(2);
      signed(await ask({ ...next, fee: '11000' }));
      expect(refusalOf(await raise(next.batch, '12000'))).toContain('within a day');
      // A repeated request for a signed batch is answered with that batch, although the fee limit of 24 hours
      // is used up.
      expect(signed(await ask({ ...next, fee: '11000' })).variants).toHaveLength(1);
      now += DAY_MS + 3_600_000;
      expect(signed(await raise(next.batch, '12000')).variants).toHaveLength(2);
    });

    it('UTXO-051 UTXO-052 no child helps a transaction with a payment that a later one leaves out, and a batch has at most five', async () => {
      const parent = await aParent();
      const [{ origin } = { origin: '' }] = parent.request.payments;
      const { batch: id } = parent.request;
      const { variants } = signed(
        await ask({ kind: 'replace', network: 'LTC', batch: id, fee: '2000', without: [origin] }),
      );
      expect(await ask(childOf(parent))).toMatchObject({ origins: [origin] });
      let [above, { txid }] = [id, await readTransaction(variants[1]!.raw)];
      for (let count = 0; count < 5; count += 1) {
        const request = childOf(parent, { parent: above, txid, fee: '5000' });
        const answer = signed(await ask(request));
        expect(answer.parent).toBe(above);
        [above, { txid }] = [request.batch, await readTransaction(answer.variants[0]!.raw)];
      }
      expect(refusalOf(await ask(childOf(parent, { parent: above, txid })))).toBe(
        '5 children were signed for this batch',
      );
    });
  });
});
