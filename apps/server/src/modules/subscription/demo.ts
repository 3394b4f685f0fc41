import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, later, type Instant } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import { AGREEMENT_VERSION, type ByLocale, type ProjectTerms } from './domain.ts';
import type { Subscription } from './service.ts';

/** What the demo's projects are made of; days are counted from the first start. */
interface Row {
  readonly code: string;
  readonly symbol: string;
  readonly name: ByLocale;
  readonly about: ByLocale;
  readonly supply: string;
  readonly issue: string;
  readonly ratio: string;
  readonly cap: string;
  readonly softCap?: string;
  readonly start: number;
  readonly end: number;
  readonly list: number;
  readonly lockDays: number;
  readonly linearDays: number;
  /** What savers of the house and the demo trader commit, in USDT. */
  readonly savers: readonly string[];
  readonly own?: string;
}

const ROWS: readonly Row[] = [
  {
    ...{
      code: 'lumen-grid',
      symbol: 'LGRID',
      supply: '1000000000',
      issue: '20000000',
      ratio: '200',
      cap: '2000000',
    },
    name: { 'en-US': 'Lumen Grid', 'zh-CN': '光网' },
    about: {
      'en-US': 'A fictional network that shares surplus solar power between neighbors.',
      'zh-CN': '虚构项目：邻里之间共享富余太阳能的网络。',
    },
    ...{
      start: -1,
      end: 2,
      list: 4,
      lockDays: 7,
      linearDays: 90,
      savers: ['30000', '12000', '5000'],
      own: '1500',
    },
  },
  {
    ...{
      code: 'harbor-index',
      symbol: 'HARB',
      supply: '500000000',
      issue: '5000000',
      ratio: '50',
      cap: '500000',
    },
    name: { 'en-US': 'Harbor Index', 'zh-CN': '港湾指数' },
    about: {
      'en-US': 'A fictional record of container ports that anybody can read and check.',
      'zh-CN': '虚构项目：任何人可查阅和验证的集装箱港口记录。',
    },
    ...{ start: 3, end: 6, list: 8, lockDays: 0, linearDays: 30, savers: [] },
  },
  {
    ...{
      code: 'orchard',
      symbol: 'ORCH',
      supply: '200000000',
      issue: '4000000',
      ratio: '100',
      cap: '400000',
    },
    name: { 'en-US': 'Orchard', 'zh-CN': '果园' },
    about: {
      'en-US': 'A fictional market for harvests that are still growing.',
      'zh-CN': '虚构项目：尚在生长的农产品交易市场。',
    },
    ...{ start: -30, end: -26, list: -24, lockDays: 5, linearDays: 60 },
    ...{ savers: ['50000', '30000', '7000'], own: '2000' },
  },
  {
    ...{
      code: 'tidewell',
      symbol: 'TIDE',
      supply: '300000000',
      issue: '3000000',
      ratio: '20',
      cap: '300000',
    },
    name: { 'en-US': 'Tidewell', 'zh-CN': '潮井' },
    about: {
      'en-US': 'A fictional pool of desalination rights. Its sale missed the soft cap and was refunded.',
      'zh-CN': '虚构项目：海水淡化权益池。未达软顶，已全额退款。',
    },
    ...{ softCap: '100000', start: -20, end: -17, list: -15, lockDays: 0, linearDays: 0 },
    ...{ savers: ['8000', '3000'], own: '500' },
  },
];
const TOKENOMICS: ByLocale = {
  'en-US':
    'Sale 2%\n\nCommunity 38%, over four years\n\nTeam 20%, locked for one year, then over three\n\nTreasury 40%',
  'zh-CN': '申购 2%\n\n社区 38%，四年释放\n\n团队 20%，锁定一年后三年释放\n\n金库 40%',
};
const WHITEPAPER: ByLocale = {
  'en-US':
    'This project is fictional and exists for the demo alone. Nothing is built and nothing is owed.\n\nPurpose: to show a sale from the first commitment to the last release of tokens, with every number that a participant can check.',
  'zh-CN':
    '本项目为虚构，仅用于演示，不涉及任何开发或义务。\n\n目的：完整展示一次申购，从首笔认购到最后一次代币释放，参与者可核对每个数字。',
};
const BY = { by: 'demo', reason: 'the demo’s projects' };

/** Seeds a demo by the same commands as anybody's; each part is there once, however often the demo starts. */
export async function seedSubscription(
  subscription: Subscription,
  advance: () => Promise<void>,
  { fund, systemUser, trader, now }: Demo,
): Promise<void> {
  const known = new Map((await subscription.projects()).map(({ project }) => [project.code, project]));
  for (const row of ROWS) {
    if (known.has(row.code)) continue;
    const terms = termsOf(row, now);
    await subscription.publish(terms, BY);
    for (const [at, amount] of row.savers.entries()) {
      const saver = await systemUser(`subscriber-${at + 1}`);
      await fund(saver, [{ asset: 'USDT', amount: Decimal.parse(amount) }]);
      await subscription.commitForHouse(
        saver,
        row.code,
        Decimal.parse(amount),
        later(terms.startAt, HOUR_MS),
      );
    }
    if (row.own !== undefined)
      await subscription.commitForHouse(
        trader,
        row.code,
        Decimal.parse(row.own),
        later(terms.startAt, HOUR_MS),
      );
  }
  await advance();
}

function termsOf(row: Row, now: Instant): ProjectTerms {
  const at = (days: number) => later(now, days * DAY_MS);
  return {
    ...{ code: row.code, symbol: row.symbol, name: row.name, about: row.about, tokenomics: TOKENOMICS },
    ...{ whitepaper: WHITEPAPER, totalSupply: Decimal.parse(row.supply) },
    ...{ issueAmount: Decimal.parse(row.issue), ratio: Decimal.parse(row.ratio) },
    ...{ hardCapUser: Decimal.parse(row.cap), tokenDigits: 2, quote: 'USDT', quoteDigits: 8 },
    ...{ minAmount: Decimal.ofWhole(100), maxAmount: Decimal.ofWhole(50_000) },
    softCap: row.softCap === undefined ? undefined : Decimal.parse(row.softCap),
    ...{ startAt: at(row.start), endAt: at(row.end), listAt: at(row.list) },
    ...{ lockDays: row.lockDays, linearDays: row.linearDays, agreementVersion: AGREEMENT_VERSION },
  };
}
