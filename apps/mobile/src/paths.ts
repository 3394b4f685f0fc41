import type { MessagePlace } from '@exchange/core/message-place.ts';
import { numberOfTab, type AccountTab } from '@exchange/web-kit/account/account-tabs.ts';
import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { resolvedBy } from '@exchange/web-kit/shell/guard.ts';

/** Every address of the mobile site: the same as on the desktop, so that links keep their meaning. Nothing else spells them. */
export const paths = {
  home: '/main',
  market: '/market',
  trade: '/trade',
  assets: '/account/assert/2',
  assetsOf: '/account/assert/:account',
  my: '/my',
  seconds: '/scontract',
  finance: '/finance/list',
  financeRecord: '/finance/record',
  subscribe: '/subscribe/list',
  subscribeDetail: '/subscribe/detail',
  subscribePreview: '/subscribe/preview',
  subscribeRecord: '/subscribe/record',
  mining: '/pool/list',
  miningRecord: '/pool/record',
  fund: '/fund/list',
  fundDetail: '/fund/detail',
  fundRecord: '/fund/record',
  coin: '/account/coin',
  deposit: '/account/recharge',
  withdraw: '/account/withdrawel',
  convert: '/account/dui',
  records: '/account/trade',
  /** What products paid and took, newest first. */
  productRecords: '/account/trade?type=3',
  order: '/account/order',
  security: '/setting/safty',
  freeze: '/setting/freeze',
  tradePassword: '/setting/trade-password',
  devices: '/setting/devices',
  alerts: '/setting/alerts',
  verify: '/setting/verify',
  address: '/setting/address',
  invite: '/setting/invite',
  messages: '/setting/message',
  message: '/setting/msg-detail',
  messageSettings: '/setting/msg-setting',
  start: '/setting/start',
  login: '/login/login',
  register: '/login/register',
  forget: '/login/forget',
  modify: '/login/modify',
  announcements: '/about/announcements',
  withdrawalTimes: '/about/withdrawals',
  fees: '/about/fees',
  proofs: '/about/proofs',
  about: '/about/us',
  contact: '/about/connect',
  terms: '/about/protocol',
  legal: '/about/legal',
  privacy: '/about/policy',
} as const;

/** Addresses that open another one. */
export const REDIRECTS: readonly (readonly [from: string, to: string])[] = [
  ['/', paths.home],
  ['/home', paths.home],
  ['/finance', paths.finance],
  ['/subscribe', paths.subscribe],
  ['/pool', paths.mining],
  ['/fund', paths.fund],
  ['/account', paths.assets],
  ['/setting', paths.my],
  ['/login', paths.login],
  ['/about', paths.about],
];

/** Where a redirect of the table leads, or the path itself. */
export function resolved(pathname: string): string {
  return resolvedBy(REDIRECTS, pathname);
}

/** One of a person's accounts. */
export function accountPath(tab: AccountTab): string {
  return `/account/assert/${numberOfTab(tab)}`;
}

/** The trading screen of a pair. */
export function tradePath(pair: { readonly base: string; readonly quote: string }): string {
  return `${paths.trade}?symbol=${linkOf(pair)}`;
}

/** The chart of a pair, on its trading screen. */
export function chartPath(pair: { readonly base: string; readonly quote: string }): string {
  return `${tradePath(pair)}&view=chart`;
}

/** Everything about one coin that somebody has. */
export function coinPath(coin: string): string {
  return `${paths.coin}?coin=${encodeURIComponent(coin)}`;
}

/** A pair's chart or information, on the trading screen so that visitors may see it. */
export type PairView = 'chart' | 'info';

/** What there is to know of the pair that the trading screen begins with. */
export const DEFAULT_INFO = `${tradePath({ base: 'BTC', quote: 'USDT' })}&view=info`;

/** The ticket on which somebody buys for the first time: at market, by what it costs. */
export const FIRST_TRADE = `${tradePath({ base: 'BTC', quote: 'USDT' })}&kind=market`;

/** One order with its fills. */
export function orderPath(id: string): string {
  return `${paths.order}?id=${encodeURIComponent(id)}`;
}

/** The finance or mining records with the details of one order open. */
export function holdingPath(id: string, part: 'finance' | 'mining'): string {
  return `${paths[`${part}Record`]}?order=${encodeURIComponent(id)}`;
}

/** The seconds contract with what one settled position was settled by. */
export function secondsResultPath(id: string): string {
  return `${paths.seconds}?order=${encodeURIComponent(id)}`;
}

const PLACE_PATHS: Readonly<Partial<Record<MessagePlace, string>>> = {
  start: paths.start,
  security: paths.security,
  verification: paths.verify,
  agreements: paths.about,
  support: paths.contact,
  invitations: paths.invite,
  fund: paths.fundRecord,
  seconds: paths.seconds,
  launchpad: paths.subscribeRecord,
  deposits: paths.deposit,
  withdrawals: paths.withdraw,
  statement: paths.productRecords,
};

/** Where a message leads; undefined where its text is all there is. */
export function placePath(place: MessagePlace, item: string): string | undefined {
  if (place === 'pair') return `${paths.trade}?symbol=${encodeURIComponent(item)}`;
  if (place === 'order') return orderPath(item);
  if (place === 'finance' || place === 'mining') return holdingPath(item, place);
  if (place === 'seconds' && item !== '') return secondsResultPath(item);
  return PLACE_PATHS[place];
}

/** One leveraged fund. */
export function fundPath(id: string): string {
  return `${paths.fundDetail}?id=${encodeURIComponent(id)}`;
}

/** One project of a subscription; before its sale as a preview. */
export function projectPath(id: string, isBefore: boolean): string {
  return `${isBefore ? paths.subscribePreview : paths.subscribeDetail}?id=${encodeURIComponent(id)}`;
}

/** Which of the lists of orders is shown. */
export const RECORDS_TABS = ['open', 'waiting', 'history', 'fills'] as const;
export type RecordsTab = (typeof RECORDS_TABS)[number];

/** The orders of all pairs. */
export function recordsPath(tab: RecordsTab): string {
  return `${paths.records}?tab=${tab}`;
}

/** One message. */
export function messagePath(id: string): string {
  return `${paths.message}?id=${encodeURIComponent(id)}`;
}

/** How a result is verified, among the articles of the help. */
export const VERIFY_HELP = `${paths.contact}?article=seconds-verify`;

/** The licenses of what the site is made of; a file and no screen. */
export const LICENSES = '/third-party-licenses.md';
