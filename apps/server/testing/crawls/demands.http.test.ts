import { randomUUID } from 'node:crypto';
import { later } from '@exchange/core/time.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { endpoint, type Requirement, type Endpoint } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, mailCodeField, tradePasswordField } from '@exchange/wire/step-up.ts';
import { sendEmailCode, setTradePassword } from '@exchange/wire/user.ts';
import { removeAddress, sendWithdrawalCode, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { commitToProject } from '@exchange/wire/subscription.ts';
import { buyMining } from '@exchange/wire/mining.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { createProduct } from '../../src/modules/finance/testing/products.ts';
import { createProject } from '../../src/modules/subscription/testing/projects.ts';
import { createMiningProduct } from '../../src/modules/mining/testing/products.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { demandsOf } from '../../src/platform/http/demands.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { route, submissionRoute } from '../../src/platform/http/route.ts';
import { Limits, NO_LIMITS } from '../../src/platform/limits/limits.ts';
import { anAddress, callOver, type ApiResponse } from '../calling.ts';
import { runningEdge, type RunningEdge } from '../edge.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { requireNoErrors } from './raw-call.ts';
import { exampleOf } from '@exchange/wire/examples.ts';

const DIGITS = '294716';
const VERIFIED = 2;
const DAY_MS = 86_400_000;

const charge = { limit: 'transfer', weight: 1 } as const;
const data = z.object({ done: z.string() });
/**
 * Endpoints that exist only in this test. They require different combinations of a verified identity, the trade
 * password and a mailed code.
 */
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

describe('demands of endpoints', () => {
  let exchange: TestExchange;
  let products: RunningEdge;
  let servedCount = 0;
  let product: string;
  let mine: string;
  let project: string;

  beforeAll(async () => {
    exchange = await anExchange();
    product = await createProduct(exchange, 'walk', { startAmount: Decimal.parse('0.001') });
    project = await createProject(exchange, 'walk', {
      minAmount: Decimal.parse('0.001'),

      endAt: later(exchange.clock.now(), 90 * DAY_MS),
      listAt: later(exchange.clock.now(), 90 * DAY_MS),
    });
    mine = await createMiningProduct(exchange, 'walk', { startAmount: Decimal.parse('0.001') });
    const serve = ({ amount }: { amount: string }) => {
      if (amount === '0') throw new Refused(refusal('belowMinimum', 'l.amount_min', { limit: '1' }));
      servedCount += 1;
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
    requireNoErrors(exchange);
    await products.app.close();
    await exchange.close();
  });

  const testCalls: readonly Endpoint[] = [buy, withdraw, bookAddress];
  const endpoints = [...ENDPOINTS, ...testCalls].filter(({ access }) => demandsOf(access).length > 0);
  const endpointsWith = (demand: Requirement) =>
    endpoints
      .filter(({ access }) => demandsOf(access).includes(demand))
      .map((each) => [each.path, each] as const);

  const addresses = new Map<string, Promise<{ readonly id: string }>>();
  /**
   * Returns an entry of the trader's address book, created at the first call. The server mails a removal code
   * only for an entry of the user's own.
   */
  const addressOf = ({ id }: TestTrader) => {
    const known =
      addresses.get(id) ??
      exchange.doors.withdrawals.addressBook.add(id, {
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
  const exampleFor = async (target: Endpoint, trader: TestTrader) => ({
    ...exampleOf(target, Date.now()),
    ...(target === removeAddress ? { id: (await addressOf(trader)).id } : {}),
  });
  /**
   * Returns the fields of the example form to which the server binds a mailed code for this endpoint, so that
   * the code is valid only with their values.
   */
  const boundFields = async (target: Endpoint, trader: TestTrader) => {
    const bound = new Set(target.access.mailCodeBinds ?? []);
    const fields = await exampleFor(target, trader);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => bound.has(name)));
  };
  const mailCode = async (trader: TestTrader, target: Endpoint) => {
    const { email, token, id } = trader;
    await exchange.advanceTime(61_000);
    const address = anAddress();
    if (testCalls.includes(target)) {
      const caller = {
        session: { id: randomUUID(), userId: id },
        locale: 'en-US',
        address,
        userAgent: '',
        traceId: '',
        key: undefined,
        submission: undefined,
      } as const;
      await exchange.doors.identity.sendActionCode(caller, {
        endpoint: target,
        fields: await boundFields(target, trader),
      });
    } else {
      const fields = {
        email,
        type: CODE_TYPES[target.access.mailCode!],
        act: target.path,
        about: new URLSearchParams(await boundFields(target, trader)).toString(),
      };
      const answer =
        target === submitWithdrawal
          ? await exchange.call(sendWithdrawalCode, exampleOf(sendWithdrawalCode, Date.now()), {
              token,
              address,
            })
          : await exchange.call(sendEmailCode, fields, { token, address });
      expect(answer.code, answer.text).toBe(1);
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
    const code = await mailCode(trader, setTradePassword);
    await trader.request(setTradePassword, { code, assetsPwd: DIGITS, confirmAssetsPwd: DIGITS });
    return trader;
  };
  /**
   * Builds a form for `target` that meets all its access requirements, except where `overrides` replaces a field or
   * (undefined) removes it.
   */
  const formFor = async (
    target: Endpoint,
    trader: TestTrader,
    overrides: Record<string, string | undefined>,
  ) => {
    const { access } = target;
    const form = {
      ...(await exampleFor(target, trader)),
      ...(target === buyFinance ? { id: product } : {}),
      ...(target === buyMining ? { id: mine } : {}),
      ...(target === commitToProject ? { id: project } : {}),
      ...(access.tradePassword === undefined ? {} : { assetsPwd: DIGITS }),
      ...(access.mailCode === undefined || 'code' in overrides
        ? {}
        : { code: await mailCode(trader, target) }),
      ...overrides,
    };
    return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
  };
  const send = async (
    target: Endpoint,
    trader: TestTrader,
    overrides: Record<string, string | undefined> = {},
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<unknown>> => {
    const url = testCalls.includes(target) ? products.url : exchange.url;
    const form = await formFor(target, trader, overrides);
    return callOver(url, target, form as never, { token: trader.token, headers });
  };

  /**
   * Expects success for the endpoints whose complete form this test knows. For all others, expects any response except
   * the refusal `demand` of the access requirement.
   */
  const expectDemandMet = (target: Endpoint, { code, text }: ApiResponse<unknown>, demand: number) => {
    if ([...testCalls, buyFinance, buyMining].includes(target)) expect(code, text).toBe(1);
    else expect(code, text).not.toBe(demand);
  };

  it.each(endpointsWith('verified'))('WALK-020 %s requires a verified user', async (_, target) => {
    const trader = await aTrader();
    const form = {
      code: target.access.mailCode === undefined ? undefined : await mailCode(trader, target),
    };
    for (const status of [0, 1, 3]) {
      await verify(trader, status);
      expect(await send(target, trader, form)).toMatchObject({ code: -3, errKey: 'l.verification_required' });
    }
    await verify(trader);
    expectDemandMet(target, await send(target, trader, form), -3);
  });

  it.each(endpointsWith('tradePassword'))(
    'WALK-021 %s requires the trade password, and wrong ones lock it',
    async (_, target) => {
      const withoutPassword = await exchange.aUser();
      await verify(withoutPassword);
      expect(await send(target, withoutPassword)).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_missing',
      });
      const trader = await aTrader();
      const form = {
        code: target.access.mailCode === undefined ? undefined : await mailCode(trader, target),
      };
      const servedBefore = servedCount;
      expect(await send(target, trader, { ...form, assetsPwd: undefined })).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_required',
        data: { field: 'assetsPwd' },
      });
      for (let n = 1; n < 5; n += 1) {
        expect(await send(target, trader, { ...form, assetsPwd: '830461' })).toMatchObject({
          code: -4,
          errKey: 'l.trade_password_wrong',
          data: { field: 'assetsPwd', left: String(5 - n) },
        });
      }
      const locked = { code: -4, errKey: 'l.trade_password_locked' };
      expect(await send(target, trader, { ...form, assetsPwd: '830461' })).toMatchObject(locked);
      expect(await send(target, trader, form)).toMatchObject(locked);
      expect(servedCount).toBe(servedBefore);
      await exchange.advanceTime(DAY_MS);
      expectDemandMet(target, await send(target, trader), -4);
    },
  );

  it.each(endpointsWith('mailCode'))(
    'WALK-022 %s requires a code mailed for exactly this request, once',
    async (_, target) => {
      const trader = await aTrader();
      // A code that was mailed for another endpoint with the same purpose, or for the test endpoint `bookAddress` if
      // there is no such endpoint.
      const otherCode = await mailCode(
        trader,
        endpoints.find(
          ({ path, access }) => path !== target.path && access.mailCode === target.access.mailCode,
        ) ?? bookAddress,
      );
      const errKey = target.access.mailCodeBinds?.length === 0 ? 'l.code_invalid' : 'l.code_other_deed';
      const wrongCode = { code: -5, errKey, data: { field: 'code' } };
      const validCode = await mailCode(trader, target);
      expect(await send(target, trader, { code: undefined })).toMatchObject({
        code: -5,
        errKey: 'l.enter_code',
      });
      expect(
        await send(target, trader, { code: validCode === '000000' ? '000001' : '000000' }),
      ).toMatchObject(wrongCode);
      expect(await send(target, trader, { code: otherCode })).toMatchObject(wrongCode);
      const stranger = await aTrader();
      expect(await send(target, stranger, { code: validCode })).toMatchObject(wrongCode);
      const answer = await send(target, trader, { code: validCode });
      expect(answer.code, answer.text).not.toBe(-5);
      // A code is used up once a request with it succeeds. A refused request leaves the code usable.
      const repeated = await send(target, trader, { code: validCode });
      expect(repeated.code === -5).toBe(answer.code === 1);
    },
  );

  it('WALK-023 of several concurrent uses of one code exactly one is served', async () => {
    const trader = await aTrader();
    const code = await mailCode(trader, withdraw);
    const servedBefore = servedCount;
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send(withdraw, trader, { code, amount: String(n + 1) })),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(1);
    expect(servedCount).toBe(servedBefore + 1);
  });

  it('WALK-023 a refused request returns its code; the repeated request may use its own code again', async () => {
    const trader = await aTrader();
    const code = await mailCode(trader, withdraw);
    const key = { 'idempotency-key': 'once' };
    for (let n = 0; n < 6; n += 1) {
      expect(await send(withdraw, trader, { code, amount: '0' }, key)).toMatchObject({ code: -7 });
      await exchange.advanceTime(1_000);
    }
    expect((await send(withdraw, trader, { code }, key)).code).toBe(1);
    // The client repeats the request because it did not receive the response. The server recognizes the idempotency key
    // and returns the first response, although the code is used up.
    expect((await send(withdraw, trader, { code }, key)).code).toBe(1);
    const secondKey = { 'idempotency-key': 'twice' };
    expect(await send(withdraw, trader, { code }, secondKey)).toMatchObject({ code: -5 });
    const otherCode = await mailCode(trader, bookAddress);
    expect((await send(bookAddress, trader, { code: otherCode }, key)).code).toBe(1);
    expect(await send(bookAddress, trader, { code: otherCode }, key)).toMatchObject({ code: -5 });
  });
});
