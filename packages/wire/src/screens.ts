import type { ScreenName } from './words/screens.ts';

/** The screens of both sites by their addresses, below the site's own; a phone may open any of them. */
export const SCREENS: Readonly<Record<ScreenName, readonly string[]>> = {
  home: ['/', '/main', '/home'],
  market: ['/market'],
  trade: ['/trade'],
  seconds: ['/scontract'],
  finance: ['/finance', '/finance/list', '/finance/record'],
  subscribe: [
    '/subscribe',
    '/subscribe/list',
    '/subscribe/detail',
    '/subscribe/preview',
    '/subscribe/record',
  ],
  mining: ['/pool', '/pool/list', '/pool/record'],
  fund: ['/fund', '/fund/list', '/fund/detail', '/fund/record'],
  assets: ['/account'],
  deposit: ['/account/recharge'],
  withdraw: ['/account/withdrawel'],
  convert: ['/account/dui'],
  records: ['/account/trade'],
  order: ['/account/order'],
  my: ['/my', '/setting', '/setting/start'],
  security: ['/setting/safty'],
  tradePassword: ['/setting/trade-password'],
  devices: ['/setting/devices'],
  freeze: ['/setting/freeze'],
  alerts: ['/setting/alerts'],
  verify: ['/setting/verify'],
  address: ['/setting/address'],
  invite: ['/setting/invite'],
  messages: ['/setting/message', '/setting/msg-detail', '/setting/msg-setting'],
  login: ['/login', '/login/login'],
  register: ['/login/register'],
  forget: ['/login/forget'],
  modify: ['/login/modify'],
  announcements: ['/about/announcements'],
  withdrawalTimes: ['/about/withdrawals'],
  about: ['/about', '/about/us'],
  contact: ['/about/connect'],
  terms: ['/about/protocol'],
  legal: ['/about/legal'],
  privacy: ['/about/policy'],
};

/** The assets of one of the accounts. */
export const ACCOUNT_SCREEN = /^\/account\/assert\/[^/]+$/;
