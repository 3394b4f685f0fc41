import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { submitProof } from './deposit.ts';
import { buyFinance, financeDetail } from './finance.ts';
import { accountEvents, tradeRecords } from './portfolio.ts';
import { convertQuote } from './convert.ts';
import { createChase } from './chase.ts';
import { createGrid } from './grid.ts';
import { createIceberg } from './iceberg.ts';
import { createLadder } from './ladder.ts';
import { createTwap } from './twap.ts';
import { createRecurring, recurringBuys } from './recurring.ts';
import { quoteSmallBalances, smallBalances } from './small-balances.ts';
import { exportRecords } from './export.ts';
import { fundNav, addFundMargin } from './fund.ts';
import { kline } from './market.ts';
import { readPush, renewPush, subscribePush } from './push.ts';
import { pastOrders } from './fill-explanation.ts';
import { proofCheckpoints, proofTape } from './proof.ts';
import { inclusion } from './proofs.ts';
import { recordedPart } from './recorded-book.ts';
import { DURATION_FIELD } from './seconds.ts';
import { submitVerify } from './kyc.ts';
import { subAccountTransfers, transferSubAccount } from './sub-account.ts';
import { amendOrder, createOrder, spotMovements, cancelOrder, createOco } from './spot.ts';
import { commitToProject, reduceCommitment } from './subscription.ts';
import {
  updatePassword,
  forgetPassword,
  login,
  register,
  sendEmailCode,
  sendForgetCode,
  sendTradePasswordCode,
  setTradePassword,
  updateProfile,
  userInfo,
} from './user.ts';
import { addAlert } from './watchlist.ts';
import { apiKeys, createApiKey, createWithdrawalKey, revokeApiKey, revokeApiKeys } from './api-key.ts';
import { debts } from './treasury.ts';
import { addAddress, sendWithdrawalCode, submitWithdrawal, withdrawalQuote } from './withdrawal.ts';
import type { Endpoint } from './endpoint.ts';
import type * as z from 'zod/mini';

const HOUR_MS = 3_600_000;

/** An example of a secret: 32 bytes as URL-safe Base64. */
const SECRET = 'A'.repeat(43);

