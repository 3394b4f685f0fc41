import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { submitProof } from './deposit.ts';
import { buyFinance, financeDetail } from './finance.ts';
import { accountEvents, tradeRecords } from './portfolio.ts';
import { convertQuote } from './convert.ts';
import { exportRecords } from './export.ts';
import { fundNav, addFundMargin } from './fund.ts';
import { kline } from './market.ts';
import { proofCheckpoints, proofTape } from './proof.ts';
import { DURATION_FIELD } from './seconds.ts';
import { submitVerify } from './kyc.ts';
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
import { addAddress, sendWithdrawalCode, submitWithdrawal, withdrawalQuote } from './withdrawal.ts';
import type { Endpoint } from './endpoint.ts';
import type * as z from 'zod/mini';

const HOUR_MS = 3_600_000;

/** A proper value of every field by its name; a call that reads one differently says so below. */
const VALUES: Readonly<Record<string, string>> = {
  about: 'email=walker%40example.com',
  account: 'walker@example.com',
  act: '/user/updateEmail',
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
  withoutMemo: '0',
  name: 'finance',
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
  pageNo: '1',
  pageSize: '10',
  paramName: 'APP_NAME',
  password: 'Jasmine4river',
  [DURATION_FIELD]: '60',
  postOnly: '0',
  price: '49000',
  privacyVersion: AGREEMENT_VERSIONS.privacy,
  purpose: 'identity',
  quantity: '1',
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
  solution: '0000107422',
  status: '1',
  startTime: '0',
  stopLimitPrice: '51100',
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
  userId: 'walker',
  version: '1',
};

/** Proper values of fields that are moments, around `now`. */
function momentsAt(now: number): Readonly<Record<string, string>> {
  return {
    coolUntil: String(now + HOUR_MS),
    expireTime: String(now + HOUR_MS),
    day: new Date(now).toISOString().slice(0, 10),
    endTime: String(now),
    hour: String(now - (now % HOUR_MS) - HOUR_MS),
  };
}

/** Where a field of one call needs another value; undefined leaves it out, because proper fields exclude each other. */
function ownValuesAt(now: number): Readonly<Record<string, Readonly<Record<string, string | undefined>>>> {
  const second = now - (now % 1_000);
  return {
    [proofTape.path]: { from: String(second - 60_000), to: String(second) },
    [proofCheckpoints.path]: { from: String(now - HOUR_MS) },
    [withdrawalQuote.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [submitWithdrawal.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [sendWithdrawalCode.path]: { addressId: undefined, memo: undefined, amount: '10' },
    [sendTradePasswordCode.path]: { act: setTradePassword.path },
    [addAddress.path]: { memo: undefined },
    [submitVerify.path]: { name: 'Li Ming' },
    [updatePassword.path]: { confirmPassword: VALUES['newPassword']! },
    [spotMovements.path]: { type: 'spot.traded' },
    [tradeRecords.path]: { account: 'spot' },
    [accountEvents.path]: { event: 'trade' },
    [kline.path]: { endTime: String(second / 1_000) },
    [fundNav.path]: { endTime: String(second / 1_000) },
    [convertQuote.path]: { toAmount: undefined },
    [exportRecords.path]: { startTime: String(now - 24 * HOUR_MS) },
    // An order that rests on the book.
    [amendOrder.path]: { stopPrice: undefined },
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

/** Calls that mean several things by the fields they carry, one form each beside the first. */
function otherFormsAt(now: number): Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> {
  const expireTime = momentsAt(now)['expireTime']!;
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
  };
}

/** Places in a list come from an earlier answer of the same call: a first form goes without. */
const PLACES: ReadonlySet<string> = new Set(['anchor', 'after']);

/** The names of a call's fields, as it describes them. */
export function fieldNames(endpoint: Endpoint): string[] {
  return Object.keys((endpoint.fields as z.ZodMiniObject).shape);
}

/**
 * A form in which every field of a call has a proper value, for the API page and the tests that walk all calls; moments
 * lie around `now`, in milliseconds UTC. Throws for a field nobody has written down.
 */
export function exampleOf(endpoint: Endpoint, now: number): Record<string, string> {
  const own = ownValuesAt(now)[endpoint.path] ?? {};
  const values = { ...VALUES, ...momentsAt(now) };
  const entries = fieldNames(endpoint).flatMap((name) => {
    const value = values[name];
    if (PLACES.has(name)) return [];
    if (name in own) return own[name] === undefined ? [] : [[name, own[name]] as const];
    if (value === undefined)
      throw new Error(`${endpoint.path} has a new field ${name}: write a value of it down`);
    return [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** A proper form for each thing that a call means. */
export function examplesOf(endpoint: Endpoint, now: number): Record<string, string>[] {
  const first = exampleOf(endpoint, now);
  return [first, ...(otherFormsAt(now)[endpoint.path] ?? []).map((fields) => ({ ...first, ...fields }))];
}

/** Fields that only somebody has who was given them; a form that is sent as it stands goes without. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  [register.path]: ['invitationCode', 'ticket'],
  [forgetPassword.path]: ['ticket'],
  [login.path]: ['googleCode'],
  [sendEmailCode.path]: ['challenge', 'solution'],
  [sendForgetCode.path]: ['challenge', 'solution'],
  [userInfo.path]: ['token', 'userId'],
  [updateProfile.path]: ['icon'],
  [cancelOrder.path]: ['clientId'],
};

/** Prices about those of the demo market, amounts that its products take, and a network that takes proofs there. */
const IN_A_DEMO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [createOrder.path]: { price: '90000' },
  [createOco.path]: { limitPrice: '90000', stopPrice: '105000', stopLimitPrice: '105500' },
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

/** The form that the API page fills in: what a reader of a demo can send as it stands, but for codes and ids of their own. */
export function shownExampleOf(endpoint: Endpoint, now: number): Record<string, string> {
  const form = { ...exampleOf(endpoint, now), ...IN_A_DEMO[endpoint.path] };
  const absent = LEFT_OUT[endpoint.path] ?? [];
  return Object.fromEntries(Object.entries(form).filter(([name]) => !absent.includes(name)));
}
