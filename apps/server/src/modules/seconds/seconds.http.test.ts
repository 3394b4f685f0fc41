import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { checkSettlement, contentsOf, type PublishedSettlement } from '@exchange/core/seconds-proof.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, MINUTE_MS, instant, later } from '@exchange/core/time.ts';
import { messageDetail, messagePage, setMessageSetting } from '@exchange/wire/message.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import * as proof from '@exchange/wire/proof.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { setWhitelist } from '@exchange/wire/withdrawal.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { operate } from '../../../testing/operators.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { runVerifier } from '../../../testing/verifier.ts';
import { isOpenFrom, RISK_VERSION } from './domain.ts';
import { voidEvidence } from './evidence.ts';
import { createPlayer, openSecondsMarket, ticket } from './testing/players.ts';

/**
 * Requires that both verifiers, the one on the web page and the stand-alone program, accept a settlement, and that both
 * reject it after any of several changes to its data.
 */
function requireProven(settlement: PublishedSettlement, keys: unknown): void {
  const text = JSON.stringify(settlement);
  const verdicts = (settlementText: string) => {
    const read = JSON.parse(settlementText) as PublishedSettlement;
    const hashes = contentsOf(read).map((line) => createHash('sha256').update(line).digest('hex'));
    const { isValid } = runVerifier('verify', { 'settlement.json': settlementText, 'keys.json': keys });
    return [Object.values(checkSettlement(read, hashes)).every(Boolean), isValid];
  };
  expect(verdicts(text)).toEqual([true, true]);
  const changes = [
    ['"result":"win"', '"result":"lose"'],
    ['"credited":"18"', '"credited":"19"'],
    ['"direction":"up"', '"direction":"down"'],
    ['"entryPrice":"50000"', '"entryPrice":"50001"'],
    ['\\"price\\":\\"50000\\"', '\\"price\\":\\"50001\\"'],
  ] as const;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    expect(verdicts(text.replace(from, to)), from).toEqual([false, false]);
  }
}

const d = (text: string): Decimal => Decimal.parse(text);