/** Example values by name of the request field. `exceptionsAt` contains the values that differ for some endpoints. */
const VALUES: Readonly<Record<string, string>> = {
  passkey: '{}',
  credential: '{}',
  isLast: '0',
  about: 'email=walker%40example.com',
  account: 'walker@example.com',
  act: '/user/updateEmail',
  auth: 'AAAAAAAAAAAAAAAAAAAAAA',
  activationPrice: '52000',
  address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
  addressId: '00000000-0000-7000-8000-000000000000',
  agree: '1',
  agreementVersion: AGREEMENT_VERSIONS.finance,
  all: '1',
  amount: '0.001',
  assetsPwd: '258036',
  baseCoin: 'BTC',
  channels: 'inbox,mail',
  challenge: '16.mi8x3k2a.AAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  clientId: 'walk',
  code: '123456',
  coin: 'BTC',
  coins: 'BTC:60,ETH:40',
  ended: '0',
  eventId: '1-BTC',
  method: 'fifo',
  cost: '100',
  report: 'gains',
  frequency: 'week',
  monthDay: '1',
  time: '09:30',
  timeZone: 'Europe/Berlin',
  weekday: '1',
  condition: 'lte',
  confirmAssetsPwd: '258036',
  confirmPassword: 'Jasmine4river',
  country: 'CN',
  dayLoss: '100',
  days: '30',
  currency: 'USDT',
  deviceId: 'device',
  direction: 'gte',
  email: 'walker@example.com',
  endpoint: 'https://push.example.com/send/walker',
  entryStatus: '0',
  fee: '1',
  fileKind: 'result',
  format: 'csv',
  from: 'USDT',
  fromAmount: '10',
  googleCode: '123456',
  ids: '00000000-0000-7000-8000-000000000000',
  icon: '00000000-0000-7000-8000-000000000000',
  id: '00000000-0000-7000-8000-000000000000',
  idCard: '11010519491231002X',
  idCardPhotoPositive: '00000000-0000-7000-8000-000000000000',
  idCardPhotoReverseSide: '00000000-0000-7000-8000-000000000000',
  invitationCode: 'ABCDEFGH',
  kind: 'orders',
  kinds: 'fills,alerts',
  lang: 'en-US',
  inbox: '1',
  language: 'en-US',
  leverage: '2',
  limitPrice: '49000',
  margin: '100',
  mail: '1',
  maxStake: '100',
  module: 'contract',
  memo: '12345',
  withdrawalLimit: '1000',
  withoutMemo: '0',
  recipientOwn: '0',
  recipientName: 'Ada Lovelace',
  recipientProvider: 'Example Exchange',
  name: 'finance',
  nonce: SECRET,
  note: 'walked',
  points: '5',
  proof: '00000000-0000-7000-8000-000000000000',
  network: 'TRC20',
  newCode: '123456',
  newPassword: 'Jasmine5river',
  nickname: 'Walker123',
  openAmount: '5',
  on: '1',
  orderId: '00000000-0000-7000-8000-000000000000',
  oldAssetsPwd: '258037',
  oldPassword: 'Jasmine4river',
  orderType: 'limit',
  p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  pageNo: '1',
  pageSize: '10',
  paramName: 'APP_NAME',
  pauseMinutes: '15',
  windowMinutes: '15',
  minutes: '60',
  slippage: '0.5',
  average: 'ema',
  averagePeriod: '20',
  sell: '1',
  sellAtEnd: '1',
  averageSlow: '50',
  averageLevel: '70',
  averageTimer: '60min',
  orderPrice: '48000',
  orderAmount: '0.001',
  password: 'Jasmine4river',
  [DURATION_FIELD]: '60',
  addresses: '203.0.113.7',
  trade: '1',
  transfer: '0',
  transferKind: 'deposit',
  query: '0.001',
  postOnly: '0',
  price: '49000',
  privacyVersion: AGREEMENT_VERSIONS.privacy,
  purpose: 'identity',
  quantity: '1',
  quietFrom: '1320',
  quietTo: '420',
  quoteCoin: 'USDT',
  quoteId: '00000000-0000-7000-8000-000000000000',
  readFlag: '0',
  reason: 'lost',
  remark: 'TRC20',
  repeat: '0',
  salePrice: '120',
  sellType: '2',
  sessionMinutes: '60',
  size: '10',
  subAccount: '00000000-0000-7000-8000-000000000000',
  solution: '0000107422',
  source: 'last',
  status: '1',
  startTime: '0',
  stopLimitPrice: '51100',
  distance: '0.5',
  lowerPrice: '48000',
  upperPrice: '52000',
  levels: '9',
  investment: '1000',
  spacing: 'equal',
  visible: '0.005',
  fromPrice: '49000',
  toPrice: '48000',
  count: '5',
  sizes: 'equal',
  stopLossLimitPrice: '46900',
  stopLossPrice: '47000',
  stopPrice: '51000',
  stp: 'cancelTaker',
  takeProfitPrice: '52000',
  symbol: 'btcusdt',
  text: 'lilac garden',
  topic: 'account',
  content: 'Where do I see my limits?',
  ticket: 'ticket',
  timeInForce: 'GTC',
  timer: '1min',
  to: 'BTC',
  toAmount: '10',
  token: 'token',
  total: '10',
  termsVersion: AGREEMENT_VERSIONS.user,
  tradeType: '1',
  trailPct: '2',
  type: '1',
  unproven: '1',
  userId: 'walker',
  version: '1',
};

/**
 * Example values of time fields, which depend on `now`: milliseconds UTC, except for `year` and `day` (such
 * as `2026-01-31`).
 */
function timeValuesAt(now: number): Readonly<Record<string, string>> {
  return {
    acquireTime: String(now - 24 * HOUR_MS),
    year: String(new Date(now).getUTCFullYear()),
    coolUntil: String(now + HOUR_MS),
    expireTime: String(now + HOUR_MS),
    day: new Date(now).toISOString().slice(0, 10),
    endTime: String(now),
    hour: String(now - (now % HOUR_MS) - HOUR_MS),
  };
}

/**
 * Returns the example values at the time `now` that differ from `VALUES`, by path of the endpoint and field
 * name. An undefined value omits the field, for example because it conflicts with other fields of the
 * example.
 */
