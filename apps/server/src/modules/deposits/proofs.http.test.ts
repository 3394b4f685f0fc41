import { spotAssets } from '@exchange/wire/spot.ts';
import {
  cancelProof,
  depositAddress,
  depositNetworks,
  depositRecords,
  proofRecords,
  submitProof,
} from '@exchange/wire/deposit.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { uploaded } from '../files/testing/uploads.ts';

const ROUTE = { currency: 'USDT', network: 'BEP20' } as const;
let drawn = 0;

const TRANSACTION = `0x${'ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;

describe('deposits that are reported with a proof', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  async function report(of: TestTrader, amount = '120', more: { clientId?: string } = {}) {
    drawn += 1;
    const colour = `#${(drawn * 5_003).toString(16).padStart(6, '0').slice(-6)}`;
    const { id: proof } = await uploaded(of, 'proof', colour);
    return { fields: { ...ROUTE, amount, proof, remark: 'From my bank', ...more }, proof };
  }
  async function reported(of: TestTrader, amount?: string): Promise<string> {
    return (await of.ask(submitProof, (await report(of, amount)).fields)).id;
  }
  const usdtOf = async (of: TestTrader) => {
    const { list } = await of.ask(spotAssets, { currency: 'USDT' });
    return list[0]?.availableCurrency ?? '0';
  };
  const credit = (id: string, amount: string, txid: string) =>
    operate(exchange, `/ops/deposits/reported/${id}/credit`, { amount, txid, reason: 'it is there' });
  const creditOutput = async (id: string, amount: string, txid: string, output: string) => {
    const fields = { amount, txid, output, reason: 'it is there' };
    return (await operate(exchange, `/ops/deposits/reported/${id}/credit`, fields)).json();
  };
  const statusOf = async (of: TestTrader, id: string) =>
    (await of.ask(proofRecords, {})).list.find((row) => row.id === id);

  it('DEP-020 DEP-021 DEP-025 a network that is reviewed by hand shows the house’s address and credits what came, once, with two persons', async () => {
    const of = await exchange.aUser();
    const { list } = await of.ask(depositNetworks, { currency: 'USDT' });
    expect(list.map(({ network, channel }) => `${network} ${channel}`)).toEqual([
      'TRC20 demo',
      'ERC20 demo',
      'BEP20 manual',
    ]);
    const other = await exchange.aUser();
    expect(await other.ask(depositAddress, ROUTE)).toEqual(await of.ask(depositAddress, ROUTE));
    const { fields } = await report(of, '120', { clientId: 'one' });
    const { id } = await of.ask(submitProof, fields);
    expect((await of.ask(submitProof, fields)).id).toBe(id);
    expect(await statusOf(of, id)).toMatchObject({ status: 0, amount: '120', remark: 'From my bank' });
    const asked = await operateAs(exchange, 'owner', `/ops/deposits/reported/${id}/credit`, {
      amount: '118.5',
      txid: TRANSACTION,
      reason: 'alone',
    });
    expect(asked.status).toBe(202);
    expect(await usdtOf(of)).toBe('0');
    expect((await credit(id, '118.5', TRANSACTION)).status).toBe(200);
    expect(await usdtOf(of)).toBe('118.5');
    expect(await statusOf(of, id)).toMatchObject({ status: 1, realAmount: '118.5' });
    const { list: records } = await of.ask(depositRecords, {});
    expect(records).toMatchObject([{ txid: TRANSACTION, amount: '118.5', status: 1, network: 'BEP20' }]);
    // The report once more, another report of the same transaction, and a report of somebody else’s.
    expect(await (await credit(id, '118.5', OTHER)).json()).toMatchObject({ key: 'l.proof_decided' });
    const second = await reported(of);
    for (const spelled of [TRANSACTION, TRANSACTION.toUpperCase(), ` ${TRANSACTION.slice(2)} `])
      expect(await (await credit(second, '120', spelled)).json()).toMatchObject({ key: 'l.deposit_known' });
    const mistyped = await operateAs(exchange, 'owner', `/ops/deposits/reported/${second}/credit`, {
      amount: '120',
      txid: TRANSACTION.slice(1),
      reason: 'mistyped',
    });
    expect([mistyped.status, await mistyped.json()]).toMatchObject([
      400,
      { key: 'l.txid_format', field: 'txid' },
    ]);
    expect(await statusOf(of, second)).toMatchObject({ status: 0 });
    expect(await usdtOf(of)).toBe('118.5');
    expect(await other.call(cancelProof, { id: second })).toMatchObject({ errKey: 'l.not_found' });
  });

  it('DEP-810 two customers paid by one transaction are both credited, each payment once', async () => {
    const [of, other] = [await exchange.aUser(), await exchange.aUser()];
    const txid = `0x${'5a'.repeat(32)}`;
    const [first, second, third] = [await reported(of), await reported(other), await reported(other)];
    await creditOutput(first, '120', txid, '1');
    expect(await usdtOf(of)).toBe('120');
    const isKnown = { key: 'l.deposit_known' };
    expect(await creditOutput(second, '120', txid, '1')).toMatchObject(isKnown);
    // Without an output it may be any payment of the transaction, one that is credited among them.
    expect(await (await credit(second, '120', txid)).json()).toMatchObject(isKnown);
    await creditOutput(second, '120', txid, '2');
    expect(await usdtOf(other)).toBe('120');
    expect(await creditOutput(third, '120', txid, '2')).toMatchObject(isKnown);
    expect(await creditOutput(third, '120', txid, '1.5')).toMatchObject({ key: 'l.field_number' });
    // A deposit from before outputs were asked for stands for every payment of its amount.
    await exchange.database.pool.query('update deposit set output_assumed = true where txid = $1', [txid]);
    expect(await creditOutput(third, '120', txid, '3')).toMatchObject(isKnown);
    await creditOutput(third, '30', txid, '3');
    expect(await usdtOf(other)).toBe('150');
  });

  it('DEP-022 a report is rejected with a reason, or taken back by its owner, and never both', async () => {
    const of = await exchange.aUser();
    const [first, second] = [await reported(of), await reported(of)];
    const reject = (id: string, because: string) =>
      operate(exchange, `/ops/deposits/reported/${id}/reject`, { because, reason: 'looked' });
    expect((await reject(first, 'because')).status).toBe(400);
    expect((await reject(first, 'notReceived')).status).toBe(200);
    expect(await statusOf(of, first)).toMatchObject({ status: 2, reason: 'notReceived' });
    expect((await of.ask(messagePage, {})).list.map(({ title }) => title)).toContain(
      'Deposit not credited: 120 USDT',
    );
    expect(await of.call(cancelProof, { id: first })).toMatchObject({ errKey: 'l.proof_decided' });
    await of.ask(cancelProof, { id: second });
    await of.ask(cancelProof, { id: second });
    expect(await (await reject(second, 'notReceived')).json()).toMatchObject({ key: 'l.proof_decided' });
    expect(await statusOf(of, second)).toMatchObject({ status: 3 });
    expect(await usdtOf(of)).toBe('0');
  });

  it('DEP-680 sanctions and risk are stored inside; the owner of a report reads of a review alone', async () => {
    const of = await exchange.aUser();
    for (const because of ['sanctions', 'risk']) {
      const id = await reported(of);
      const rejected = await operate(exchange, `/ops/deposits/reported/${id}/reject`, {
        because,
        reason: 'the list names them',
      });
      expect(rejected.status).toBe(200);
      const { rows } = await exchange.database.pool.query('select reason from deposit_proof where id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ reason: because }]);
      expect(await statusOf(of, id)).toMatchObject({ status: 2, reason: 'review' });
    }
    const outside = [await of.ask(proofRecords, {}), await of.ask(messagePage, {})];
    expect(JSON.stringify(outside)).not.toMatch(/sanction|risk|the list names/i);
  });

  it('DEP-681 a preview refuses a report that is decided, before a code is used or a second person is asked', async () => {
    const of = await exchange.aUser();
    const id = await reported(of);
    const previewOf = async (verb: 'credit' | 'reject', fields: Record<string, string>) => {
      const answer = await operateAs(exchange, 'owner', `/ops/deposits/reported/${id}/${verb}/check`, {
        ...fields,
        reason: 'looked',
      });
      return answer.json();
    };
    const came = { amount: '120', txid: `0x${'ef'.repeat(32)}` };
    expect(await previewOf('credit', came)).not.toHaveProperty('key');
    expect(await previewOf('reject', { because: 'nonsense' })).toMatchObject({ key: 'l.field_choice' });
    await of.ask(cancelProof, { id });
    expect(await previewOf('credit', came)).toMatchObject({ key: 'l.proof_decided' });
    expect(await previewOf('reject', { because: 'duplicate' })).toMatchObject({ key: 'l.proof_decided' });
  });

  it('DEP-023 what is too little, of another network, without a picture of one’s own, or a sixth that waits is refused', async () => {
    const of = await exchange.aUser();
    const { fields } = await report(of);
    const refusedWith = async (more: object) => (await of.call(submitProof, { ...fields, ...more })).errKey;
    expect(await refusedWith({ amount: '0.5' })).toBe('l.amount_min');
    expect(await refusedWith({ amount: '1.123456789' })).toBe('l.amount_decimals');
    expect(await refusedWith({ network: 'TRC20' })).toBe('l.field_choice');
    expect(await refusedWith({ remark: '' })).toBe('l.source_required');
    expect(await refusedWith({ proof: '' })).toBe('l.proof_required');
    const { proof: _, ...without } = fields;
    expect(await of.call(submitProof, without as typeof fields)).toMatchObject({
      code: -1,
      msg: 'Upload the proof of your transfer.',
    });
    const foreign = await uploaded(await exchange.aUser(), 'proof', '#123456');
    expect(await refusedWith({ proof: foreign.id })).toBe('l.file_unknown');
    for (let turn = 0; turn < 5; turn += 1) await reported(of);
    expect(await refusedWith({})).toBe('l.proofs_max');
  });
});
