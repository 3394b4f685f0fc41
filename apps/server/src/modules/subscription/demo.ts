import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, later, type Instant } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import { AGREEMENT_VERSION, type ByLocale, type ProjectTerms } from './domain.ts';
import type { Subscription } from './service.ts';

/** A demo token sale; `start`, `end` and `list` are days from the publication of its terms, negative for earlier. */
interface Row {
  readonly code: string;
  readonly symbol: string;
  /** The name of the token sale project, which is the same in every language. */
  readonly name: string;
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
  /** The commitments of the exchange's savers and of the demo trader, in USDT. */
  readonly savers: readonly string[];
  readonly traderAmount?: string;
}

const ROWS: readonly Row[] = [
  {
    code: 'lumen-grid',
    symbol: 'LGRID',
    supply: '1000000000',
    issue: '20000000',
    ratio: '200',
    cap: '2000000',
    name: 'Lumen Grid',
    about: {
      'en-US': 'A fictional network that shares surplus solar power between neighbors.',
      'zh-CN': '虚构项目：邻里之间共享富余太阳能的网络。',
      'ko-KR': '가상 프로젝트: 이웃끼리 남는 태양광 전력을 나누는 네트워크.',
      'ja-JP': '架空のプロジェクト：余った太陽光電力を近隣で分け合うネットワーク。',
    },

    start: -1,
    end: 2,
    list: 4,
    lockDays: 7,
    linearDays: 90,
    savers: ['30000', '12000', '5000'],
    traderAmount: '1500',
  },
  {
    code: 'harbor-index',
    symbol: 'HARB',
    supply: '500000000',
    issue: '5000000',
    ratio: '50',
    cap: '500000',
    name: 'Harbor Index',
    about: {
      'en-US': 'A fictional record of container ports that anyone can read and verify.',
      'zh-CN': '虚构项目：人人可查阅、可验证的集装箱港口记录。',
      'ko-KR': '가상 프로젝트: 누구나 읽고 확인할 수 있는 컨테이너 항만 기록.',
      'ja-JP': '架空のプロジェクト：誰でも閲覧・検証できるコンテナ港の記録。',
    },
    start: 3,
    end: 6,
    list: 8,
    lockDays: 0,
    linearDays: 30,
    savers: [],
  },
  {
    code: 'orchard',
    symbol: 'ORCH',
    supply: '200000000',
    issue: '4000000',
    ratio: '100',
    cap: '400000',
    name: 'Orchard',
    about: {
      'en-US': 'A fictional market for harvests that are still growing.',
      'zh-CN': '虚构项目：尚在生长的农产品交易市场。',
      'ko-KR': '가상 프로젝트: 아직 자라고 있는 농산물을 거래하는 시장.',
      'ja-JP': '架空のプロジェクト：生育中の農産物を取引する市場。',
    },
    start: -30,
    end: -26,
    list: -24,
    lockDays: 5,
    linearDays: 60,
    savers: ['50000', '30000', '7000'],
    traderAmount: '2000',
  },
  {
    code: 'tidewell',
    symbol: 'TIDE',
    supply: '300000000',
    issue: '3000000',
    ratio: '20',
    cap: '300000',
    name: 'Tidewell',
    about: {
      'en-US': 'A fictional pool of desalination rights. Its sale missed the soft cap and was refunded.',
      'zh-CN': '虚构项目：海水淡化权益池。未达软顶，已全额退还。',
      'ko-KR': '가상 프로젝트: 해수 담수화 권리 풀. 소프트캡에 미달하여 전액 환불되었습니다.',
      'ja-JP': '架空のプロジェクト：海水淡水化の権利プール。ソフトキャップに達せず、全額返金されました。',
    },
    softCap: '100000',
    start: -20,
    end: -17,
    list: -15,
    lockDays: 0,
    linearDays: 0,
    savers: ['8000', '3000'],
    traderAmount: '500',
  },
];
const TOKENOMICS: ByLocale = {
  'en-US':
    'Sale 2%\n\nCommunity 38%, released over four years\n\nTeam 20%, locked for one year, then released over three\n\nTreasury 40%',
  'zh-CN': '申购 2%\n\n社区 38%，四年释放\n\n团队 20%，锁定一年后三年释放\n\n金库 40%',
  'ko-KR': '판매 2%\n\n커뮤니티 38%, 4년간 해제\n\n팀 20%, 1년 락업 후 3년간 해제\n\n재단 40%',
  'ja-JP':
    '販売 2%\n\nコミュニティ 38%（4年かけて解除）\n\nチーム 20%（1年ロック後、3年かけて解除）\n\nトレジャリー 40%',
};
const WHITEPAPER: ByLocale = {
  'en-US':
    'This project is fictional and exists only in this demo. Nothing is being built, and nothing is owed.\n\nPurpose: to show a token sale from the first commitment to the last release, with every number a participant can verify.',
  'zh-CN':
    '本项目为虚构，仅供演示，不涉及任何实际开发，也不产生任何义务。\n\n目的：完整展示一次申购，从首笔认购到最后一次代币释放，参与者可核对每个数字。',
  'ko-KR':
    '이 프로젝트는 데모만을 위한 가상 프로젝트입니다. 실제로 개발하는 것은 없으며, 어떤 의무도 지지 않습니다.\n\n목적: 첫 청약부터 마지막 토큰 해제까지, 참여자가 모든 숫자를 확인할 수 있는 청약 과정을 보여 줍니다.',
  'ja-JP':
    '本プロジェクトは架空のもので、デモのためだけに存在します。実際の開発は行われず、いかなる義務も生じません。\n\n目的：最初の申込から最後のトークン解除まで、参加者が検証できるすべての数字とともに、一連の流れを示すこと。',
};
/**
 * The demo savers that trade a sold token after its listing. They own only tokens that a sale allocated to them and
 * that they have claimed.
 */