function exceptionsAt(now: number): Readonly<Record<string, Readonly<Record<string, string | undefined>>>> {
  const second = now - (now % 1_000);
  return {
    [proofTape.path]: { from: String(second - 60_000), to: String(second) },
    [recordedPart.path]: { at: String(now - 120_000), seq: undefined },
    [pastOrders.path]: { startTime: String(now - HOUR_MS), endTime: String(now) },
    [proofCheckpoints.path]: { from: String(now - HOUR_MS) },
    [withdrawalQuote.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [submitWithdrawal.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [sendWithdrawalCode.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [sendTradePasswordCode.path]: { act: setTradePassword.path },
    [addAddress.path]: { memo: undefined },
    [submitVerify.path]: { name: 'Li Ming' },
    [inclusion.path]: { subAccount: undefined },
    [apiKeys.path]: { subAccount: undefined },
    [createApiKey.path]: { expireTime: '0', publicKey: undefined, subAccount: undefined },
    [createWithdrawalKey.path]: { expireTime: '0', publicKey: undefined },
    [revokeApiKey.path]: { subAccount: undefined },
    [revokeApiKeys.path]: { subAccount: undefined },
    [transferSubAccount.path]: { from: undefined, to: VALUES['id']!, coin: 'USDT' },
    [subAccountTransfers.path]: { id: undefined },
    [updatePassword.path]: { confirmPassword: VALUES['newPassword']! },
    [spotMovements.path]: { type: 'spot.traded' },
    [tradeRecords.path]: { account: 'spot' },
    [debts.path]: { status: 'open' },
    [accountEvents.path]: { event: 'trade', entry: undefined },
    [kline.path]: { endTime: String(second / 1_000) },
    [fundNav.path]: { endTime: String(second / 1_000) },
    [convertQuote.path]: { toAmount: undefined },
    [createRecurring.path]: { amount: '10', monthDay: undefined },
    [recurringBuys.path]: { id: undefined },
    [subscribePush.path]: { token: SECRET },
    [readPush.path]: { token: SECRET },
    [renewPush.path]: { token: SECRET },
    [smallBalances.path]: { to: 'USDT' },
    [quoteSmallBalances.path]: { coins: 'BTC', to: 'USDT' },
    [exportRecords.path]: { startTime: String(now - 24 * HOUR_MS) },
    // The example amends a limit order in the order book, which has no trigger price.
    [amendOrder.path]: { stopPrice: undefined },
    [addAlert.path]: {
      windowMinutes: undefined,
      average: undefined,
      averagePeriod: undefined,
      averageSlow: undefined,
      averageLevel: undefined,
      averageTimer: undefined,
      tradeType: undefined,
      orderType: undefined,
      orderPrice: undefined,
      orderAmount: undefined,
    },
    [createOrder.path]: {
      total: undefined,
      stopPrice: undefined,
      direction: undefined,
      trailPct: undefined,
      activationPrice: undefined,
      expireTime: undefined,
      takeProfitPrice: undefined,
      stopLossPrice: undefined,
      stopLossLimitPrice: undefined,
    },
  };
}

/**
 * Returns further example requests of endpoints that accept several kinds of requests, by path of the
 * endpoint.
 */
function additionalFormsAt(
  now: number,
): Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> {
  const expireTime = timeValuesAt(now)['expireTime']!;
  return {
    [createOrder.path]: [
      {
        orderType: 'stopLimit',
        price: '51100',
        stopPrice: VALUES['stopPrice']!,
        direction: 'gte',
        timeInForce: 'GTT',
        expireTime,
      },
      {
        takeProfitPrice: VALUES['takeProfitPrice']!,
        stopLossPrice: VALUES['stopLossPrice']!,
        stopLossLimitPrice: VALUES['stopLossLimitPrice']!,
      },
    ],
    [addAlert.path]: [
      {
        condition: 'move',
        price: '5',
        windowMinutes: VALUES['windowMinutes']!,
        tradeType: 'buy',
        orderType: 'limit',
        orderPrice: VALUES['orderPrice']!,
        orderAmount: VALUES['orderAmount']!,
      },
    ],
  };
}

/**
 * Names of the fields with cursors. A cursor is a value from an earlier response, so examples omit these
 * fields and request the first page.
 */
const PAGING_FIELDS: ReadonlySet<string> = new Set(['anchor', 'after']);

/** Returns the names of the request fields of an endpoint. */
export function fieldNames(endpoint: Endpoint): string[] {
  return Object.keys((endpoint.fields as z.ZodMiniObject).shape);
}

/**
 * The time-dependent example values for the last `now`; cached because a document about the API uses one `now` for all
 * endpoints.
 */
let latest:
  | {
      readonly now: number;
      readonly times: ReturnType<typeof timeValuesAt>;
      readonly exceptions: ReturnType<typeof exceptionsAt>;
    }
  | undefined;

/**
 * Returns valid example values of the request fields of an endpoint, for the API page and for tests that run
 * over all endpoints. Omits cursors, the passkey if there is an email code, and fields that conflict with
 * others. Values of time fields depend on `now`, in milliseconds UTC. Throws for a field without an example
 * value.
 */
export function exampleOf(endpoint: Endpoint, now: number): Record<string, string> {
  if (latest?.now !== now) latest = { now, times: timeValuesAt(now), exceptions: exceptionsAt(now) };
  const { times } = latest;
  const exceptions = latest.exceptions[endpoint.path] ?? {};
  const names = fieldNames(endpoint);
  const entries = names.flatMap((name) => {
    // If the endpoint accepts both, the example contains the email code and omits the passkey, which would
    // replace the code.
    if (name === 'passkey' && names.includes('code')) return [];
    const value = times[name] ?? VALUES[name];
    if (PAGING_FIELDS.has(name)) return [];
    if (name in exceptions) return exceptions[name] === undefined ? [] : [[name, exceptions[name]] as const];
    if (value === undefined)
      throw new Error(`${endpoint.path} has a new field ${name}: add an example value`);
    return [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the example requests of an endpoint: one for each kind of request that it accepts. */
export function examplesOf(endpoint: Endpoint, now: number): Record<string, string>[] {
  const first = exampleOf(endpoint, now);
  return [first, ...(additionalFormsAt(now)[endpoint.path] ?? []).map((fields) => ({ ...first, ...fields }))];
}

/**
 * By path of the endpoint: request fields that the prefilled form omits, because only the user knows their values or
 * the request does not need them.
 */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  [register.path]: ['invitationCode', 'ticket'],
  [forgetPassword.path]: ['ticket'],
  [login.path]: ['googleCode'],
  [sendEmailCode.path]: ['challenge', 'solution'],
  [sendForgetCode.path]: ['challenge', 'solution'],
  [userInfo.path]: ['token', 'userId'],
  [updateProfile.path]: ['icon'],
  [cancelOrder.path]: ['clientId'],
};

/** Example values for the demo, by path of the endpoint: values that its market, products and networks accept. */
const DEMO_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [createOrder.path]: { price: '90000' },
  [createOco.path]: { limitPrice: '90000', stopPrice: '105000', stopLimitPrice: '105500' },
  [createLadder.path]: { fromPrice: '90000', toPrice: '88000', count: '5', amount: '0.05' },
  [createChase.path]: { amount: '0.05', distance: '0.5', minutes: '60' },
  [createGrid.path]: {
    lowerPrice: '90000',
    upperPrice: '105000',
    levels: '9',
    investment: '1000',
    slippage: '1',
    stopLossPrice: '85000',
    takeProfitPrice: '110000',
  },
  [createIceberg.path]: { price: '90000', amount: '0.05', visible: '0.01' },
  [createTwap.path]: { amount: '0.05', minutes: '60', count: '12', slippage: '0.5' },
  [amendOrder.path]: {
    price: '91000',
    takeProfitPrice: '105000',
    stopLossPrice: '85000',
    stopLossLimitPrice: '84500',
  },
  [addAlert.path]: { price: '90000' },
  [financeDetail.path]: { amount: '100' },
  [buyFinance.path]: { amount: '100' },
  [addFundMargin.path]: { amount: '10' },
  [commitToProject.path]: { amount: '100' },
  [reduceCommitment.path]: { amount: '10' },
  [submitProof.path]: { network: 'BEP20', amount: '100' },
};

/**
 * Returns the values with which the API page prefills the request form of an endpoint. In a demo the request
 * can be sent as it is, except for codes and for IDs of the caller's own objects.
 */
export function prefilledExampleOf(endpoint: Endpoint, now: number): Record<string, string> {
  const form = { ...exampleOf(endpoint, now), ...DEMO_VALUES[endpoint.path] };
  const absent = OMITTED[endpoint.path] ?? [];
  return Object.fromEntries(Object.entries(form).filter(([name]) => !absent.includes(name)));
}
