import { randomUUID } from 'node:crypto';
import { later } from '@exchange/core/time.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { endpoint, type Demand, type Endpoint } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, mailCodeField, tradePasswordField } from '@exchange/wire/step-up.ts';
import { sendEmailCode, setTradePassword } from '@exchange/wire/user.ts';
import { removeAddress, sendWithdrawalCode, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { commitToProject } from '@exchange/wire/subscription.ts';
import { buyMining } from '@exchange/wire/mining.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { aProduct } from '../../src/modules/finance/testing/products.ts';
import { aProject } from '../../src/modules/subscription/testing/projects.ts';
import { aMine } from '../../src/modules/mining/testing/products.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { demandsOf } from '../../src/platform/http/demands.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { route, submissionRoute } from '../../src/platform/http/route.ts';
import { Limits, NO_LIMITS } from '../../src/platform/limits/limits.ts';
import { anAddress, callOver, type Answered } from '../calling.ts';
import { runningEdge, type RunningEdge } from '../edge.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { requireNoAlarm } from './raw-call.ts';
import { exampleOf } from '@exchange/wire/examples.ts';

const DIGITS = '294716';
const VERIFIED = 2;
const DAY_MS = 86_400_000;

const charge = { limit: 'transfer', weight: 1 } as const;
const data = z.object({ done: z.string() });
/** Calls as products will write them: each demand, and all of them. */
const buy = endpoint({
  path: '/test/buy',
  summary: 'Demands what a purchase does.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge,
  idempotent: true,
  fields: { amount: z.string(), ...tradePasswordField },
  data,
});
const withdraw = endpoint({
  path: '/test/withdraw',
  summary: 'Demands what a withdrawal does.',
  access: { who: 'user', verified: true, tradePassword: true, mailCode: 'withdraw', mailCodeBinds: [] },
  charge,
  idempotent: true,
  fields: { amount: z.string(), ...tradePasswordField, ...mailCodeField },
  data,
});
const bookAddress = endpoint({
  path: '/test/address',
  summary: 'Demands a mailed code, and honours no key.',
  access: { who: 'user', mailCode: 'address', mailCodeBinds: ['amount'] },
  charge,
  fields: { amount: z.string(), ...mailCodeField },
  data,
});

describe('what access rows demand', () => {
  let exchange: TestExchange;
  let products: RunningEdge;
  let served = 0;
  let product: string;
  let mine: string;
  let project: string;

  beforeAll(async () => {
    exchange = await anExchange();
    product = await aProduct(exchange, 'walk', { startAmount: Decimal.parse('0.001') });
    project = await aProject(exchange, 'walk', {
      minAmount: Decimal.parse('0.001'),

      endAt: later(exchange.clock.now(), 90 * DAY_MS),
      listAt: later(exchange.clock.now(), 90 * DAY_MS),
    });
    mine = await aMine(exchange, 'walk', { startAmount: Decimal.parse('0.001') });
    const serve = ({ amount }: { amount: string }) => {
      if (amount === '0') throw new Refused(refusal('belowMinimum', 'l.amount_min', { limit: '1' }));
      served += 1;
      return { done: 'yes' };
    };
    products = await runningEdge({
      ...exchange.edgeParts,
      clock: exchange.clock,
      limits: new Limits(exchange.clock, NO_LIMITS),
      routes: [
        submissionRoute(buy, { operation: 'test.buy', serve }),
        submissionRoute(withdraw, { operation: 'test.withdraw', serve }),
        route(bookAddress, serve),
      ],
    });
  });
  afterAll(async () => {
    requireNoAlarm(exchange, ['market.index_gap']);
    await products.app.close();
    await exchange.close();
  });

  const testCalls: readonly Endpoint[] = [buy, withdraw, bookAddress];
  const walked = [...ENDPOINTS, ...testCalls].filter(({ access }) => demandsOf(access).length > 0);
  const demanding = (demand: Demand) =>
    walked.filter(({ access }) => demandsOf(access).includes(demand)).map((one) => [one.path, one] as const);

  const addresses = new Map<string, Promise<{ readonly id: string }>>();
  /** An address of the trader's book; no code is mailed for the removal of another one. */
  const addressOf = ({ id }: TestTrader) => {
    const known =
      addresses.get(id) ??
      exchange.doors.withdrawals.withdrawals.addAddress(id, {
        asset: 'USDT',
        network: 'TRC20',
        address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
        memo: undefined,
        remark: undefined,
        activeAt: exchange.clock.now(),
      });
    addresses.set(id, known);
    return known;
  };
  const exampleFor = async (one: Endpoint, trader: TestTrader) => ({
    ...exampleOf(one, Date.now()),
    ...(one === removeAddress ? { id: (await addressOf(trader)).id } : {}),
  });
  /** Fields of a call as its code is bound to them. */
  const boundOf = async (one: Endpoint, trader: TestTrader) => {
    const bound = new Set(one.access.mailCodeBinds ?? []);
    const fields = await exampleFor(one, trader);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => bound.has(name)));
  };
  const mailed = async (trader: TestTrader, one: Endpoint) => {
    const { email, token, id } = trader;
    await exchange.pass(61_000);
    const address = anAddress();
    if (testCalls.includes(one)) {
      const caller = {
        session: { id: randomUUID(), userId: id },
        locale: 'en-US',
        address,
        userAgent: '',
        traceId: '',
        key: undefined,
        submission: undefined,
      } as const;
      await exchange.doors.identity.sendActCode(caller, {
        endpoint: one,
        fields: await boundOf(one, trader),
      });
    } else {
      const fields = {
        email,
        type: CODE_TYPES[one.access.mailCode!],
        act: one.path,
        about: new URLSearchParams(await boundOf(one, trader)).toString(),
      };
      const asked =
        one === submitWithdrawal
          ? await exchange.call(sendWithdrawalCode, exampleOf(sendWithdrawalCode, Date.now()), {
              token,
              address,
            })
          : await exchange.call(sendEmailCode, fields, { token, address });
      expect(asked.code, asked.text).toBe(1);
    }
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    return list[0]?.code ?? '';
  };
  const verify = ({ id }: TestTrader, kycStatus = VERIFIED) =>
    exchange.database.pool.query('update user_account set kyc_status = $2 where id = $1', [id, kycStatus]);
  const aTrader = async () => {
    const trader = await exchange.aUser({ USDT: '100' });
    await verify(trader);
    const code = await mailed(trader, setTradePassword);
    await trader.ask(setTradePassword, { code, assetsPwd: DIGITS, confirmAssetsPwd: DIGITS });
    return trader;
  };
  /** A form that meets every demand, but for what the test says otherwise. */
  const formFor = async (one: Endpoint, trader: TestTrader, other: Record<string, string | undefined>) => {
    const { access } = one;
    const met = {
      ...(await exampleFor(one, trader)),
      ...(one === buyFinance ? { id: product } : {}),
      ...(one === buyMining ? { id: mine } : {}),
      ...(one === commitToProject ? { id: project } : {}),
      ...(access.tradePassword === undefined ? {} : { assetsPwd: DIGITS }),
      ...(access.mailCode === undefined || 'code' in other ? {} : { code: await mailed(trader, one) }),
      ...other,
    };
    return Object.fromEntries(Object.entries(met).filter(([, value]) => value !== undefined));
  };
  const send = async (
    one: Endpoint,
    trader: TestTrader,
    other: Record<string, string | undefined> = {},
    headers: Record<string, string> = {},
  ): Promise<Answered<unknown>> => {
    const url = testCalls.includes(one) ? products.url : exchange.url;
    const form = await formFor(one, trader, other);
    return callOver(url, one, form as never, { token: trader.token, headers });
  };

  /** Served where the walk knows a whole form, and anywhere past the demand. */
  const expectMet = (one: Endpoint, { code, text }: Answered<unknown>, demand: number) => {
    if ([...testCalls, buyFinance, buyMining].includes(one)) expect(code, text).toBe(1);
    else expect(code, text).not.toBe(demand);
  };

  it.each(demanding('verified'))('WALK-020 %s is for verified users', async (_, one) => {
    const trader = await aTrader();
    const form = {
      code: one.access.mailCode === undefined ? undefined : await mailed(trader, one),
    };
    for (const status of [0, 1, 3]) {
      await verify(trader, status);
      expect(await send(one, trader, form)).toMatchObject({ code: -3, errKey: 'l.verification_required' });
    }
    await verify(trader);
    expectMet(one, await send(one, trader, form), -3);
  });

  it.each(demanding('tradePassword'))(
    'WALK-021 %s takes the trade password, and counts wrong ones toward its lock',
    async (_, one) => {
      const fresh = await exchange.aUser();
      await verify(fresh);
      expect(await send(one, fresh)).toMatchObject({ code: -4, errKey: 'l.trade_password_missing' });
      const trader = await aTrader();
      const form = {
        code: one.access.mailCode === undefined ? undefined : await mailed(trader, one),
      };
      const before = served;
      expect(await send(one, trader, { ...form, assetsPwd: undefined })).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_required',
        data: { field: 'assetsPwd' },
      });
      for (let n = 1; n < 5; n += 1) {
        expect(await send(one, trader, { ...form, assetsPwd: '830461' })).toMatchObject({
          code: -4,
          errKey: 'l.trade_password_wrong',
          data: { field: 'assetsPwd', left: String(5 - n) },
        });
      }
      const locked = { code: -4, errKey: 'l.trade_password_locked' };
      expect(await send(one, trader, { ...form, assetsPwd: '830461' })).toMatchObject(locked);
      expect(await send(one, trader, form)).toMatchObject(locked);
      expect(served).toBe(before);
      await exchange.pass(DAY_MS);
      expectMet(one, await send(one, trader), -4);
    },
  );

  it.each(demanding('mailCode'))(
    'WALK-022 %s takes a code mailed for this very call, once',
    async (_, one) => {
      const trader = await aTrader();
      // For another call of its purpose where there is one.
      const other = await mailed(
        trader,
        walked.find(({ path, access }) => path !== one.path && access.mailCode === one.access.mailCode) ??
          bookAddress,
      );
      const errKey = one.access.mailCodeBinds?.length === 0 ? 'l.code_invalid' : 'l.code_other_deed';
      const wrong = { code: -5, errKey, data: { field: 'code' } };
      const right = await mailed(trader, one);
      expect(await send(one, trader, { code: undefined })).toMatchObject({
        code: -5,
        errKey: 'l.enter_code',
      });
      expect(await send(one, trader, { code: right === '000000' ? '000001' : '000000' })).toMatchObject(
        wrong,
      );
      expect(await send(one, trader, { code: other })).toMatchObject(wrong);
      const stranger = await aTrader();
      expect(await send(one, stranger, { code: right })).toMatchObject(wrong);
      const answer = await send(one, trader, { code: right });
      expect(answer.code, answer.text).not.toBe(-5);
      // Used up where the call was served; given back where it was refused.
      const again = await send(one, trader, { code: right });
      expect(again.code === -5).toBe(answer.code === 1);
    },
  );

  it('WALK-023 of many parallel uses of one code one is served', async () => {
    const trader = await aTrader();
    const code = await mailed(trader, withdraw);
    const before = served;
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send(withdraw, trader, { code, amount: String(n + 1) })),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(1);
    expect(served).toBe(before + 1);
  });

  it('WALK-023 a refused call gives its code back; the same request sent again finds its code used for itself', async () => {
    const trader = await aTrader();
    const code = await mailed(trader, withdraw);
    const key = { 'idempotency-key': 'once' };
    for (let n = 0; n < 6; n += 1) {
      expect(await send(withdraw, trader, { code, amount: '0' }, key)).toMatchObject({ code: -7 });
      await exchange.pass(1_000);
    }
    expect((await send(withdraw, trader, { code }, key)).code).toBe(1);
    // Its answer was lost: the use case knows the key, and the code does not stand in its way.
    expect((await send(withdraw, trader, { code }, key)).code).toBe(1);
    const second = { 'idempotency-key': 'twice' };
    expect(await send(withdraw, trader, { code }, second)).toMatchObject({ code: -5 });
    const unkeyed = await mailed(trader, bookAddress);
    expect((await send(bookAddress, trader, { code: unkeyed }, key)).code).toBe(1);
    expect(await send(bookAddress, trader, { code: unkeyed }, key)).toMatchObject({ code: -5 });
  });
});
