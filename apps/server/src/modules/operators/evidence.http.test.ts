import { Decimal } from '@exchange/core/decimal.ts';
import { submitProof } from '@exchange/wire/deposit.ts';
import { cancelWithdrawal } from '@exchange/wire/withdrawal.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { approveAs, evidenceOf, operateAs } from '../../../testing/operators.ts';
import { uploaded } from '../files/testing/uploads.ts';
import { createSaver } from '../finance/testing/products.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const TRANSACTION = `0x${'ab'.repeat(31)}12`;

type Body = Record<string, unknown>;
const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

describe('evidence for the second operator', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const service = () => exchange.doors.withdrawals.withdrawals;
  const requested = (trader: TestTrader, amount: string) =>
    service().submit(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address: TRON,
      addressId: undefined,
      memo: undefined,
      remark: 'for the house',
    });
  const propose = async (path: string, fields: Record<string, string> = {}) => {
    const answer = await operateAs(exchange, 'owner', path, { reason: 'it is right', ...fields });
    const body = await bodyOf(answer);
    expect([answer.status, body]).toMatchObject([202, {}]);
    return body['proposal'] as string;
  };
  const approve = (id: string, retyped: string) => approveAs(exchange, 'approver', id, { retyped });
  const stateOf = async (id: string) => {
    const { proposals } = (await bodyOf(operateAs(exchange, 'approver', '/ops/proposals'))) as {
      proposals: { id: string; state: string; movesMoney: boolean }[];
    };
    return proposals.find((row) => row.id === id);
  };

  it('OPS-660 a large withdrawal shows its owner, amount and destination, and the history of both', async () => {
    const trader = await createSaver(exchange, { USDT: '20000' });
    await exchange.doors.withdrawals.addressBook.add(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      memo: undefined,
      remark: undefined,
      activeAt: exchange.clock.now(),
    });
    const { id } = await requested(trader, '12000');
    const proposal = await propose(`/ops/withdrawals/${id}/approve-large`);
    const { facts, context, money, isChanged } = await evidenceOf(exchange, 'approver', proposal);
    const { uid, email } = await trader.request(userInfo);
    expect(facts).toMatchObject({
      id,
      owner: trader.id,
      uid,
      email,
      amount: '12000',
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      arrives: '11999',
      valueUsdt: '12000',
      status: 'pending',
      remark: 'for the house',
    });
    expect(context).toMatchObject({
      valueNowUsdt: '12000',
      addressInBook: true,
      finishedToAddress: 0,
      finishedOfAccount: 0,
      isFrozen: false,
    });
    expect(context['addressKeptAt']).toBeGreaterThan(0);
    expect(money).toEqual({ amount: '12000', asset: 'USDT', destination: TRON });
    expect(isChanged).toBe(false);
    expect(await stateOf(proposal)).toMatchObject({ state: 'open', movesMoney: true });
  });

  it('OPS-662 money is approved by retyping its amount or the end of its destination; a typo loses nothing', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await requested(trader, '12345.5');
    const proposal = await propose(`/ops/withdrawals/${id}/approve-large`);
    for (const slip of ['', '12345', '1234.55', 'Lj6T', 'j6t', TRON])
      expect([slip, await bodyOf(approve(proposal, slip))]).toMatchObject([
        slip,
        { key: 'l.retype_destination', field: 'retyped' },
      ]);
    expect(await stateOf(proposal)).toMatchObject({ state: 'open' });
    expect((await service().find(id))!.status).toBe('pending');
    expect((await approve(proposal, ' 12,345.5 USDT ')).status).toBe(200);
    expect((await service().find(id))!.status).toBe('processing');
    const otherWithdrawal = await requested(trader, '11000');
    expect(
      (await approve(await propose(`/ops/withdrawals/${otherWithdrawal.id}/approve-large`), 'MkEc')).status,
    ).toBe(200);
    // Funding an account of the exchange has no withdrawal address as destination, so the approver types the amount
    // again instead.
    await exchange.doors.finance.finance.fund('USDT', Decimal.parse('10'), 'demo');
    const fund = await propose('/ops/finance/interest/usdt', { amount: '10' });
    expect((await evidenceOf(exchange, 'approver', fund)).facts).toEqual({
      account: 'interest',
      asset: 'USDT',
      amount: '10',
    });
    expect(await bodyOf(approve(fund, 'USDT'))).toMatchObject({ key: 'l.retype_amount' });
    expect((await approve(fund, '10.00')).status).toBe(200);
  });

  it('OPS-661 changed evidence is shown and refused, and proposing again expires the first proposal', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await requested(trader, '12000');
    const path = `/ops/withdrawals/${id}/approve-large`;
    const proposal = await propose(path);
    await exchange.database.pool.query('update withdrawal set remark = $2 where id = $1', [id, '4711']);
    expect(await evidenceOf(exchange, 'approver', proposal)).toMatchObject({
      isChanged: true,
      facts: { remark: '4711' },
    });
    expect(await bodyOf(approve(proposal, '12000'))).toMatchObject({ key: 'l.evidence_changed' });
    expect((await service().find(id))!.status).toBe('pending');
    const again = await propose(path);
    expect(again).not.toBe(proposal);
    expect(await stateOf(proposal)).toMatchObject({ state: 'expired' });
    expect(await propose(path)).toBe(again);
    await trader.request(cancelWithdrawal, { id });
    expect(await evidenceOf(exchange, 'approver', again)).toMatchObject({
      isChanged: true,
      facts: { status: 'cancelled' },
    });
    expect(await bodyOf(approve(again, '12000'))).toMatchObject({ key: 'l.evidence_changed' });
    // Proposals of older versions have no stored digest of the evidence; their approval is refused.
    const otherWithdrawal = await requested(trader, '12001');
    const oldProposal = await propose(`/ops/withdrawals/${otherWithdrawal.id}/approve-large`);
    await exchange.database.pool.query('update operator_proposal set evidence_digest = null where id = $1', [
      oldProposal,
    ]);
    expect(await bodyOf(approve(oldProposal, '12001'))).toMatchObject({ key: 'l.evidence_changed' });
  });

  it('OPS-660 OPS-662 a deposit credit shows the report, the findings and the picture', async () => {
    const trader = await exchange.aUser();
    const { id: proof } = await uploaded(trader, 'proof', '#123456');
    const { id } = await trader.request(submitProof, {
      currency: 'USDT',
      network: 'BEP20',
      amount: '15000',
      proof,
      remark: 'From my bank',
    });
    const proposal = await propose(`/ops/deposits/reported/${id}/credit`, {
      amount: '15000',
      txid: TRANSACTION,
    });
    const { facts, context } = await evidenceOf(exchange, 'approver', proposal);
    expect(facts).toMatchObject({
      id,
      owner: trader.id,
      amount: '15000',
      reportedAmount: '15000',
      asset: 'USDT',
      network: 'BEP20',
      txid: TRANSACTION,
      remark: 'From my bank',
      status: 'pending',
    });
    expect(context).toMatchObject({ valueNowUsdt: '15000', differsFromReport: false, reportsOfAccount: 1 });
    const picture = await operateAs(exchange, 'approver', `/ops/deposits/reported/${id}/picture`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(await bodyOf(approve(proposal, '1500'))).toMatchObject({ field: 'retyped' });
    expect((await approve(proposal, 'ab12')).status).toBe(200);
  });

  it('OPS-660 every operation with a second operator provides evidence, which only approvers see', async () => {
    const pair = await propose('/ops/pairs/btcusdt/status', { status: 'open' });
    expect((await evidenceOf(exchange, 'approver', pair)).facts).toMatchObject({
      symbol: 'btcusdt',
      statusNow: 'open',
      statusNext: 'open',
    });
    expect(await stateOf(pair)).toMatchObject({ movesMoney: false });
    // Operations that move no money are approved without retyping a value.
    expect((await approve(pair, '')).status).toBe(200);
    const two = exchange.operations.filter(({ secondPerson }) => secondPerson !== undefined);
    expect(two.length).toBeGreaterThan(20);
    for (const { path, secondPerson } of two)
      expect([path, typeof secondPerson!.evidence]).toEqual([path, 'function']);
    expect(exchange.operations.find(({ path }) => path === '/ops/proposals/:id/evidence')!.roles).toEqual([
      'approver',
    ]);
  });

  it('OPS-667 a check refuses what a confirmation would, uses no code and changes nothing', async () => {
    const trader = await createSaver(exchange, { USDT: '50000' });
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', TRON);
    const { id } = await requested(trader, '100');
    const check = (path: string, fields: Record<string, string>) =>
      bodyOf(operateAs(exchange, 'owner', `${path}/check`, { reason: 'looks', ...fields }));
    expect(await check(`/ops/withdrawals/${id}/approve`, {})).toEqual({ warnings: [], needsCode: true });
    expect(await check(`/ops/withdrawals/${id}/approve`, { reason: '' })).toMatchObject({ field: 'reason' });
    expect(await check(`/ops/withdrawals/${id}/reject`, { because: 'other' })).toMatchObject({
      field: 'because',
    });
    expect((await service().find(id))!.status).toBe('pending');
    await trader.request(cancelWithdrawal, { id });
    expect(await check(`/ops/withdrawals/${id}/approve`, {})).toHaveProperty('key');
  });
});
