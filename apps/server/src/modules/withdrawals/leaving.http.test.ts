import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS, untilText } from '@exchange/core/time.ts';
import { freezeAccount, userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { knowAddress } from '../../../testing/known-address.ts';
import { mailsTo, operate, operateAs } from '../../../testing/operators.ts';
import { aSaver } from '../finance/testing/products.ts';

const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const ELSEWHERE = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
const BECAUSE = { reason: 'a test' };

describe('what an account that is frozen or held has asked for before', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const service = () => exchange.doors.withdrawals.withdrawals;
  const move = async () => {
    for (let n = 0; n < 3; n += 1) await exchange.doors.withdrawals.jobs.move();
  };
  /** Somebody with an address in the book that is in force: what goes there goes by itself. */
  const somebody = async (USDT: string) => {
    const of = await aSaver(exchange, { USDT });
    await service().addAddress(of.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      memo: undefined,
      remark: undefined,
      activeAt: exchange.clock.now(),
    });
    return of;
  };
  const ask = async (of: TestTrader, amount: string, address = TRON) => {
    if (address === ELSEWHERE) await knowAddress(exchange, of.id, 'USDT', 'TRC20', address);
    return service().submit(of.id, {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
  };
  const stateOf = async (id: string) => {
    const { status, txid } = (await service().find(id))!;
    return [status, txid !== undefined];
  };
  const amounts = async (of: TestTrader) => {
    const { rows } = await exchange.database.pool.query(
      "select balance::float8 as balance from ledger_account where owner = $1 and asset = 'USDT' and address like '%:spot:%' order by address",
      [of.id],
    );
    return rows.map(({ balance }) => balance as number);
  };

  it('OPS-668 whoever is frozen has a mail and a message with the way to customer service, once, and nothing of why', async () => {
    const of = await exchange.aUser();
    const { email, uid } = await of.ask(userInfo);
    const freeze = () =>
      operateAs(exchange, 'owner', `/ops/users/${of.id}/freeze`, { reason: 'a match of the list' });
    expect((await freeze()).status).toBe(200);
    expect((await freeze()).status).toBe(200);
    const mails = (await mailsTo(exchange, email)).filter(({ subject }) => subject.includes('frozen'));
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Amethyst account is frozen']);
    expect(mails[0]!.text).toContain('Help & contact');
    expect(mails[0]!.text).toContain(uid);
    expect(mails[0]!.text).not.toContain('match');
    const inbox = async () => {
      const answer = await operateAs(exchange, 'owner', `/ops/users/${of.id}/messages`);
      const { messages } = (await answer.json()) as { messages: { kind: string }[] };
      return messages.filter(({ kind }) => kind === 'accountFrozen').length;
    };
    await eventually(async () => expect(await inbox()).toBe(1));
    expect((await operate(exchange, `/ops/users/${of.id}/unfreeze`, BECAUSE)).status).toBe(200);
    expect((await freeze()).status).toBe(200);
    await eventually(async () => expect(await inbox()).toBe(2));
  });

  it('WDR-012 nothing leaves a frozen account by itself, by an operator or on its way; thawed, it is sent once', async () => {
    const of = await somebody('1000');
    const byItself = await ask(of, '100');
    const underWay = await ask(of, '50', ELSEWHERE);
    const waiting = await ask(of, '70', ELSEWHERE);
    await service().decide(underWay.id, 'approve', { by: 'test', persons: 1 });
    await of.ask(freezeAccount, { reason: 'stolen' });
    await exchange.pass(MINUTE_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['pending', false]);
    expect(await stateOf(underWay.id)).toEqual(['processing', false]);
    const approved = await operateAs(exchange, 'owner', `/ops/withdrawals/${waiting.id}/approve`, BECAUSE);
    expect(await approved.json()).toMatchObject({ key: 'l.account_frozen' });
    expect(await stateOf(waiting.id)).toEqual(['pending', false]);
    const because = { ...BECAUSE, because: 'ownerFreeze' };
    await operateAs(exchange, 'owner', `/ops/withdrawals/${waiting.id}/reject`, because);
    expect(await stateOf(waiting.id)).toEqual(['rejected', false]);
    expect(await amounts(of)).toEqual([850, 150]);

    expect((await operate(exchange, `/ops/users/${of.id}/unfreeze`, BECAUSE)).status).toBe(200);
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

  it('WDR-012 WDR-014 what is held goes when the hold has ended, and not before; until when, its refusal says', async () => {
    const of = await somebody('1000');
    const [byItself, waiting] = [await ask(of, '100'), await ask(of, '50', ELSEWHERE)];
    const goOn = exchange.clock.stand();
    const heldAt = exchange.clock.now();
    await operateAs(exchange, 'owner', `/ops/users/${of.id}/hold`, { ...BECAUSE, hours: '2' });
    goOn();
    await exchange.pass(HOUR_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['pending', false]);
    const path = `/ops/withdrawals/${waiting.id}/approve`;
    const early = await operateAs(exchange, 'owner', path, BECAUSE);
    const until = untilText(later(heldAt, 2 * HOUR_MS));
    expect(await early.json()).toMatchObject({
      key: 'l.withdraw_hold',
      error: `Withdrawals from this account are on hold until ${until} UTC.`,
    });
    await exchange.pass(HOUR_MS + SECOND_MS);
    await move();
    expect(await stateOf(byItself.id)).toEqual(['processing', true]);
    expect((await operateAs(exchange, 'owner', path, BECAUSE)).status).toBe(200);
  });

  it('WDR-004 nobody passes the limit of what goes by itself in slices, and a day later it is free again', async () => {
    const of = await somebody('5000');
    const isAuto = async (amount: string) => (await ask(of, amount)).isAuto;
    expect(await Promise.all([isAuto('600'), isAuto('400')])).toEqual([true, true]);
    expect(await isAuto('10')).toBe(false);
    await exchange.pass(DAY_MS + SECOND_MS);
    expect([await isAuto('1000.000001'), await isAuto('700'), await isAuto('400')]).toEqual([
      false,
      true,
      false,
    ]);
    const [last] = (
      await service().records(of.id, { asset: undefined, status: undefined }, { pageNo: 1, pageSize: 9 })
    ).list.filter(({ isAuto: is }) => is);
    await service().cancel(of.id, last!.id);
    expect(await isAuto('900')).toBe(true);
  });

  it('WDR-012 however much waits in a frozen account, it holds up nobody else', async () => {
    const [of, other] = [await somebody('3000'), await somebody('1000')];
    const asked: string[] = [];
    for (let n = 0; n < 201; n += 1) {
      // Nobody asks for more than so many within a day: these are from another.
      if (n % WITHDRAWALS_PER_DAY === 0)
        await exchange.database.pool.query(
          'update withdrawal set created_at = created_at - $2 where owner = $1',
          [of.id, DAY_MS],
        );
      asked.push((await ask(of, '10', ELSEWHERE)).id);
    }
    for (const one of asked) await service().decide(one, 'approve', { by: 'test', persons: 1 });
    await of.ask(freezeAccount, { reason: 'stolen' });
    const { id } = await ask(other, '100');
    await exchange.pass(MINUTE_MS);
    await move();
    expect(await stateOf(id)).toEqual(['processing', true]);
  });
});
