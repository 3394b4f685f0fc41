import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS, untilText } from '@exchange/core/time.ts';
import { freezeAccount, userInfo } from '@exchange/wire/user.ts';
import { withdrawalConfig, withdrawalQuote } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { mailsTo, operate, operateAs } from '../../../testing/operators.ts';
import { Submission } from '../../platform/sequencer/submission.ts';
import { createSaver } from '../finance/testing/products.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const ELSEWHERE = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
/** An address that is on the sanctions list which these tests import. */
const LISTED = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const BECAUSE = { reason: 'a test' };

describe('withdrawals of a frozen or held account', () => {
  let exchange: TestExchange;
  const lists = mkdtempSync(join(tmpdir(), 'exchange-lists-'));
  beforeAll(async () => {
    writeFileSync(join(lists, 'plain.txt'), `# a test\nNobody Ever\n${LISTED}\n`);
    exchange = await anExchange({
      settings: {
        SANCTIONS_FOLDER: lists,
        TRAVEL_RULE_USDT: '5000',
        LEGAL_ENTITY: 'Test Exchange Ltd',
      },
    });
  });
  afterAll(async () => {
    await exchange.close();
    rmSync(lists, { recursive: true });
  });

  const service = () => exchange.doors.withdrawals.withdrawals;
  const move = async () => {
    for (let n = 0; n < 3; n += 1) await exchange.doors.withdrawals.jobs.advance();
  };
  /**
   * Creates a user with USDT and with an address book entry whose waiting time is over, so that small withdrawals to it
   * need no review.
   */
  const aTrader = async (USDT: string) => {
    const trader = await createSaver(exchange, { USDT });
    await exchange.doors.withdrawals.addressBook.add(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      memo: undefined,
      remark: undefined,
      activeAt: exchange.clock.now(),
    });
    return trader;
  };
  const submitTo = (trader: TestTrader, amount: string, address: string) =>
    service().submit(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
  const submit = async (trader: TestTrader, amount: string, address = TRON) => {
    if (address === ELSEWHERE) await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', address);
    return submitTo(trader, amount, address);
  };
  const stateOf = async (id: string) => {
    const { status, txid } = (await service().find(id))!;
    return [status, txid !== undefined];
  };
  const amounts = async (trader: TestTrader) => {
    const { rows } = await exchange.database.pool.query(
      "select balance::float8 as balance from ledger_account where owner = $1 and asset = 'USDT' and address like '%:spot:%' order by address",
      [trader.id],
    );
    return rows.map(({ balance }) => balance as number);
  };

  it('OPS-668 a frozen user gets one mail and one message with the way to support, without the reason', async () => {
    const trader = await exchange.aUser();
    const { email, uid } = await trader.request(userInfo);
    const freeze = () =>
      operateAs(exchange, 'owner', `/ops/users/${trader.id}/freeze`, { reason: 'a match of the list' });
    expect((await freeze()).status).toBe(200);
    expect((await freeze()).status).toBe(200);
    const mails = (await mailsTo(exchange, email)).filter(({ subject }) => subject.includes('frozen'));
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Amethyst account is frozen']);
    expect(mails[0]!.text).toContain('Help & contact');
    expect(mails[0]!.text).toContain(uid);
    expect(mails[0]!.text).not.toContain('match');
    const inbox = async () => {
      const answer = await operateAs(exchange, 'owner', `/ops/users/${trader.id}/messages`);
      const { messages } = (await answer.json()) as { messages: { kind: string }[] };
      return messages.filter(({ kind }) => kind === 'accountFrozen').length;
    };
    await eventually(async () => expect(await inbox()).toBe(1));
    expect((await operate(exchange, `/ops/users/${trader.id}/unfreeze`, BECAUSE)).status).toBe(200);
    expect((await freeze()).status).toBe(200);
    await eventually(async () => expect(await inbox()).toBe(2));
  });

  it('WDR-012 nothing leaves a frozen account, whether automatic, approved or in processing; once unfrozen, it is sent once', async () => {
    const trader = await aTrader('1000');
    const byItself = await submit(trader, '100');
    const underWay = await submit(trader, '50', ELSEWHERE);
    const waiting = await submit(trader, '70', ELSEWHERE);
    await exchange.doors.withdrawals.review.decide(underWay.id, 'approve', { by: 'test', persons: 1 });
    await trader.request(freezeAccount, { reason: 'stolen' });
    await exchange.advanceTime(MINUTE_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['pending', false]);
    expect(await stateOf(underWay.id)).toEqual(['processing', false]);
    const approved = await operateAs(exchange, 'owner', `/ops/withdrawals/${waiting.id}/approve`, BECAUSE);
    expect(await approved.json()).toMatchObject({ key: 'l.account_frozen' });
    expect(await stateOf(waiting.id)).toEqual(['pending', false]);
    const because = { ...BECAUSE, because: 'ownerFreeze' };
    await operateAs(exchange, 'owner', `/ops/withdrawals/${waiting.id}/reject`, because);
    expect(await stateOf(waiting.id)).toEqual(['rejected', false]);
    expect(await amounts(trader)).toEqual([850, 150]);

    expect((await operate(exchange, `/ops/users/${trader.id}/unfreeze`, BECAUSE)).status).toBe(200);
    await move();
    await move();
    expect(await stateOf(byItself.id)).toEqual(['processing', true]);
    expect(await stateOf(underWay.id)).toEqual(['processing', true]);
    const { rows } = await exchange.database.pool.query(
      'select amount::float8 as amount from chain_transfer where address = any($1) order by amount',
      [[TRON, ELSEWHERE]],
    );
    expect(rows).toEqual([{ amount: 49 }, { amount: 99 }]);
  });

  it('WDR-012 WDR-014 a withdrawal on hold is sent after the hold has ended and not before; its refusal says when', async () => {
    const trader = await aTrader('1000');
    const [byItself, waiting] = [await submit(trader, '100'), await submit(trader, '50', ELSEWHERE)];
    const goOn = exchange.clock.freeze();
    const heldAt = exchange.clock.now();
    await operateAs(exchange, 'owner', `/ops/users/${trader.id}/hold`, { ...BECAUSE, hours: '2' });
    goOn();
    await exchange.advanceTime(HOUR_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['pending', false]);
    const path = `/ops/withdrawals/${waiting.id}/approve`;
    const refusedApproval = await operateAs(exchange, 'owner', path, BECAUSE);
    const holdEnd = untilText(later(heldAt, 2 * HOUR_MS));
    expect(await refusedApproval.json()).toMatchObject({
      key: 'l.withdraw_hold',
      error: `Withdrawals from this account are on hold until ${holdEnd} UTC.`,
    });
    await exchange.advanceTime(HOUR_MS + SECOND_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['processing', true]);
    expect((await operateAs(exchange, 'owner', path, BECAUSE)).status).toBe(200);
  });

  it('WDR-004 splitting does not avoid the automatic limit, which is available again a day later', async () => {
    const trader = await aTrader('5000');
    const isAuto = async (amount: string) => (await submit(trader, amount)).isAuto;
    expect(await Promise.all([isAuto('600'), isAuto('400')])).toEqual([true, true]);
    expect(await isAuto('10')).toBe(false);
    await exchange.advanceTime(DAY_MS + SECOND_MS);
    expect([await isAuto('1000.000001'), await isAuto('700'), await isAuto('400')]).toEqual([
      false,
      true,
      false,
    ]);
    const [last] = (
      await service().records(trader.id, { asset: undefined, status: undefined }, { pageNo: 1, pageSize: 9 })
    ).list.filter(({ isAuto: is }) => is);
    await service().cancel(trader.id, last!.id);
    expect(await isAuto('900')).toBe(true);
  });

  it('TRE-050 TRE-051 TRE-052 TRE-053 a withdrawal to a listed address waits until two operators have cleared the hit', async () => {
    type Hit = { readonly id: string; readonly owner: string; readonly screened: string };
    const hitsOf = async (trader: TestTrader, path = '/ops/screening/hits') => {
      const answer = await operateAs(exchange, 'owner', path);
      const { hits } = (await answer.json()) as { hits: readonly Hit[] };
      return hits.filter(({ owner }) => owner === trader.id);
    };
    const listsNow = async () =>
      ((await (await operateAs(exchange, 'owner', '/ops/screening/lists')).json()) as { lists: unknown[] })
        .lists;
    expect(await listsNow()).toMatchObject([{ name: 'plain.txt', addresses: 1, names: 1 }]);
    const trader = await aTrader('1000');
    const other = await aTrader('1000');
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', LISTED);
    const listed = await submit(trader, '50', LISTED);
    const harmless = await submit(trader, '40');
    const elsewhere = await submit(other, '40');
    expect(await hitsOf(trader)).toMatchObject([
      { subjectKind: 'withdrawal', subject: listed.id, screened: LISTED, list: 'plain.txt', reference: '3' },
    ]);
    expect((await exchange.doors.screening.health()).reason).toContain('1 sanctions hits wait');
    const approved = await operateAs(exchange, 'owner', `/ops/withdrawals/${listed.id}/approve`, BECAUSE);
    expect(await approved.json()).toMatchObject({ key: 'l.screening_open' });
    await exchange.advanceTime(MINUTE_MS);
    await move();
    // All withdrawals of the account with the sanctions match wait; those of other accounts do not.
    expect(await stateOf(harmless.id)).toEqual(['pending', false]);
    expect(await stateOf(elsewhere.id)).toEqual(['processing', true]);
    const [hit] = await hitsOf(trader);
    const path = `/ops/screening/hits/${hit!.id}`;
    expect((await operateAs(exchange, 'owner', `${path}/clear`, BECAUSE)).status).toBe(202);
    expect((await operate(exchange, `${path}/confirm`, BECAUSE)).status).toBe(200);
    await exchange.restart();
    await move();
    expect(await stateOf(harmless.id)).toEqual(['pending', false]);
    expect(await hitsOf(trader)).toEqual([]);
    expect(await hitsOf(trader, '/ops/screening/decided')).toMatchObject([{ state: 'confirmed' }]);
    expect(await (await operate(exchange, `${path}/confirm`, BECAUSE)).json()).toMatchObject({
      key: 'l.screening_decided',
    });
    expect((await operate(exchange, `${path}/clear`, BECAUSE)).status).toBe(200);
    await move();
    expect(await stateOf(harmless.id)).toEqual(['processing', true]);
    expect(
      (await operateAs(exchange, 'owner', `/ops/withdrawals/${listed.id}/approve`, BECAUSE)).status,
    ).toBe(200);
    await move();
    expect(await stateOf(listed.id)).toEqual(['processing', true]);
    // An operator's clearance applies only to the sanctions match for which it was given; a further withdrawal to the
    // address is a new match.
    expect(await hitsOf(trader)).toEqual([]);
    await submit(trader, '30', LISTED);
    expect(await hitsOf(trader)).toHaveLength(1);
  });

  it('TRE-050 TRE-054 a broken file keeps the list, a changed one replaces it, and an approved withdrawal is compared again before it is sent', async () => {
    const { screening } = exchange.doors.screening;
    const trader = await aTrader('1000');
    const { id } = await submit(trader, '50', ELSEWHERE);
    const other = await aTrader('100');
    const sent = await submit(other, '20');
    // The coin is halted, so that the approved withdrawals are not sent before the sanctions list has changed.
    await exchange.doors.halting.halt('USDT', { by: 'test', reason: 'withdrawals wait' });
    await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'test', persons: 2 });
    writeFileSync(join(lists, 'plain.txt'), '');
    await screening.importLists();
    expect((await exchange.doors.screening.health()).reason).toContain('plain.txt: it has no entries');
    expect(exchange.log.lines.some(({ event }) => event === 'screening.list_not_imported')).toBe(true);
    expect(screening.imported()).toMatchObject([{ addresses: 1, names: 1, problem: 'it has no entries' }]);
    writeFileSync(join(lists, 'plain.txt'), `${LISTED}\n${ELSEWHERE}\n`);
    await screening.importLists();
    expect(screening.imported()).toMatchObject([{ addresses: 2, names: 0, problem: undefined }]);
    await exchange.advanceTime(MINUTE_MS);
    await exchange.doors.halting.lift('USDT', { by: 'test', reason: 'all is well' });
    await move();
    expect(await stateOf(sent.id)).toEqual(['processing', true]);
    expect(await stateOf(id)).toEqual(['processing', false]);
    const { list } = await screening.open();
    expect(list.filter(({ subject }) => subject === id)).toMatchObject([{ screened: ELSEWHERE }]);
    writeFileSync(join(lists, 'plain.txt'), `# a test\nNobody Ever\n${LISTED}\n`);
    await screening.importLists();
  });

  it('TRE-051 TRE-055 TRE-056 TRE-057 TRE-103 a withdrawal from the bound on states its recipient, whose record is stored encrypted, once', async () => {
    const trader = await aTrader('20000');
    const route = { currency: 'USDT', network: 'TRC20' } as const;
    expect((await trader.request(withdrawalConfig, route)).recipientFrom).toBe('5000');
    const { price } = await trader.request(withdrawalConfig, route);
    expect(price).toBe('1');
    const quoted = (fields: Readonly<Record<string, string>>) =>
      trader.call(withdrawalQuote, { ...route, amount: '5000', address: TRON, ...fields });
    const missing = { data: { field: 'recipientName' }, errKey: 'l.recipient_required' };
    expect(await quoted({})).toMatchObject(missing);
    expect(await quoted({ recipientName: '12' })).toMatchObject({ errKey: 'l.recipient_name_format' });
    expect(await quoted({ recipientOwn: '1' })).toMatchObject({ code: 1 });
    expect(await quoted({ recipientName: 'Charles Babbage' })).toMatchObject({ code: 1 });
    expect(await quoted({ amount: '4999.99' })).toMatchObject({ code: 1 });
    const request = (amount: string, name?: string) => ({
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address: TRON,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
      ...(name === undefined ? {} : { recipient: { isOwn: false, name, provider: 'Other' } }),
    });
    const records = async () => {
      const { rows } = await exchange.database.pool.query<{ withdrawal: string; sealed: Buffer }>(
        'select withdrawal, sealed from travel_rule_record where owner = $1',
        [trader.id],
      );
      return rows;
    };
    await expect(service().submit(trader.id, request('5000'))).rejects.toMatchObject({
      refusal: { key: 'l.recipient_required' },
    });
    // A request that is refused after its travel-rule record was stored leaves no record.
    await expect(service().submit(trader.id, request('99000', 'Charles Babbage'))).rejects.toMatchObject({
      refusal: { key: 'l.insufficient_balance' },
    });
    expect(await records()).toEqual([]);
    const submission = Submission.create({
      actor: trader.id,
      operation: 'withdrawals.submit',
      key: 'once',
      sent: { amount: '5000' },
    });
    const first = await service().submit(trader.id, request('5000', 'Charles Babbage'), submission);
    const again = await service().submit(trader.id, request('5000', 'Charles Babbage'), submission);
    expect(again.id).toBe(first.id);
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(record!.withdrawal).toBe(first.id);
    expect(record!.sealed.toString('latin1')).not.toContain('Babbage');
    const hits = async () => {
      const answer = await operateAs(exchange, 'owner', '/ops/screening/hits');
      const { hits: all } = (await answer.json()) as { hits: readonly { owner: string; entry: string }[] };
      return all.filter(({ owner }) => owner === trader.id).map(({ entry }) => entry);
    };
    expect(await hits()).toEqual([]);
    await service().submit(trader.id, request('5000', 'Ever Nobody'));
    expect(await hits()).toEqual(['Nobody Ever']);
    const path = `/ops/withdrawals/${first.id}/travel-rule`;
    const file = await operateAs(exchange, 'owner', path);
    expect(await file.json()).toMatchObject({
      beneficiary: { accountNumber: [TRON] },
      payment: { amount: '4999', asset: 'USDT' },
    });
    expect(exchange.log.lines.some(({ event }) => event === 'withdrawals.travel_rule_read')).toBe(true);
    // The audit log names the withdrawal and its owner when an operator reads the record; two reads within a minute are
    // logged once.
    await operateAs(exchange, 'owner', path);
    const { rows: reads } = await exchange.database.pool.query<{ operator: string; parameters: string }>(
      `select operator, parameters from operator_audit where event = 'seen' and parameters like $1`,
      [`%${first.id}%`],
    );
    expect(reads).toEqual([
      { operator: 'owner', parameters: JSON.stringify({ id: first.id, owner: trader.id }) },
    ]);
    const small = await service().submit(trader.id, request('100'));
    expect((await operateAs(exchange, 'owner', `/ops/withdrawals/${small.id}/travel-rule`)).status).toBe(400);
    // After a crash between storing the travel-rule record and the request, the record remains without a withdrawal and
    // is removed later.
    await exchange.database.pool.query(
      'insert into travel_rule_record (withdrawal, owner, sealed, created_at) values (gen_random_uuid(), $1, $2, $3)',
      [trader.id, Buffer.of(1), exchange.clock.now() - 2 * HOUR_MS],
    );
    expect(await records()).toHaveLength(3);
    await exchange.doors.withdrawals.travelRule.removeOrphans();
    expect(await records()).toHaveLength(2);
  });

  it('WDR-1203 WDR-1204 owners of waiting withdrawals get one message when sending has been paused for a minute, and one at its end', async () => {
    const [trader, quitter] = [await aTrader('1000'), await aTrader('1000')];
    const pause = async (isPaused: boolean) => {
      const { halting, withdrawals } = exchange.doors;
      if (isPaused) await halting.halt('USDT', { by: 'test', reason: 'a test' });
      else await halting.lift('USDT', { by: 'test', reason: 'a test' });
      await withdrawals.pauseNotices.check();
    };
    const passMinute = async () => {
      await exchange.advanceTime(MINUTE_MS);
      const { pauseNotices } = exchange.doors.withdrawals;
      await Promise.all([pauseNotices.check(), pauseNotices.check()]);
      await move();
    };
    const messagesOf = async ({ id }: TestTrader) => {
      const { rows } = await exchange.database.pool.query<{ kind: string }>(
        `select kind from message where user_id = $1 and kind in ('withdrawalPaused', 'withdrawalResumed') order by id`,
        [id],
      );
      return rows.map(({ kind }) => kind);
    };
    for (const amount of ['100', '50']) await submit(trader, amount, ELSEWHERE);
    const given = await submit(quitter, '70', ELSEWHERE);
    await pause(true);
    await move();
    expect(await messagesOf(trader)).toEqual([]);
    await passMinute();
    expect(await messagesOf(trader)).toEqual(['withdrawalPaused']);
    await passMinute();
    expect(await messagesOf(trader)).toEqual(['withdrawalPaused']);
    expect(await messagesOf(quitter)).toEqual(['withdrawalPaused']);
    // While withdrawals on the network are also paused, the end of the first reason does not end the pause.
    const { networkPauses } = exchange.doors.treasury;
    const note = { 'en-US': 'a test', 'zh-CN': 'a test', 'ko-KR': 'a test', 'ja-JP': 'a test' };
    const decision = { by: 'test', reason: 'a test' };
    await networkPauses.pause('TRC20', 'withdrawals', { note, expectedAt: undefined, ...decision });
    await pause(false);
    await passMinute();
    expect(await messagesOf(trader)).toEqual(['withdrawalPaused']);
    await service().cancel(quitter.id, given.id);
    await exchange.restart();
    await exchange.doors.treasury.networkPauses.resume('TRC20', 'withdrawals', decision);
    await exchange.doors.withdrawals.pauseNotices.check();
    await move();
    expect(await messagesOf(trader)).toEqual(['withdrawalPaused', 'withdrawalResumed']);
    expect(await messagesOf(quitter)).toEqual(['withdrawalPaused']);
    // A pause of less than a minute is not announced. The next long pause is announced again.
    await pause(true);
    await pause(false);
    await passMinute();
    expect(await messagesOf(trader)).toHaveLength(2);
    await pause(true);
    await passMinute();
    expect(await messagesOf(trader)).toHaveLength(3);
    await pause(false);
    await passMinute();
    expect(await messagesOf(trader)).toEqual([
      'withdrawalPaused',
      'withdrawalResumed',
      'withdrawalPaused',
      'withdrawalResumed',
    ]);
    const { rows } = await exchange.database.pool.query('select from withdrawal_pause');
    expect(rows).toEqual([]);
  });

  it('WDR-012 any number of withdrawals waiting in a frozen account block nobody else', async () => {
    const [trader, otherTrader] = [await aTrader('3000'), await aTrader('1000')];
    // One withdrawal more than the job reads with one query.
    const count = 201;
    await markAddressKnown(exchange, trader.id, 'USDT', 'TRC20', ELSEWHERE);
    const ids: string[] = [];
    while (ids.length < count) {
      // The test makes earlier requests a day older, because the number of requests within 24 hours is limited.
      await exchange.database.pool.query(
        'update withdrawal set created_at = created_at - $2 where owner = $1',
        [trader.id, DAY_MS],
      );
      const requests = Math.min(WITHDRAWALS_PER_DAY, count - ids.length);
      const made = await Promise.all(
        Array.from({ length: requests }, () => submitTo(trader, '10', ELSEWHERE)),
      );
      ids.push(...made.map(({ id }) => id));
    }
    await Promise.all(
      ids.map((id) => exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'test', persons: 1 })),
    );
    await trader.request(freezeAccount, { reason: 'stolen' });
    const { id } = await submit(otherTrader, '100');
    await exchange.advanceTime(MINUTE_MS);
    await move();
    expect(await stateOf(id)).toEqual(['processing', true]);
  });
});