export const TOKEN_TRADERS = { maker: saverName(0), takers: saverName(1) } as const;

const PUBLICATION = { by: 'demo', reason: 'the demo’s projects' };

/**
 * Creates the demo's token sales through the ordinary use cases. When the server starts again, no sale or commitment is
 * made twice, but the demo users claim the tokens that the vesting schedule has released since the last start.
 */
export async function seedSubscription(
  subscription: Subscription,
  advance: () => Promise<void>,
  { attempt, fund, once, systemUser, trader, now }: Demo,
): Promise<void> {
  const publishedByCode = new Map(
    (await subscription.projects()).map(({ project }) => [project.code, project]),
  );
  for (const row of ROWS) {
    const published = publishedByCode.get(row.code);
    const terms = termsOf(row, now);
    const isPublished =
      published !== undefined ||
      (await attempt(`project ${row.code}`, () => subscription.publish(terms, PUBLICATION)));
    if (!isPublished) continue;
    const since = later(published?.startAt ?? terms.startAt, HOUR_MS);
    for (const [index, amount] of row.savers.entries())
      await once(`project ${row.code} saver ${index + 1}`, async () => {
        const saver = await systemUser(saverName(index));
        await fund(saver, [{ asset: 'USDT', amount: Decimal.parse(amount) }]);
        await subscription.commitForDemo(saver, row.code, Decimal.parse(amount), since);
      });
    const { traderAmount } = row;
    if (traderAmount !== undefined)
      await once(`project ${row.code} trader`, () =>
        subscription.commitForDemo(trader, row.code, Decimal.parse(traderAmount), since),
      );
  }
  await advance();
  const traderNames = new Set(Object.values(TOKEN_TRADERS));
  // Demo users claim tokens at every start of the server, because the vesting schedule releases more tokens as time
  // passes.
  for (const { code } of ROWS)
    for (const name of traderNames)
      await attempt(`project ${code} tokens of ${name}`, async () =>
        subscription.claimForDemo(await systemUser(name), code),
      );
}

function saverName(index: number): string {
  return `subscriber-${index + 1}`;
}

function inEveryLanguage(name: string): ByLocale {
  return { 'en-US': name, 'zh-CN': name, 'ko-KR': name, 'ja-JP': name };
}

function termsOf(row: Row, now: Instant): ProjectTerms {
  const inDays = (days: number) => later(now, days * DAY_MS);
  return {
    code: row.code,
    symbol: row.symbol,
    name: inEveryLanguage(row.name),
    about: row.about,
    tokenomics: TOKENOMICS,
    whitepaper: WHITEPAPER,
    totalSupply: Decimal.parse(row.supply),
    issueAmount: Decimal.parse(row.issue),
    ratio: Decimal.parse(row.ratio),
    hardCapUser: Decimal.parse(row.cap),
    tokenDigits: 2,
    quote: 'USDT',
    quoteDigits: 8,
    minAmount: Decimal.ofWhole(100),
    maxAmount: Decimal.ofWhole(50_000),
    softCap: row.softCap === undefined ? undefined : Decimal.parse(row.softCap),
    startAt: inDays(row.start),
    endAt: inDays(row.end),
    listAt: inDays(row.list),
    lockDays: row.lockDays,
    linearDays: row.linearDays,
    agreementVersion: AGREEMENT_VERSION,
  };
}
