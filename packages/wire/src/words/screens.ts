import type { Locale } from '@exchange/core/locale.ts';

const ENGLISH = {
  home: 'Buy and sell crypto on an exchange you can check',
  market: 'Markets',
  trade: 'Spot trading',
  seconds: 'Seconds contract',
  finance: 'Earn',
  subscribe: 'Launchpad',
  mining: 'Mining',
  fund: 'Funds',
  assets: 'Assets',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  convert: 'Convert',
  records: 'Trade history',
  order: 'Order',
  my: 'My account',
  security: 'Security',
  tradePassword: 'Trade password',
  devices: 'Devices and sessions',
  freeze: 'Freeze account',
  alerts: 'Price alerts',
  verify: 'Identity verification',
  address: 'Address book',
  invite: 'Invite friends',
  messages: 'Messages',
  login: 'Log in',
  register: 'Create your account',
  forget: 'Reset your password',
  modify: 'Change your password',
  about: 'About us',
  contact: 'Contact',
  terms: 'User agreement',
  legal: 'Legal notice',
  privacy: 'Privacy policy',
};
export type ScreenName = keyof typeof ENGLISH;

const CHINESE: Readonly<Record<ScreenName, string>> = {
  home: '可验证的加密货币交易所',
  market: '行情',
  trade: '现货交易',
  seconds: '秒合约',
  finance: '理财',
  subscribe: '新币申购',
  mining: '矿池',
  fund: '基金',
  assets: '资产',
  deposit: '充值',
  withdraw: '提币',
  convert: '闪兑',
  records: '交易记录',
  order: '委托详情',
  my: '我的',
  security: '安全中心',
  tradePassword: '资金密码',
  devices: '登录设备',
  freeze: '冻结账户',
  alerts: '价格提醒',
  verify: '身份认证',
  address: '地址簿',
  invite: '邀请好友',
  messages: '消息',
  login: '登录',
  register: '创建账户',
  forget: '重置密码',
  modify: '修改登录密码',
  about: '关于我们',
  contact: '联系我们',
  terms: '用户协议',
  legal: '法律声明',
  privacy: '隐私政策',
};

/** What a link to a screen is shown as wherever it is shared; `{{pair}}` is a pair as people write it. */
export interface ScreenWords {
  readonly titles: Readonly<Record<ScreenName, string>>;
  readonly description: string;
  readonly pairTitle: string;
  readonly pairDescription: string;
  readonly notFound: string;
}

export const SCREEN_WORDS: Readonly<Record<Locale, ScreenWords>> = {
  'en-US': {
    titles: ENGLISH,
    description:
      'Amethyst, a cryptocurrency exchange with public order books and prices that anybody can check.',
    pairTitle: '{{pair}} spot trading',
    pairDescription: 'Trade {{pair}} on a public order book: live price, chart and deals.',
    notFound: 'Page not found',
  },
  'zh-CN': {
    titles: CHINESE,
    description: 'Amethyst 加密货币交易所：订单簿公开，价格可验证。',
    pairTitle: '{{pair}} 现货交易',
    pairDescription: '在公开订单簿上交易 {{pair}}：实时价格、K 线与最新成交。',
    notFound: '页面不存在',
  },
};
