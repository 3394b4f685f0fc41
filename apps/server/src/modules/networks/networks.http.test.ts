import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { depositAddress, depositNetworks, depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { trackTransfers } from '@exchange/wire/tracking.ts';
import { withdrawalConfig, withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { createSaver } from '../finance/testing/products.ts';

const NETWORK = '/ops/networks/all/trc20';
const RECEIVER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
/** Time in milliseconds after which a simulated network has made all confirmations. */
const BLOCKS = 2 * MINUTE_MS;
const NOTE = {
  depositsNoteEn: 'The node is upgraded.',
  depositsNoteZh: '节点升级中。',
  withdrawalsNoteEn: 'The network is congested.',
  withdrawalsNoteZh: '网络拥堵。',
};

describe('networks that operators pause', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const inAnHour = () => String(exchange.clock.now() + HOUR_MS);
  const row = async () => {
    const answer = await operate(exchange, '/ops/networks/all');
    const { networks } = (await answer.json()) as { networks: Record<string, unknown>[] };
    return networks.find(({ network }) => network === 'TRC20')!;
  };
  const status = async (path: string, language = 'en-US') => {
    await exchange.advanceTime(MINUTE_MS);
    return (await fetch(exchange.url + path, { headers: { 'accept-language': language } })).text();
  };
  const termsOf = async (language: string) => {
    const answer = await exchange.call(
      depositNetworks,
      { currency: 'USDT' },
      {
        headers: { 'accept-language': language },
      },
    );
    return (answer.data as { list: Record<string, unknown>[] }).list;
  };

  it('NET-011 NET-012 NET-014 NET-015 paused deposits show no address and are credited afterwards, across a restart', async () => {
    const trader = await exchange.aUser();
    await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
    const sent = { currency: 'USDT', network: 'TRC20', amount: '25' };
    await trader.request(sendTestDeposit, sent);
    const past = { ...NOTE, depositsExpectedAt: String(exchange.clock.now() - 1), reason: 'a test' };
    expect((await operate(exchange, `${NETWORK}/pause-deposits`, past)).status).toBe(400);
    expect(
      (await operate(exchange, '/ops/networks/all/moon/pause-deposits', { ...NOTE, reason: 'a test' })).ok,
    ).toBe(false);
    const pause = { ...NOTE, depositsExpectedAt: inAnHour(), reason: 'an upgrade' };
    // Two operators who pause the network at the same time both succeed.
    const paused = await Promise.all(
      ['approver', 'owner'].map((person) =>
        operateAs(exchange, person as 'approver', `${NETWORK}/pause-deposits`, pause),
      ),
    );
    expect(paused.map(({ status: code }) => code)).toEqual([200, 200]);
    const started = (await row())['depositsPausedAt'];
    expect(await trader.call(depositAddress, { currency: 'USDT', network: 'TRC20' })).toMatchObject({
      errKey: 'l.deposits_paused_until',
    });
    await exchange.restart();
    await exchange.advanceTime(BLOCKS);
    await exchange.doors.deposits.jobs.watch();
    const [waiting] = (await trader.request(depositRecords)).list;
    expect(waiting).toMatchObject({ status: 0, confirm: waiting!.needConfirm });
    const { list: tracked } = await trader.request(trackTransfers, { query: '25' });
    expect(tracked[0]).toMatchObject({ stage: 'paused' });
    // Only deposits on this network are paused: neither deposits of the coin on its other networks, nor withdrawals on
    // this one.
    await trader.request(depositAddress, { currency: 'USDT', network: 'ERC20' });
    const terms = await trader.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect(terms).toMatchObject({ paused: 0 });
    const [tron, ethereum] = await termsOf('zh-CN');
    expect(tron).toMatchObject({ depositPause: { note: '节点升级中。', since: started } });
    expect(ethereum!['depositPause']).toBeUndefined();
    expect(await status('/status')).toMatch(
      /<tr class="notice"><td colspan="3"><p><b>Deposits<\/b> · The node is upgraded\.<\/p>/,
    );
    expect(await status('/status', 'zh-CN,zh;q=0.9')).toContain('节点升级中。');
    expect(await status('/status?lang=en-US', 'zh-CN')).toContain('The node is upgraded.');
    expect(JSON.parse(await status('/status.json'))).toMatchObject({ working: false });
    // Changing the note of a pause does not change the time at which the pause started.
    await exchange.advanceTime(MINUTE_MS);
    await operate(exchange, `${NETWORK}/pause-deposits`, {
      ...NOTE,
      depositsNoteEn: 'Later.',
      reason: 'it takes longer',
    });
    expect(await row()).toMatchObject({ deposits: 'paused', depositsPausedAt: started, withdrawals: 'open' });
    expect(await trader.call(depositAddress, { currency: 'USDT', network: 'TRC20' })).toMatchObject({
      errKey: 'l.deposits_paused',
    });
    expect((await operate(exchange, `${NETWORK}/resume-deposits`, { reason: 'done' })).status).toBe(200);
    expect((await operate(exchange, `${NETWORK}/resume-deposits`, { reason: 'again' })).ok).toBe(false);
    await exchange.doors.deposits.jobs.watch();
    expect((await trader.request(depositRecords)).list[0]).toMatchObject({ status: 1 });
    expect(JSON.parse(await status('/status.json'))).toMatchObject({ working: true });
  });

  it('NET-027 five withdrawals that wait for longer than promised make a network delayed, four do not', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', RECEIVER);
    const { jobs, review, withdrawals } = exchange.doors.withdrawals;
    const approve = async () => {
      const { id } = await withdrawals.submit(trader.id, {
        asset: 'USDT',
        network: 'TRC20',
        amount: Decimal.parse('10'),
        address: RECEIVER,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
      await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    };
    const published = async () => {
      const { working, networks } = JSON.parse(await status('/status.json')) as {
        working: boolean;
        networks: { network: string; delayed: boolean }[];
      };
      return [working, networks.find(({ network }) => network === 'TRC20')!.delayed];
    };
    for (let made = 0; made < 4; made += 1) await approve();
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    expect([await published(), (await row())['late']]).toEqual([[true, false], 4]);
    await approve();
    expect(await published()).toEqual([true, false]);
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    expect([await published(), (await row())['late']]).toEqual([[false, true], 5]);
    for (let moves = 0; moves < 3; moves += 1) {
      await jobs.advance();
      await exchange.advanceTime(BLOCKS);
    }
    expect([await published(), (await row())['late']]).toEqual([[true, false], 0]);
  });

  it('NET-010 NET-013 paused withdrawals are neither requested nor signed, and what was approved is sent afterwards', async () => {
    const trader = await createSaver(exchange, { USDT: '500' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', RECEIVER);
    const { jobs, review, withdrawals } = exchange.doors.withdrawals;
    const request = () =>
      withdrawals.submit(trader.id, {
        asset: 'USDT',
        network: 'TRC20',
        amount: Decimal.parse('50'),
        address: RECEIVER,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
    const { id } = await request();
    await operate(exchange, `${NETWORK}/pause-withdrawals`, { ...NOTE, reason: 'a test' });
    await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    await exchange.advanceTime(BLOCKS);
    await jobs.advance();
    expect(await row()).toMatchObject({ withdrawals: 'paused', waiting: 1, inFlight: 0, state: 'simulated' });
    await expect(request()).rejects.toMatchObject({ refusal: { key: 'l.withdrawals_paused' } });
    expect(await trader.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' })).toMatchObject({
      paused: 1,
      pause: { note: 'The network is congested.' },
    });
    const payments = await operate(exchange, `${NETWORK}/payments`);
    expect(((await payments.json()) as { payments: unknown[] }).payments).toMatchObject([
      { id, amount: '49', state: 'waiting' },
    ]);
    await operate(exchange, `${NETWORK}/resume-withdrawals`, { reason: 'done' });
    await jobs.advance();
    expect(await row()).toMatchObject({ withdrawals: 'open', waiting: 0, inFlight: 1, stuck: 0 });
    const { health } = exchange.doors.withdrawals;
    expect((await health()).isUp).toBe(true);
    exchange.clock.shift(2 * HOUR_MS + MINUTE_MS);
    // The simulated network mines at once, so the test removes the block; the withdrawal is then like one
    // whose fee is too low.
    const { rows: mined } = await exchange.database.pool.query<{ block: string }>(
      'update withdrawal set block = null where id = $1 returning (select block from withdrawal where id = $1) as block',
      [id],
    );
    expect(await row()).toMatchObject({ stuck: 1, state: 'simulated', statusPage: 'delayed' });
    const metrics = await (await fetch(`${exchange.consoleUrl}/metrics`)).text();
    expect(metrics).toContain('withdrawals_stuck{network="TRC20"} 1');
    expect(await health()).toMatchObject({
      isUp: false,
      reason: 'signed withdrawals in no block after two hours: TRC20 1',
      facts: { stuck: 'TRC20 1' },
    });
    await exchange.database.pool.query('update withdrawal set block = $2 where id = $1', [
      id,
      mined[0]!.block,
    ]);
    expect((await health()).isUp).toBe(true);
    // A withdrawal that was signed before a second pause is still confirmed and completed.
    await operate(exchange, `${NETWORK}/pause-withdrawals`, { ...NOTE, reason: 'a test' });
    await exchange.advanceTime(BLOCKS);
    await jobs.advance();
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 1 });
    await operate(exchange, `${NETWORK}/resume-withdrawals`, { reason: 'done' });
  });
});
