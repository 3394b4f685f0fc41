import { submitProof } from './deposit.ts';
import type { Endpoint } from './endpoint.ts';
import { exampleOf } from './examples.ts';
import { buyFinance, financeDetail } from './finance.ts';
import { addFundMargin } from './fund.ts';
import { amendOrder, cancelOrder, createOco, createOrder } from './spot.ts';
import { commitToProject, reduceCommitment } from './subscription.ts';
import { forgetPassword, login, register, updateProfile, userInfo } from './user.ts';
import { addAlert } from './watchlist.ts';

/** Fields that only somebody has who was given them; a form that is sent as it stands goes without. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  [register.path]: ['invitationCode', 'ticket'],
  [forgetPassword.path]: ['ticket'],
  [login.path]: ['googleCode'],
  [userInfo.path]: ['token', 'userId'],
  [updateProfile.path]: ['icon'],
  [cancelOrder.path]: ['clientId'],
};

/** Prices about those of the demo market, amounts that its products take, and a network that takes proofs there. */
const IN_A_DEMO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [createOrder.path]: { price: '90000' },
  [createOco.path]: { limitPrice: '90000', stopPrice: '105000', stopLimitPrice: '105500' },
  [amendOrder.path]: {
    ...{ price: '91000', takeProfitPrice: '105000' },
    ...{ stopLossPrice: '85000', stopLossLimitPrice: '84500' },
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