describe('seconds contract', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
    await openSecondsMarket(exchange, '100');
  });
  afterAll(() => exchange.close());

  async function coins(player: TestTrader): Promise<[available: string, locked: string]> {
    const [usdt] = await player.request(wire.secondsAssets);
    return [usdt!.availableCurrency, usdt!.frozenCurrency];
  }
  const over = (player: TestTrader, id: string) =>
    eventually(async () => {
      const order = await player.request(wire.secondsDetail, { id });
      expect(order.status).not.toBe(0);
      return order;
    });

  it('CON-012 one endpoint returns durations, limits and the version, another the fee', async () => {
    const { data } = await exchange.call(wire.secondsConfig);
    expect(data).toMatchObject({
      open: 1,
      indexVersion: 'sc-1',
      maxStake: '500',
      riskVersion: AGREEMENT_VERSIONS.seconds,
    });
    expect(data.seconds[0]).toEqual(wire.durationRow({ second: 2, rate: '0.8', minimum: '5' }));
    expect((await exchange.call(parameter, { paramName: 'contract_fee_rate' })).data.valueName).toBe('0.01');
    expect((await exchange.call(wire.secondsFullConfig)).data).toMatchObject({ ...data, feeRate: '0.01' });
  });

  it('CON-013 CON-014 WEB-312 transfers amounts both ways, once per request, and refuses more than the balance', async () => {
    const player = await exchange.aUser({ USDT: '100' });
    const fields = { amount: '60', currency: 'USDT', clientId: 'mine' } as const;
    await Promise.all([
      player.request(wire.secondsTransfer, fields),
      player.request(wire.secondsTransfer, fields),
    ]);
    expect(await coins(player)).toEqual(['60', '0']);
    await player.request(wire.secondsTransfer, { amount: '10.5', currency: 'USDT', type: '2' });
    expect(await coins(player)).toEqual(['49.5', '0']);
    expect((await player.request(spotAssets, { currency: 'USDT' })).list[0]).toMatchObject({
      availableCurrency: '50.5',
    });
    expect(
      await player.call(wire.secondsTransfer, { amount: '50', currency: 'USDT', type: '2' }),
    ).toMatchObject({
      code: -6,
      errKey: 'l.insufficient_balance',
      data: { limit: '49.5', value: '50' },
    });
    for (const amount of ['0', '', '0.000001'])
      expect(await player.call(wire.secondsTransfer, { amount, currency: 'USDT' })).toMatchObject({
        errKey: 'l.c_a_transferTip',
      });
    for (const amount of ['1,000', '1e5', 'abc'])
      expect(await player.call(wire.secondsTransfer, { amount, currency: 'USDT' })).toMatchObject({
        errKey: 'l.field_number',
        data: { field: 'amount' },
      });
    const { list, sum } = await player.request(wire.secondsMovements);
    expect([sum, list.map(({ type, amount }) => `${type} ${amount}`)]).toEqual([2, ['2 10.5', '1 60']]);
  });

  it('CON-950 records of transfers have the balance after each, including transfers older than stored balances', async () => {
    const player = await createPlayer(exchange, '100');
    await player.request(wire.openSeconds, ticket('up', '10'));
    await player.request(wire.secondsTransfer, { amount: '20.4', currency: 'USDT', type: '2' });
    const records = async () => (await player.request(wire.secondsMovements)).list;
    const stored = await records();
    expect(stored.map(({ balance }) => balance)).toEqual(['69.5', '100']);

    const { pool } = exchange.database;
    const migration = await readFile(
      new URL('../../../migrations/0116_seconds_transfer_balance.sql', import.meta.url),
      'utf8',
    );
    const migrateAgain = async (before: string) => {
      await pool.query(
        `begin; alter table seconds_transfer drop column balance; ${before}; ${migration}; commit`,
      );
      return records();
    };
    const balances = async () =>
      (await pool.query<{ row: string }>('select t::text as row from seconds_transfer t order by id')).rows;
    const all = await balances();
    await exchange.doors.movements.catchUp();
    expect(await migrateAgain('')).toEqual(stored);
    expect(await balances()).toEqual(all);
    // `ledger_movement`, from which users' account statements are read, is a projection of the ledger. If the
    // table is empty, the migration computes the balances from the ledger entries.
    const withoutStatement = 'delete from ledger_movement; update ledger_movement_cursor set sequence = 0';
    expect(await migrateAgain(withoutStatement)).toEqual(stored);
    expect(await balances()).toEqual(all);
  });

  it('CON-001 CON-002 CON-005 CON-007 enters at the next second and settles by the tape; equal prices return stake and fee', async () => {
    const player = await createPlayer(exchange, '100');
    const before = exchange.clock.now();
    const opened = await player.request(wire.openSeconds, ticket('up', '10'));
    expect(opened).toMatchObject({ profitRate: '0.8', feeRate: '0.01', fee: '0.1', maxPayout: '18' });
    expect(opened.acceptTime).toBeGreaterThanOrEqual(before);
    expect(opened.entryTime).toBe(Math.floor(opened.acceptTime / 1_000) * 1_000 + 1_000);
    expect(opened.expireTime).toBe(opened.entryTime + 2_000);
    expect(await coins(player)).toEqual(['89.9', '10.1']);
    expect(await player.request(wire.secondsDetail, { id: opened.id })).toMatchObject({
      status: 0,
      openAmount: '10',
    });
    const order = await over(player, opened.id);
    expect(order).toMatchObject({
      status: 1,
      result: 'draw',
      settleProfit: '0',
      buyPrice: '50000.0000',
      settlePrice: '50000.0000',
    });
    expect(await coins(player)).toEqual(['100', '0']);
  });

  it('CON-004 CON-007 CON-015 CON-016 one position wins and one loses by the same points, and anybody can recompute it', async () => {
    const [up, down] = [await createPlayer(exchange, '100'), await createPlayer(exchange, '100')];
    const won = await up.request(wire.openSeconds, ticket('up', '10'));
    const lost = await down.request(wire.openSeconds, ticket('down', '10'));
    await eventually(async () => {
      for (const [player, { id }] of [
        [up, won],
        [down, lost],
      ] as const)
        expect((await player.request(wire.secondsDetail, { id })).buyPrice).toBeDefined();
    });
    await exchange.setPrice('btcusdt', '50100');
    const [winner, loser] = [await over(up, won.id), await over(down, lost.id)];
    expect(winner).toMatchObject({ result: 'win', settleProfit: '7.9', settlePrice: '50100.0000' });
    expect(loser).toMatchObject({ result: 'lose', settleProfit: '-10.1' });
    expect([await coins(up), await coins(down)]).toEqual([
      ['107.9', '0'],
      ['89.9', '0'],
    ]);
    await exchange.setPrice('btcusdt', '50000');
    const { data } = await exchange.call(proof.proofSettlement, { id: won.id });
    expect(data).toMatchObject({ result: 'win', credited: '18', entryPrice: '50000', settlePrice: '50100' });
    expect(data.lines).toHaveLength(3);
    expect(JSON.stringify(data)).not.toContain(up.id);
    requireProven(data, (await exchange.call(proof.proofKeys)).data);
    const history = await up.request(wire.secondsOrders, {
      entryStatus: '1',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
    });
    expect([history.sum, history.list[0]?.id]).toEqual([1, won.id]);
    expect((await up.request(wire.secondsOrders, { entryStatus: '0' })).sum).toBe(0);
    expect(await down.call(wire.secondsDetail, { id: won.id })).toMatchObject({ errKey: 'l.not_found' });
  });

  it('CON-011 refuses every exceeded limit with its field, the limit and the given value', async () => {
    const player = await createPlayer(exchange, '600');
    const refused = async (fields: Parameters<typeof player.call<typeof wire.openSeconds>>[1]) => {
      const { code, errKey, data } = await player.call(wire.openSeconds, fields);
      return { code, errKey, ...(data as object) };
    };
    expect(await refused(ticket('up', '4'))).toMatchObject({
      code: -7,
      errKey: 'l.u_limit_min_low',
      limit: '5',
      value: '4',
    });
    expect(await refused(ticket('up', '0.000001'))).toMatchObject({ errKey: 'l.c_enteropenamt' });
    expect(await refused(ticket('up', ''))).toMatchObject({ errKey: 'l.c_enteropenamt' });
    expect(await refused(ticket('up', '1e5'))).toMatchObject({ errKey: 'l.field_number' });
    expect(await refused(ticket('up', '501'))).toMatchObject({
      code: -8,
      errKey: 'l.amount_max',
      limit: '500',
    });
    expect(await refused({ ...ticket('up', '5'), ...wire.durationField('31') })).toMatchObject({
      errKey: 'l.seconds_duration',
    });
    expect(await refused({ ...ticket('up', '5'), quoteCoin: 'BTC', baseCoin: 'ETH' })).toMatchObject({
      errKey: 'l.seconds_closed',
    });
    await player.request(wire.setSecondsLimits, { maxStake: '50' });
    expect(await refused(ticket('up', '51'))).toMatchObject({
      errKey: 'l.seconds_stake_own',
      limit: '50',
      value: '51',
    });
    await player.request(wire.setSecondsLimits, { dayLoss: '20' });
    expect(await refused(ticket('up', '20'))).toMatchObject({
      errKey: 'l.seconds_day_loss',
      limit: '20',
      value: '20.2',
    });
    const both = await Promise.all([
      player.call(wire.openSeconds, ticket('up', '5')),
      player.call(wire.openSeconds, ticket('up', '5')),
    ]);
    expect(both.map(({ errKey }) => errKey ?? '').toSorted()).toEqual(['', 'l.seconds_gap']);
    const stranger = await exchange.aUser({ USDT: '10' });
    expect(await stranger.call(wire.openSeconds, ticket('up', '5'))).toMatchObject({
      errKey: 'l.insufficient_balance',
    });
    await stranger.request(wire.secondsTransfer, { amount: '10', currency: 'USDT' });
    expect(await stranger.call(wire.openSeconds, ticket('up', '5'))).toMatchObject({
      errKey: 'l.seconds_risk',
    });
  });

  it('CON-017 stricter limits apply at once, relaxed ones after a day, and a pause cannot be shortened', async () => {
    const player = await createPlayer(exchange, '100');
    expect(
      await player.request(wire.setSecondsLimits, { maxStake: '10', dayLoss: '50', sessionMinutes: '30' }),
    ).toMatchObject({
      maxStake: '10',
      dayLoss: '50',
      sessionMinutes: 30,
      allowed: 1,
    });
    const relaxed = await player.request(wire.setSecondsLimits, { maxStake: '20', sessionMinutes: '0' });
    expect(relaxed).toMatchObject({
      maxStake: '10',
      sessionMinutes: 30,
      later: { maxStake: '20', dayLoss: '50' },
    });
    await exchange.advanceTime(DAY_MS + MINUTE_MS);
    expect(await player.request(wire.secondsLimits)).toMatchObject({ maxStake: '20', dayLoss: '50' });
    const coolUntil = later(exchange.clock.now(), 60 * MINUTE_MS);
    await player.request(wire.setSecondsLimits, { coolUntil: String(coolUntil) });
    expect(await player.call(wire.openSeconds, ticket('up', '5'))).toMatchObject({
      errKey: 'l.seconds_cool',
    });
    expect(await player.call(wire.setSecondsLimits, { coolUntil: String(coolUntil - 1) })).toMatchObject({
      errKey: 'l.field_min',
      data: { limit: String(coolUntil) },
    });
  });

  it('CON-009 CON-018 CON-721 CON-722 a gap in the tape or a declared interval returns stake and fee, with the reason', async () => {
    const player = await createPlayer(exchange, '100');
    const gap = await player.request(wire.openSeconds, ticket('up', '10'));
    await exchange.advanceTime(20_000);
    expect(await over(player, gap.id)).toMatchObject({ status: 2, result: 'void', settleProfit: '0' });
    // The log has the number of missing seconds of the index, and operators see how often a user's
    // positions became void.
    const alarm = exchange.log.lines.findLast(({ event }) => event === 'seconds.voided')!;
    expect(alarm).toMatchObject({ level: 'error', fields: { symbol: 'btcusdt', positions: 1 } });
    expect(alarm.fields['missingSeconds']).toBeGreaterThan(0);
    const seen = await operate(exchange, `/ops/users/${player.id}/voids`);
    expect(await seen.json()).toMatchObject({ voids: [{ reason: 'noSettlementPoint', count: 1 }] });
    const declared = await player.request(wire.openSeconds, { ...ticket('down', '10'), baseCoin: 'ETH' });
    const { seconds } = exchange.doors.seconds;
    const at = declared.expireTime;
    const period = { from: later(exchange.clock.now(), 0), to: later(exchange.clock.now(), 60_000) };
    await seconds.declareVoid('ethusdt', period, {
      by: 'anna, approved by bert',
      reason: 'a source was wrong',
    });
    expect(await over(player, declared.id)).toMatchObject({ result: 'void', resultReason: 'interval' });
    expect(at).toBe(declared.expireTime);
    expect(await coins(player)).toEqual(['100', '0']);
    const { data } = await exchange.call(proof.proofVoids);
    expect(data.list[0]).toMatchObject({
      symbol: 'ethusdt',
      reason: 'a source was wrong',
      count: 1,
      houseGain: '0',
    });
    expect(JSON.stringify(data)).not.toContain('anna');
    const settled = await exchange.call(proof.proofSettlement, { id: declared.id });
    expect(settled.data.interval).toMatchObject({ reason: 'a source was wrong' });
    const stats = (await exchange.call(proof.proofStats)).data;
    expect(stats.voids.map(({ reason }) => reason)).toContain('interval');
  });

  it('CON-840 a pair with a quote coin other than USDT can be neither published nor opened, whatever the stake', async () => {
    const { seconds } = exchange.doors.seconds;
    const { version: _, at: __, ...present } = (await seconds.terms())!;
    const withCross = { ...present, symbols: [...present.symbols, 'ethbtc'] };
    await expect(seconds.publish(withCross, { by: 'test', reason: 'a test' })).rejects.toThrow('ethbtc');
    expect(() => seconds.requirePublishable(withCross)).toThrow('ethbtc');
    // Terms that were published before the rule about quote coins may still contain a pair whose quote coin is not
    // USDT.
    await sql`insert into seconds_terms (version, terms, set_by, reason, at)
      select version + 1, jsonb_set(terms, '{symbols}', ${JSON.stringify(withCross.symbols)}::jsonb), 'test', 'a test', at
      from seconds_terms order by version desc limit 1`.execute(exchange.doors.database.store);
    const player = await exchange.aUser({ BTC: '600' });
    await player.request(wire.secondsTransfer, { amount: '600', currency: 'BTC' });
    await player.request(wire.acceptSecondsRisk, { agreementVersion: RISK_VERSION });
    await seconds.fund('BTC', d('1000'), 'demo');
    await exchange.setPrice('ethbtc', '0.05');
    const cross = { ...ticket('up', '500'), baseCoin: 'ETH', quoteCoin: 'BTC' };
    expect(await player.call(wire.openSeconds, cross)).toMatchObject({ errKey: 'l.seconds_closed' });
    await seconds.publish(present, { by: 'test', reason: 'a test' });
  });

  it('CON-841 CON-842 CON-843 CON-844 a loss in a period declared void later is refunded once and publicly, and wins stay paid', async () => {
    const [loser, winner] = [await createPlayer(exchange, '100'), await createPlayer(exchange, '100')];
    const lost = await loser.request(wire.openSeconds, ticket('down', '10'));
    const won = await winner.request(wire.openSeconds, ticket('up', '10'));
    for (const [player, { id }] of [
      [loser, lost],
      [winner, won],
    ] as const)
      await eventually(async () => {
        expect((await player.request(wire.secondsDetail, { id })).buyPrice).toBeDefined();
      });
    await exchange.setPrice('btcusdt', '50100');
    expect(await over(loser, lost.id)).toMatchObject({ result: 'lose', settleProfit: '-10.1' });
    expect(await over(winner, won.id)).toMatchObject({ result: 'win' });
    expect((await loser.request(wire.secondsLimits)).lostToday).toBe('10.1');
    const winnings = await coins(winner);
    const before = (await exchange.call(proof.proofStats)).data;
    const { seconds, settling } = exchange.doors.seconds;
    const period = { from: later(instant(lost.expireTime), -1_000), to: instant(lost.expireTime) };
    expect((await voidEvidence(seconds, 'btcusdt', period)).context).toMatchObject({ lossesToRefund: 1 });
    const author = { by: 'anna, approved by bert', reason: 'a source was wrong' };
    await seconds.declareVoid('btcusdt', period, author);
    await Promise.all([settling.refund(), settling.refund()]);
    // A second declaration of the same period refunds nothing more.
    await seconds.declareVoid('btcusdt', period, author);
    await settling.refund();
    expect(await coins(loser)).toEqual(['100', '0']);
    expect(await coins(winner)).toEqual(winnings);
    expect((await loser.request(wire.secondsLimits)).lostToday).toBe('0');
    expect(await loser.request(wire.secondsDetail, { id: lost.id })).toMatchObject({
      result: 'lose',
      refund: '10.1',
    });
    const [again, first] = (await exchange.call(proof.proofVoids)).data.list;
    expect(again).toMatchObject({ count: 0, refundedCount: 0, refunded: '0' });
    expect(first).toMatchObject({
      reason: 'a source was wrong',
      count: 0,
      refundedCount: 1,
      refunded: '10.1',
    });
    const after = (await exchange.call(proof.proofStats)).data;
    expect(after.refunds.count).toBe(before.refunds.count + 1);
    expect(d(after.refunds.amount).minus(d(before.refunds.amount)).toString()).toBe('10.1');
    expect(after.durations).toEqual(before.durations);
    // The settlement's proof contains the refund. Both verifiers accept the proof and detect a changed
    // refund.
    const { data: settlement } = await exchange.call(proof.proofSettlement, { id: lost.id });
    const { data: keys } = await exchange.call(proof.proofKeys);
    expect(settlement.refund).toMatchObject({ amount: '10.1', reason: 'a source was wrong', ...period });
    const verdicts = (published: PublishedSettlement) => {
      const hashes = contentsOf(published).map((line) => createHash('sha256').update(line).digest('hex'));
      const files = { 'settlement.json': JSON.stringify(published), 'keys.json': keys };
      return [
        Object.values(checkSettlement(published, hashes)).every(Boolean),
        runVerifier('verify', files).isValid,
      ];
    };
    expect(verdicts(settlement)).toEqual([true, true]);
    const refund = settlement.refund!;
    expect(verdicts({ ...settlement, refund: { ...refund, amount: '10.2' } })).toEqual([false, false]);
    const elsewhere = { ...refund, from: refund.from + 10_000, to: refund.to + 10_000 };
    expect(verdicts({ ...settlement, refund: elsewhere })).toEqual([false, false]);
    // The owner gets one message about the loss and one about the refund, although the job runs twice.
    const notify = () => exchange.doors.jobs.scheduled.get('seconds.notifyResults')!();
    await notify();
    await notify();
    const { list } = await loser.request(messagePage, { type: '2' });
    expect(list.map(({ title }) => title)).toEqual([
      'Seconds contract: loss refunded',
      'Seconds contract result: BTC/USDT',
    ]);
    expect((await loser.request(messageDetail, { id: list[0]!.id })).content).toContain(lost.id);
  });

  it('CON-025 the owner of a void position gets one message with the reason, also after a crash', async () => {
    const player = await createPlayer(exchange, '100');
    const gap = await player.request(wire.openSeconds, ticket('up', '10'));
    await exchange.advanceTime(20_000);
    await over(player, gap.id);
    const declared = await player.request(wire.openSeconds, { ...ticket('down', '10'), baseCoin: 'ETH' });
    const period = { from: later(exchange.clock.now(), 0), to: later(exchange.clock.now(), 60_000) };
    await exchange.doors.seconds.seconds.declareVoid('ethusdt', period, { by: 'test', reason: 'a test' });
    await over(player, declared.id);
    const notify = () => exchange.doors.jobs.scheduled.get('seconds.notifyResults')!();
    const messages = async () => {
      const { list } = await player.request(messagePage, { type: '2' });
      const details = await Promise.all(list.map(({ id }) => player.request(messageDetail, { id })));
      for (const { place, item, content } of details) {
        expect(place).toBe('seconds');
        expect(content).toContain(item);
      }
      return details.map(({ content }) => content).toSorted();
    };
    await Promise.all([notify(), notify()]);
    const [noPrice, interval, ...more] = await messages();
    expect(more).toEqual([]);
    expect(noPrice).toMatch(/no price at its entry or its expiry[^]*Fee: 0.1 USDT/);
    expect(noPrice).toContain(gap.id);
    expect(interval).toContain('was declared void');
    expect(interval).toContain(declared.id);
    // A restart loses the time up to which the job has processed positions. The job then processes the same positions
    // again, and the inbox drops the repeated messages.
    await exchange.restart();
    await notify();
    expect(await messages()).toHaveLength(2);
  });

  it('CON-1020 the owner of a settled position gets one message with its result unless the topic is switched off', async () => {
    const [player, silent] = [await createPlayer(exchange, '50'), await createPlayer(exchange, '50')];
    await silent.request(setMessageSetting, { topic: 'seconds', inbox: '0' });
    const { id } = await player.request(wire.openSeconds, ticket('up', '10'));
    const unheard = await silent.request(wire.openSeconds, ticket('down', '10'));
    const { result } = await over(player, id);
    await over(silent, unheard.id);
    const inbox = async (trader: TestTrader) => {
      const { list } = await trader.request(messagePage, { type: '2' });
      return Promise.all(list.map((message) => trader.request(messageDetail, { id: message.id })));
    };
    // The settlement itself starts the sending of the message; no scheduled job runs in between.
    await eventually(async () => expect(await inbox(player)).toHaveLength(1));
    await exchange.doors.jobs.scheduled.get('seconds.notifyResults')!();
    const [message, ...more] = await inbox(player);
    expect(more).toEqual([]);
    const start = { win: 'Won: ', lose: 'Lost: ', draw: 'Draw: ', void: '' }[result!];
    expect(message).toMatchObject({
      title: 'Seconds contract result: BTC/USDT',
      summary: expect.stringMatching(new RegExp(`^${start}.+ USDT`)) as string,
      place: 'seconds',
      item: id,
      readFlag: 1,
    });
    expect(message!.content).toMatch(/Pair: BTC\/USDT ▲[^]*Stake: 10 USDT\nFee: 0.1 USDT/);
    expect(await inbox(silent)).toEqual([]);
    // A settlement queues its notice in the same transaction, so a message that a crash prevented is sent
    // after the restart.
    const { store } = exchange.doors.database;
    await sql`delete from message where about = ${id}::uuid`.execute(store);
    await sql`insert into seconds_notice (id) values (${id}::uuid)`.execute(store);
    await exchange.restart();
    await eventually(async () => {
      await exchange.doors.jobs.scheduled.get('seconds.notifyResults')!();
      expect(await inbox(player)).toHaveLength(1);
    });
  });

  it('CON-008 CON-020 refuses positions that the reserve does not cover, before any posting', async () => {
    const player = await createPlayer(exchange, '500');
    const { seconds } = exchange.doors.seconds;
    const { used, funded } = (await seconds.statistics()).reserve[0]!;
    expect(Decimal.parse(used).isZero()).toBe(true);
    expect(await player.call(wire.openSeconds, ticket('up', '200'))).toMatchObject({
      errKey: 'l.seconds_reserve',
      data: { limit: funded.toString(), value: '160', unit: 'USDT' },
    });
    expect(await coins(player)).toEqual(['500', '0']);
    await seconds.fund('USDT', d('300'), 'demo');
    const { id } = await player.request(wire.openSeconds, ticket('up', '200'));
    const [during] = (await exchange.call(proof.proofStats)).data.reserve;
    expect(during).toMatchObject({ funded: '300', used: '160' });
    await over(player, id);
  });

  it('ID-132 visitors of a demo cannot set limits, a pause or the whitelist of the shared account', async () => {
    const { token } = (await exchange.call(demoLogin)).data;
    const shared = { errKey: 'l.account_shared' };
    for (const fields of [{ maxStake: '1' }, { coolUntil: String(later(exchange.clock.now(), DAY_MS)) }])
      expect(await exchange.call(wire.setSecondsLimits, fields, { token })).toMatchObject(shared);
    expect(await exchange.call(setWhitelist, { on: '1' }, { token })).toMatchObject(shared);
  });

  it('CON-845 refunds that would exceed the free reserve stay owed, are logged, and are paid once funded', async () => {
    const { seconds, settling } = exchange.doors.seconds;
    const loser = await createPlayer(exchange, '100');
    const lost = await loser.request(wire.openSeconds, ticket('down', '10'));
    await eventually(async () => {
      expect((await loser.request(wire.secondsDetail, { id: lost.id })).buyPrice).toBeDefined();
    });
    await exchange.setPrice('btcusdt', '50200');
    expect(await over(loser, lost.id)).toMatchObject({ result: 'lose' });
    // A position of five minutes on another pair reserves the payout account's balance except for an amount
    // smaller than the stake to refund.
    const others = await createPlayer(exchange, '2000');
    const { funded, used } = (await exchange.call(proof.proofStats)).data.reserve.find(
      ({ currency }) => currency === 'USDT',
    )!;
    const rate = d('0.92');
    const stake = d(funded).minus(d(used)).minus(d('5')).over(rate, 'down', 2);
    const long = await others.request(wire.openSeconds, {
      ...ticket('up', stake.toString()),
      ...wire.durationField('300'),
      baseCoin: 'ETH',
    });
    const period = { from: instant(lost.expireTime), to: instant(lost.expireTime) };
    await seconds.declareVoid('btcusdt', period, { by: 'test', reason: 'a test' });
    await settling.refund();
    expect(await coins(loser)).toEqual(['89.9', '0']);
    expect(exchange.log.lines.some(({ event }) => event === 'due_work.item_failed')).toBe(true);
    await seconds.fund('USDT', d(funded).plus(d('100')), 'demo');
    await exchange.advanceTime(MINUTE_MS);
    await settling.refund();
    expect(await coins(loser)).toEqual(['100', '0']);
    await exchange.advanceTime(310_000);
    await over(others, long.id);
  });

  it('CON-021 FIN-034 new terms leave open positions as they are, and the same terms change nothing', async () => {
    const player = await createPlayer(exchange, '100');
    const { seconds } = exchange.doors.seconds;
    const { version, at: _, ...terms } = (await seconds.terms())!;
    const author = { by: 'test', reason: 'a test' };
    const { id } = await player.request(wire.openSeconds, ticket('up', '10'));
    expect(await seconds.publish(terms, author)).toEqual({ version });
    await expect(seconds.publish({ ...terms, maxStake: d('501') }, author)).rejects.toThrow('maxStake');
    expect(await seconds.publish({ ...terms, isOpen: false, feeRate: d('0.02') }, author)).toEqual({
      version: version + 1,
    });
    expect(await player.call(wire.openSeconds, ticket('up', '10'))).toMatchObject({
      errKey: 'l.seconds_closed',
    });
    expect(await over(player, id)).toMatchObject({ feeRate: '0.01', result: 'draw' });
    await seconds.publish({ ...terms, blockedCountries: ['US'] }, author);
    const latestVersion = version + 2;
    expect(
      await player.call(wire.openSeconds, { ...ticket('up', '10'), version: String(version) }),
    ).toMatchObject({
      errKey: 'l.terms_changed',
      data: { limit: String(latestVersion), value: String(version) },
    });
    expect(
      await player.call(wire.openSeconds, { ...ticket('up', '10'), version: String(latestVersion) }),
    ).toMatchObject({
      code: 1,
    });
  });

  it('CON-023 every version of the terms is public and signed, and a position has the rates of its time', async () => {
    const player = await createPlayer(exchange, '100');
    const { id } = await player.request(wire.openSeconds, ticket('up', '10'));
    await over(player, id);
    const { seconds } = exchange.doors.seconds;
    const { version, at: _, ...terms } = (await seconds.terms())!;
    const author = { by: 'anna', reason: 'a test' };
    for (const feeRate of ['0.03', '0.04']) await seconds.publish({ ...terms, feeRate: d(feeRate) }, author);
    const config = (await exchange.call(proof.proofConfig, { pageSize: '100' })).data;
    expect(
      config.list.slice(0, 3).map(({ version: listedVersion, feeRate }) => [listedVersion, feeRate]),
    ).toEqual([
      [version + 2, '0.04'],
      [version + 1, '0.03'],
      [version, '0.01'],
    ]);
    expect(config.list.at(-1)!.version).toBe(1);
    expect(JSON.stringify(config)).not.toContain('anna');
    const files = {
      'settlement.json': (await exchange.call(proof.proofSettlement, { id })).data,
      'keys.json': (await exchange.call(proof.proofKeys)).data,
    };
    const holds = (list: unknown) => runVerifier('verify', { ...files, 'config.json': { list } });
    expect(holds(config.list)).toMatchObject({ isValid: true });
    const [newest, next, ...older] = config.list;
    expect(holds([{ ...newest, feeRate: '0.02' }, next, ...older]).output).toContain('another signature');
    expect(holds([newest, ...older]).output).toContain('does not follow');
    // If the list lacks the version of the terms that applied when the position was opened, the proof cannot show that
    // the position's rates were the published ones.
    expect(holds([newest]).output).toContain('the terms of its time had something else');
    await seconds.publish(terms, author);
  });

  it('CON-020 the country of the verified identity decides where it is offered; in live mode no country is open until it is listed', async () => {
    const [american, unknown] = [await createPlayer(exchange, '100'), await createPlayer(exchange, '100')];
    await exchange.database.pool.query(
      `insert into kyc_submission (id, owner, country, sealed, document_hash, front, back, is_same_side, status,
         submitted_at, decided_at, decided_by, reasons, note)
       values (gen_random_uuid(), $1, 'US', decode('00', 'hex'), decode(repeat('ab', 32), 'hex'), gen_random_uuid(), gen_random_uuid(), false, 2, 1, 2, 'test', '{}', '')`,
      [american.id],
    );
    const { seconds } = exchange.doors.seconds;
    const { version: _, at: __, ...terms } = (await seconds.terms())!;
    await seconds.publish({ ...terms, blockedCountries: ['US'] }, { by: 'test', reason: 'a law' });
    expect(await american.call(wire.openSeconds, ticket('up', '10'))).toMatchObject({
      errKey: 'l.seconds_region',
    });
    const { id } = await unknown.request(wire.openSeconds, ticket('up', '10'));
    await over(unknown, id);
    await seconds.publish({ ...terms, blockedCountries: [] }, { by: 'test', reason: 'another law' });
    await over(american, (await american.request(wire.openSeconds, ticket('up', '10'))).id);
    const open = (
      country: string | undefined,
      openCountries: readonly string[],
      blocked: readonly string[] = [],
    ) => isOpenFrom({ openCountries, blockedCountries: blocked }, country, 'live');
    expect([open(undefined, ['GB']), open('US', []), open('US', ['GB']), open('GB', ['GB'], ['GB'])]).toEqual(
      [false, false, false, false],
    );
    expect(open('GB', ['GB'])).toBe(true);
  });

  it('CON-019 after downtime over an expiry the result is that of the tape, settled once, however late', async () => {
    const player = await createPlayer(exchange, '100');
    await exchange.doors.seconds.settling.stop();
    const late = await player.request(wire.openSeconds, ticket('up', '10'));
    await eventually(() => {
      const passed = exchange.doors.market.latestPoint('btcusdt')!.t;
      expect(passed).toBeGreaterThan(late.expireTime);
    });
    const missed = await player.request(wire.openSeconds, ticket('up', '10'));
    expect(await player.request(wire.secondsDetail, { id: late.id })).toMatchObject({ status: 0 });
    await exchange.restart(() => {
      exchange.clock.shift(10_000);
      return Promise.resolve();
    });
    expect(await over(player, late.id)).toMatchObject({ result: 'draw', finishTime: expect.any(Number) });
    expect(await over(player, missed.id)).toMatchObject({ status: 2, result: 'void' });
    await Promise.all([exchange.doors.seconds.settling.settle(), exchange.doors.seconds.settling.settle()]);
    expect(await coins(player)).toEqual(['100', '0']);
  });

  it('CON-026 whatever the machine’s clock is set to, a position is settled once and by the tape, and no position opens without an index', async () => {
    const player = await createPlayer(exchange, '100');
    const open = (second = '2') =>
      player.call(wire.openSeconds, { ...ticket('up', '10'), ...wire.durationField(second) });
    const opened = async (second?: string) => {
      const answer = await eventually(async () => {
        const answered = await open(second);
        expect(answered.code).toBe(1);
        return answered;
      });
      const { id } = answer.data;
      await eventually(async () => {
        expect((await player.request(wire.secondsDetail, { id })).buyPrice).toBeDefined();
      });
      return answer.data;
    };
    // The system clock is set back five seconds at the expiry. The index tape waits until the clock reaches
    // its next second, and the position waits for the tape.
    const atExpiry = await opened();
    await eventually(() => expect(exchange.clock.now()).toBeGreaterThan(atExpiry.expireTime - 400));
    exchange.clock.set(-5_000);
    const order = await over(player, atExpiry.id);
    expect(order).toMatchObject({ result: 'draw', expireTime: atExpiry.expireTime });
    expect(order.finishTime).toBeGreaterThanOrEqual(atExpiry.expireTime);
    // The clock is set back an hour. The last index point is then in the future for an hour, and must not
    // count as fresh.
    exchange.clock.set(-3_600_000);
    await eventually(() => expect(exchange.doors.market.isIndexFresh()).toBe(false));
    expect(await open()).toMatchObject({ errKey: 'l.seconds_index' });
    exchange.clock.set(3_600_000);
    // The clock is set forward an hour or a day. The skipped seconds never get a tape line, so the position
    // is void and the stake is returned.
    for (const ms of [3_600_000, DAY_MS]) {
      const { id } = await opened('30');
      exchange.clock.set(ms);
      expect(await over(player, id)).toMatchObject({ result: 'void', resultReason: 'noSettlementPoint' });
    }
    await exchange.doors.seconds.settling.settle();
    expect(await coins(player)).toEqual(['100', '0']);
  });
});
