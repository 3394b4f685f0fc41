import type { AccountName } from '@exchange/core/accounts.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { ScreenTitle } from './words/screens.ts';

/** Who can open a screen: everyone, or only signed-in users. */
type Audience = 'everyone' | 'members';

interface Screen {
  /** Path of the screen on both sites, without the base path of the site. */
  readonly path: string;
  /**
   * Further paths that redirect to the screen: the prefix of the group of screens of which it is the first, and paths
   * in old links.
   */
  readonly also?: readonly string[];
  /** Path pattern of a screen whose path has parameters; `path` is then one of the paths that match the pattern. */
  readonly pattern?: string;
  readonly audience: Audience;
  /** Title of the screen; the server inserts it into the page, so that it is there before any script runs. */
  readonly title: ScreenText;
  /** Present if the screen is the first screen of a product; the navigation of both sites links to it. */
  readonly product?: {
    readonly name: ProductName;
    /** The account in which the product's balances are. */
    readonly account: AccountName;
    /**
     * Path of the screen with the user's positions in the product; absent if they are on the product's first screen.
     */
    readonly holdings?: string;
  };
}

/** The title of a screen: a key in `words/screens.ts`, or the name of the screen's product. */
export type ScreenText = ScreenTitle | ProductName;

/** Name of a product in each language, used in the navigation, in lists of accounts and in titles. */
type ProductName = Readonly<Record<Locale, string>>;

const SECONDS = {
  'en-US': 'Seconds',
  'zh-CN': '秒合约',
  'ko-KR': '초단기 계약',
  'ja-JP': '秒コントラクト',
} as const;
const EARN = {
  'en-US': 'Earn',
  'zh-CN': '理财',
  'ko-KR': '예치',
  'ja-JP': '運用',
} as const;
const LAUNCHPAD = {
  'en-US': 'Launchpad',
  'zh-CN': '新币申购',
  'ko-KR': '런치패드',
  'ja-JP': 'ローンチパッド',
} as const;
const MINING = {
  'en-US': 'Mining',
  'zh-CN': '矿池',
  'ko-KR': '채굴',
  'ja-JP': 'マイニング',
} as const;
const FUNDS = {
  'en-US': 'Funds',
  'zh-CN': '基金',
  'ko-KR': '펀드',
  'ja-JP': 'ファンド',
} as const;

/**
 * All screens of the desktop and the mobile site. Both sites use the same paths, so that a link works on either: each
 * site renders the screen or redirects to the screen that replaces it. Some paths are misspelled, because existing
 * links use them.
 */
