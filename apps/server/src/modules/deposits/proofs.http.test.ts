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

describe('deposits reported with a proof', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  async function report(trader: TestTrader, amount = '120', options: { clientId?: string } = {}) {
    drawn += 1;
    const colour = `#${(drawn * 5_003).toString(16).padStart(6, '0').slice(-6)}`;
    const { id: proof } = await uploaded(trader, 'proof', colour);
    return { fields: { ...ROUTE, amount, proof, remark: 'From my bank', ...options }, proof };
  }
  async function reportedId(trader: TestTrader, amount?: string): Promise<string> {
    return (await trader.request(submitProof, (await report(trader, amount)).fields)).id;
  }
  const usdtOf = async (trader: TestTrader) => {
    const { list } = await trader.request(spotAssets, { currency: 'USDT' });
    return list[0]?.availableCurrency ?? '0';
  };
  const credit = (id: string, amount: string, txid: string) =>
    operate(exchange, `/ops/deposits/reported/${id}/credit`, { amount, txid, reason: 'it is there' });
  const creditOutput = async (id: string, amount: string, txid: string, output: string) => {
    const fields = { amount, txid, output, reason: 'it is there' };
    return (await operate(exchange, `/ops/deposits/reported/${id}/credit`, fields)).json();
  };
  const statusOf = async (trader: TestTrader, id: string) =>
    (await trader.request(proofRecords, {})).list.find((row) => row.id === id);

  it('DEP-020 DEP-021 DEP-025 a network reviewed by hand shows the exchange’s address; a found transfer is credited once, with two operators', async () => {
    const trader = await exchange.aUser();
    const { list } = await trader.request(depositNetworks, { currency: 'USDT' });
    expect(list.map(({ network, channel }) => `${network} ${channel}`)).toEqual([
      'TRC20 demo',
      'ERC20 demo',
      'BEP20 manual',
    ]);
    const otherTrader = await exchange.aUser();
    expect(await otherTrader.request(depositAddress, ROUTE)).toEqual(
      await trader.request(depositAddress, ROUTE),
    );
    const { fields } = await report(trader, '120', { clientId: 'one' });
    const { id } = await trader.request(submitProof, fields);
    expect((await trader.request(submitProof, fields)).id).toBe(id);
    expect(await statusOf(trader, id)).toMatchObject({ status: 0, amount: '120', remark: 'From my bank' });
    const proposal = await operateAs(exchange, 'owner', `/ops/deposits/reported/${id}/credit`, {
      amount: '118.5',
      txid: TRANSACTION,
      reason: 'alone',
    });
    expect(proposal.status).toBe(202);
    expect(await usdtOf(trader)).toBe('0');
    expect((await credit(id, '118.5', TRANSACTION)).status).toBe(200);
    expect(await usdtOf(trader)).toBe('118.5');
    expect(await statusOf(trader, id)).toMatchObject({ status: 1, realAmount: '118.5' });
    const { list: records } = await trader.request(depositRecords, {});
    expect(records).toMatchObject([{ txid: TRANSACTION, amount: '118.5', status: 1, network: 'BEP20' }]);
    // Operators cannot credit a report twice, nor another report of the same transaction by the same user or by another
    // user.
    expect(await (await credit(id, '118.5', OTHER)).json()).toMatchObject({ key: 'l.proof_decided' });
    const second = await reportedId(trader);
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
    expect(await statusOf(trader, second)).toMatchObject({ status: 0 });
    expect(await usdtOf(trader)).toBe('118.5');
    expect(await otherTrader.call(cancelProof, { id: second })).toMatchObject({ errKey: 'l.not_found' });
  });

  it('DEP-810 two users paid by one transaction are both credited, each payment once', async () => {
    const [trader, otherTrader] = [await exchange.aUser(), await exchange.aUser()];
    const txid = `0x${'5a'.repeat(32)}`;
    const [firstReport, secondReport, thirdReport] = [
      await reportedId(trader),
      await reportedId(otherTrader),
      await reportedId(otherTrader),
    ];
    await creditOutput(firstReport, '120', txid, '1');
    expect(await usdtOf(trader)).toBe('120');
    const isKnown = { key: 'l.deposit_known' };
    expect(await creditOutput(secondReport, '120', txid, '1')).toMatchObject(isKnown);
    // Without the index of the output, the reported payment could be any payment of the transaction, including one that
    // is credited already.
    expect(await (await credit(secondReport, '120', txid)).json()).toMatchObject(isKnown);
    await creditOutput(secondReport, '120', txid, '2');
    expect(await usdtOf(otherTrader)).toBe('120');
    expect(await creditOutput(thirdReport, '120', txid, '2')).toMatchObject(isKnown);
    expect(await creditOutput(thirdReport, '120', txid, '1.5')).toMatchObject({ key: 'l.field_number' });
    // Simulates an old deposit whose output index is unknown; it counts as every payment with its amount in the
    // transaction.
    await exchange.database.pool.query('update deposit set output_assumed = true where txid = $1', [txid]);
    expect(await creditOutput(thirdReport, '120', txid, '3')).toMatchObject(isKnown);
    await creditOutput(thirdReport, '30', txid, '3');
    expect(await usdtOf(otherTrader)).toBe('150');
  });

  it('DEP-022 a report is either rejected with a reason or withdrawn by its owner, never both', async () => {
    const trader = await exchange.aUser();
    const [first, second] = [await reportedId(trader), await reportedId(trader)];
    const reject = (id: string, because: string) =>
      operate(exchange, `/ops/deposits/reported/${id}/reject`, { because, reason: 'looked' });
    expect((await reject(first, 'because')).status).toBe(400);
    expect((await reject(first, 'notReceived')).status).toBe(200);
    expect(await statusOf(trader, first)).toMatchObject({ status: 2, reason: 'notReceived' });
    expect((await trader.request(messagePage, {})).list.map(({ title }) => title)).toContain(
      'Deposit not credited: 120 USDT',
    );
    expect(await trader.call(cancelProof, { id: first })).toMatchObject({ errKey: 'l.proof_decided' });
    await trader.request(cancelProof, { id: second });
    await trader.request(cancelProof, { id: second });
    expect(await (await reject(second, 'notReceived')).json()).toMatchObject({ key: 'l.proof_decided' });
    expect(await statusOf(trader, second)).toMatchObject({ status: 3 });
    expect(await usdtOf(trader)).toBe('0');
  });

  it('DEP-680 sanctions and risk are stored internally; the owner of the report sees only a review', async () => {
    const trader = await exchange.aUser();
    for (const because of ['sanctions', 'risk']) {
      const id = await reportedId(trader);
      const rejected = await operate(exchange, `/ops/deposits/reported/${id}/reject`, {
        because,
        reason: 'the list names them',
      });
      expect(rejected.status).toBe(200);
      const { rows } = await exchange.database.pool.query('select reason from deposit_proof where id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ reason: because }]);
      expect(await statusOf(trader, id)).toMatchObject({ status: 2, reason: 'review' });
    }
    const outside = [await trader.request(proofRecords, {}), await trader.request(messagePage, {})];
    expect(JSON.stringify(outside)).not.toMatch(/sanction|risk|the list names/i);
  });

  it('DEP-681 a preview refuses a decided report before a code is used or a second operator is involved', async () => {
    const trader = await exchange.aUser();
    const id = await reportedId(trader);
    const previewOf = async (verb: 'credit' | 'reject', fields: Record<string, string>) => {
      const answer = await operateAs(exchange, 'owner', `/ops/deposits/reported/${id}/${verb}/check`, {
        ...fields,
        reason: 'looked',
      });
      return answer.json();
    };
    const findings = { amount: '120', txid: `0x${'ef'.repeat(32)}` };
    expect(await previewOf('credit', findings)).not.toHaveProperty('key');
    expect(await previewOf('reject', { because: 'nonsense' })).toMatchObject({ key: 'l.field_choice' });
    await trader.request(cancelProof, { id });
    expect(await previewOf('credit', findings)).toMatchObject({ key: 'l.proof_decided' });
    expect(await previewOf('reject', { because: 'duplicate' })).toMatchObject({ key: 'l.proof_decided' });
  });

  it('DEP-023 amounts below the minimum, other networks, other users’ pictures and a sixth pending report are refused', async () => {
    const trader = await exchange.aUser();
    const { fields } = await report(trader);
    const refusedWith = async (overrides: object) =>
      (await trader.call(submitProof, { ...fields, ...overrides })).errKey;
    expect(await refusedWith({ amount: '0.5' })).toBe('l.amount_min');
    expect(await refusedWith({ amount: '1.123456789' })).toBe('l.amount_decimals');
    expect(await refusedWith({ network: 'TRC20' })).toBe('l.field_choice');
    expect(await refusedWith({ remark: '' })).toBe('l.source_required');
    expect(await refusedWith({ proof: '' })).toBe('l.proof_required');
    const { proof: _, ...withoutPicture } = fields;
    expect(await trader.call(submitProof, withoutPicture as typeof fields)).toMatchObject({
      code: -1,
      msg: 'Upload the proof of your transfer.',
    });
    const foreign = await uploaded(await exchange.aUser(), 'proof', '#123456');
    expect(await refusedWith({ proof: foreign.id })).toBe('l.file_unknown');
    for (let count = 0; count < 5; count += 1) await reportedId(trader);
    expect(await refusedWith({})).toBe('l.proofs_max');
  });
});
