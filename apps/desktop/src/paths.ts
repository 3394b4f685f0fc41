import type { MessagePlace } from '@exchange/core/message-place.ts';
import { numberOfTab, type AccountTab } from '@exchange/web-kit/account/account-tabs.ts';
import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { resolvedBy } from '@exchange/web-kit/shell/guard.ts';

/**
 * Every address of the desktop site, below its base path. The spellings are those that links in the wild
 * already have; nothing else in the app spells them.
 */

export const BASE_PATH = '/pc';
export const LEGAL_PAGES = ['us', 'connect', 'protocol', 'legal', 'policy'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export const paths = {
  home: '/main',
  market: '/market',
  trade: '/trade',
  seconds: '/scontract',
  finance: { root: '/finance', list: '/finance/list', record: '/finance/record' },
  subscribe: {
    root: '/subscribe',
    list: '/subscribe/list',
    detail: '/subscribe/detail',
    preview: '/subscribe/preview',
    record: '/subscribe/record',
  },
  mining: { root: '/pool', list: '/pool/list', record: '/pool/record' },
  fund: { root: '/fund', list: '/fund/list', record: '/fund/record', detail: '/fund/detail' },
  account: {
    root: '/account',
    assets: '/account/assert/2',
    assetsOf: '/account/assert/:account',
    deposit: '/account/recharge',
    withdraw: '/account/withdrawel',
    convert: '/account/dui',
    trades: '/account/trade',
    allTrades: '/account/trade?type=4',
    /** What products paid and took, newest first. */
    productTrades: '/account/trade?type=3',
    /** One order as links from the mobile site name it. */
    order: '/account/order',
  },
  setting: {
    root: '/setting',
    security: '/setting/safty',
    freeze: '/setting/freeze',
    verify: '/setting/verify',
    identity: '/setting/verify?type=2',
    address: '/setting/address',
    invite: '/setting/invite',
    messages: '/setting/message',
    message: '/setting/msg-detail',
    messageSettings: '/setting/msg-setting',
    start: '/setting/start',
  },
  login: {
    root: '/login',
    login: '/login/login',
    register: '/login/register',
    forget: '/login/forget',
    modify: '/login/modify',
  },
  announcements: '/about/announcements',
  withdrawalTimes: '/about/withdrawals',
  fees: '/about/fees',
  proofs: '/about/proofs',
  about: { root: '/about', us: '/about/us', page: (page: LegalPage): string => `/about/${page}` },
} as const;

/** The screens of a group that opens on one of them: `/` shows `/main`, `/finance` shows `/finance/list` … */
export const REDIRECTS: readonly (readonly [from: string, to: string])[] = [
  ['/', paths.home],
  ['/home', paths.home],
  [paths.finance.root, paths.finance.list],
  [paths.subscribe.root, paths.subscribe.list],
  [paths.account.root, paths.account.assets],
  [paths.setting.root, paths.setting.security],
  [paths.mining.root, paths.mining.list],
  [paths.fund.root, paths.fund.list],
  [paths.login.root, paths.login.login],
  [paths.about.root, paths.about.us],
  // Addresses of the mobile site alone lead to the screen that has the same here.
  ['/my', paths.setting.security],
  ['/account/coin', paths.account.assets],
  ['/setting/devices', paths.setting.security],
  ['/setting/trade-password', paths.setting.security],
  ['/setting/alerts', paths.market],
];

/** Where a redirect of the table leads, or the path itself. */
export function resolved(pathname: string): string {
  return resolvedBy(REDIRECTS, pathname);
}

/** One of a person's accounts. */
export function accountPath(tab: AccountTab): string {
  return `/account/assert/${numberOfTab(tab)}`;
}

/** The trading screen of a pair, as deep links name it: `/trade?symbol=BTC_USDT`. */
export function tradePath(pair: { readonly base: string; readonly quote: string }): string {
  return `${paths.trade}?symbol=${linkOf(pair)}`;
}

/** The ticket on which somebody buys for the first time: at market, by what it costs. */
export const FIRST_TRADE = `${tradePath({ base: 'BTC', quote: 'USDT' })}&kind=market`;

/** The records with the details of one order open, as a link to it is copied. */
export function orderPath(id: string): string {
  return `${paths.account.trades}?order=${encodeURIComponent(id)}`;
}

/** The records with the details of one finance or mining order open. */
export function holdingPath(id: string, part: 'finance' | 'mining'): string {
  return `${paths[part].record}?order=${encodeURIComponent(id)}`;
}

/** The seconds contract with what one settled position was settled by. */
export function secondsResultPath(id: string): string {
  return `${paths.seconds}?order=${encodeURIComponent(id)}`;
}

const PLACE_PATHS: Readonly<Partial<Record<MessagePlace, string>>> = {
  start: paths.setting.start,
  security: paths.setting.security,
  verification: paths.setting.verify,
  agreements: paths.about.us,
  support: paths.about.page('connect'),
  invitations: paths.setting.invite,
  fund: paths.fund.record,
  seconds: paths.seconds,
  launchpad: paths.subscribe.record,
  deposits: paths.account.deposit,
  withdrawals: paths.account.withdraw,
  statement: paths.account.productTrades,
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
  return `${paths.fund.detail}?id=${encodeURIComponent(id)}`;
}

/** One project of a subscription; before its sale as a preview. */
export function projectPath(id: string, isBefore: boolean): string {
  return `${isBefore ? paths.subscribe.preview : paths.subscribe.detail}?id=${encodeURIComponent(id)}`;
}

/** What there is to know of a pair: a view of its trading screen. */
export function infoPath(pair: { readonly base: string; readonly quote: string }): string {
  return `${tradePath(pair)}&view=info`;
}

/** The same of the pair that the trading screen begins with. */
export const DEFAULT_INFO = infoPath({ base: 'BTC', quote: 'USDT' });

/** How a result is verified, among the articles of the help. */
export const VERIFY_HELP = `${paths.about.page('connect')}?article=seconds-verify`;

/** The licenses of what the site is made of; a file and no screen. */
export const LICENSES = `${BASE_PATH}/third-party-licenses.md`;