export const SCREENS = {
  home: { path: '/main', also: ['/', '/home'], audience: 'everyone', title: 'home' },
  market: { path: '/market', audience: 'everyone', title: 'market' },
  trade: { path: '/trade', audience: 'everyone', title: 'trade' },
  desk: { path: '/trade/desk', audience: 'everyone', title: 'desk' },
  replay: { path: '/replay', audience: 'everyone', title: 'replay' },
  seconds: {
    path: '/scontract',
    audience: 'everyone',
    title: 'seconds',
    product: { name: SECONDS, account: 'seconds' },
  },
  finance: {
    path: '/finance/list',
    also: ['/finance'],
    audience: 'everyone',
    title: EARN,
    product: { name: EARN, account: 'finance', holdings: '/finance/record' },
  },
  financeRecord: { path: '/finance/record', audience: 'members', title: EARN },
  subscribe: {
    path: '/subscribe/list',
    also: ['/subscribe'],
    audience: 'everyone',
    title: LAUNCHPAD,
    product: { name: LAUNCHPAD, account: 'subscription', holdings: '/subscribe/record' },
  },
  subscribeDetail: { path: '/subscribe/detail', audience: 'everyone', title: LAUNCHPAD },
  subscribePreview: { path: '/subscribe/preview', audience: 'everyone', title: LAUNCHPAD },
  subscribeRecord: { path: '/subscribe/record', audience: 'members', title: LAUNCHPAD },
  mining: {
    path: '/pool/list',
    also: ['/pool'],
    audience: 'everyone',
    title: MINING,
    product: { name: MINING, account: 'mining', holdings: '/pool/record' },
  },
  miningRecord: { path: '/pool/record', audience: 'members', title: MINING },
  fund: {
    path: '/fund/list',
    also: ['/fund'],
    audience: 'everyone',
    title: FUNDS,
    product: { name: FUNDS, account: 'fund', holdings: '/fund/record' },
  },
  fundDetail: { path: '/fund/detail', audience: 'everyone', title: FUNDS },
  fundRecord: { path: '/fund/record', audience: 'members', title: FUNDS },
  assets: {
    path: '/account/assert/2',
    also: ['/account'],
    pattern: '/account/assert/:account',
    audience: 'members',
    title: 'assets',
  },
  coin: { path: '/account/coin', audience: 'members', title: 'assets' },
  deposit: { path: '/account/recharge', audience: 'members', title: 'deposit' },
  withdraw: { path: '/account/withdrawel', audience: 'members', title: 'withdraw' },
  tracking: { path: '/account/track', audience: 'members', title: 'tracking' },
  convert: { path: '/account/dui', audience: 'members', title: 'convert' },
  recurring: { path: '/account/recurring', audience: 'members', title: 'recurring' },
  smallBalances: { path: '/account/small', audience: 'members', title: 'smallBalances' },
  taxReport: { path: '/account/tax', audience: 'members', title: 'taxReport' },
  records: { path: '/account/trade', audience: 'members', title: 'records' },
  order: { path: '/account/order', audience: 'members', title: 'order' },
  my: { path: '/my', also: ['/setting'], audience: 'members', title: 'my' },
  start: { path: '/setting/start', audience: 'members', title: 'my' },
  security: { path: '/setting/safty', audience: 'members', title: 'security' },
  apiKeys: { path: '/setting/api-keys', audience: 'members', title: 'apiKeys' },
  tradePassword: { path: '/setting/trade-password', audience: 'members', title: 'tradePassword' },
  devices: { path: '/setting/devices', audience: 'members', title: 'devices' },
  freeze: { path: '/setting/freeze', audience: 'everyone', title: 'freeze' },
  alerts: { path: '/setting/alerts', audience: 'members', title: 'alerts' },
  verify: { path: '/setting/verify', audience: 'members', title: 'verify' },
  address: { path: '/setting/address', audience: 'members', title: 'address' },
  invite: { path: '/setting/invite', audience: 'members', title: 'invite' },
  messages: { path: '/setting/message', audience: 'members', title: 'messages' },
  message: { path: '/setting/msg-detail', audience: 'members', title: 'messages' },
  messageSettings: { path: '/setting/msg-setting', audience: 'members', title: 'messages' },
  login: { path: '/login/login', also: ['/login'], audience: 'everyone', title: 'login' },
  register: { path: '/login/register', audience: 'everyone', title: 'register' },
  forget: { path: '/login/forget', audience: 'everyone', title: 'forget' },
  modify: { path: '/login/modify', audience: 'members', title: 'modify' },
  announcements: { path: '/about/announcements', audience: 'everyone', title: 'announcements' },
  withdrawalTimes: { path: '/about/withdrawals', audience: 'everyone', title: 'withdrawalTimes' },
  fees: { path: '/about/fees', audience: 'everyone', title: 'fees' },
  proofs: { path: '/about/proofs', audience: 'everyone', title: 'proofs' },
  about: { path: '/about/us', also: ['/about'], audience: 'everyone', title: 'about' },
  contact: { path: '/about/connect', audience: 'everyone', title: 'contact' },
  terms: { path: '/about/protocol', audience: 'everyone', title: 'terms' },
  legal: { path: '/about/legal', audience: 'everyone', title: 'legal' },
  privacy: { path: '/about/policy', audience: 'members', title: 'privacy' },
} as const satisfies Readonly<Record<string, Screen>>;

export type ScreenName = keyof typeof SCREENS;

/** All screens as pairs of the key in `SCREENS` and the screen, in the sequence of `SCREENS`. */
export const ALL_SCREENS = Object.entries(SCREENS) as readonly (readonly [ScreenName, Screen])[];

/** The products of both sites, in the sequence of the navigation. */
export const PRODUCTS = ALL_SCREENS.flatMap(([screen, { path, product }]) =>
  product === undefined
    ? []
    : [
        {
          screen,
          path,
          name: product.name,
          account: product.account,
          holdings: product.holdings ?? path,
        },
      ],
);

/** Returns all paths of a screen: `path` and the paths in `also`. */
export function addressesOf({ path, also = [] }: Screen): readonly string[] {
  return [path, ...also];
}
