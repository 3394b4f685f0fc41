import { Decimal } from '@exchange/core/decimal.ts';
import type { PayMode } from '@exchange/core/finance.ts';
import { DAY_MS, later, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import { AGREEMENT_VERSION, type ByLocale, type ProductTerms } from './domain.ts';
import type { Finance } from './service.ts';

/** A product of the demo: code, coin, days, daily rate, minimum, maximum per user, capacity. */
type Row = readonly [string, string, number, string, string, string, string];

const DAILY: readonly Row[] = [
  ['usdt-30', 'USDT', 30, '0.00022', '100', '20000', '5000000'],
  ['eth-60', 'ETH', 60, '0.00009', '0.1', '10', '2000'],
  ['usdt-90', 'USDT', 90, '0.0003', '500', '50000', '200000'],
];
const AT_MATURITY: readonly Row[] = [
  ['usdt-7', 'USDT', 7, '0.00015', '10', '5000', '1000000'],
  ['btc-30', 'BTC', 30, '0.00006', '0.001', '1', '100'],
  ['usdt-14', 'USDT', 14, '0.00018', '50', '10000', '1000000'],
  ['doge-30', 'DOGE', 30, '0.0001', '500', '20000', '40000'],
  ['ltc-60', 'LTC', 60, '0.00008', '1', '20', '1000'],
  ['ada-30', 'ADA', 30, '0.0001', '100', '4000', '100000'],
];
/** Purchases of the demo's simulated savers; with them one product is nearly sold out and another one sold out. */
const SAVERS: readonly (readonly [saver: string, code: string, amount: string])[] = [
  ['saver-1', 'usdt-90', '50000'],
  ['saver-2', 'usdt-90', '50000'],
  ['saver-3', 'usdt-90', '50000'],
  ['saver-4', 'usdt-90', '46500'],
  ['saver-1', 'doge-30', '20000'],
  ['saver-2', 'doge-30', '20000'],
];
/**
 * Purchases of the demo trader: product code, amount, and how many days before the demo's start the purchase is dated.
 */
const TRADER_PURCHASES: readonly (readonly [code: string, amount: string, daysAgo: number])[] = [
  ['usdt-7', '2000', 21],
  ['usdt-14', '1500', 16],
  ['usdt-30', '5000', 12],
  ['btc-30', '0.1', 28],
  ['eth-60', '2', 4],
  ['usdt-7', '1000', 0],
];
/** Amounts to which the demo raises the account that pays interest, by coin. */
const FUNDS: readonly (readonly [asset: string, amount: string])[] = [
  ['USDT', '100000'],
  ['BTC', '2'],
  ['ETH', '50'],
  ['DOGE', '50000'],
  ['LTC', '200'],
  ['ADA', '20000'],
];
const PUBLICATION = { by: 'demo', reason: 'the demo’s products' };
const SOURCE: ByLocale = {
  'en-US': 'Paid by the exchange from its own funds, set aside in advance in an interest account.',
  'zh-CN': '由平台以自有资金支付，资金预先存入专用收益账户。',
  'ko-KR': '거래소가 자체 자금으로 지급하며, 자금은 이자 계좌에 미리 적립되어 있습니다.',
  'ja-JP': '当取引所が自己資金から支払います。資金はあらかじめ利息口座に積み立てられています。',
};

/**
 * Creates the demo's products and orders with the ordinary use cases, each only once also after restarts, and raises
 * the balances that pay interest. An order with an earlier date is bought now, but its term is computed from that date;
 * its ledger entries and credited days have the actual time.
 */
export async function seedFinance(
  finance: Finance,
  settle: () => Promise<void>,
  { attempt, fund, systemUser, trader, now }: Demo,
): Promise<void> {
  const publishedCodes = new Set((await finance.listProducts(undefined)).map(({ product }) => product.code));
  for (const [asset, amount] of FUNDS)
    await attempt(`finance interest ${asset}`, () => finance.fund(asset, Decimal.parse(amount), 'demo'));
  const today = startOfDay(now);
  for (const terms of demoTerms(today))
    if (!publishedCodes.has(terms.code))
      await attempt(`finance product ${terms.code}`, () => finance.publish(terms, PUBLICATION));
  for (const [name, code, amount] of SAVERS) {
    const origin = `demo:${name}:${code}`;
    await attempt(origin, async () => {
      if (await finance.isOpened(origin)) return;
      const owner = await systemUser(name);
      const asset = code.split('-')[0]!.toUpperCase();
      await fund(owner, [{ asset, amount: Decimal.parse(amount) }]);
      const since = later(today, -10 * DAY_MS);
      await finance.buyForSystem(owner, code, Decimal.parse(amount), { origin, since });
    });
  }
  for (const [code, amount, daysAgo] of TRADER_PURCHASES) {
    const origin = `demo:trader:${code}:${daysAgo}`;
    const since = later(now, -daysAgo * DAY_MS);
    await attempt(origin, async () => {
      if (!(await finance.isOpened(origin)))
        await finance.buyForSystem(trader, code, Decimal.parse(amount), { origin, since });
    });
  }
  await settle();
}

function demoTerms(today: Instant): ProductTerms[] {
  const opensAt = later(today, -60 * DAY_MS);
  const products = [
    ...DAILY.map((row) => termsOf(row, 'daily', opensAt)),
    ...AT_MATURITY.map((row) => termsOf(row, 'maturity', opensAt)),
  ];
  return products.map((terms) => {
    if (terms.code === 'usdt-14') return { ...terms, isManual: true };
    if (terms.code === 'ltc-60') return { ...terms, opensAt: later(today, 3 * DAY_MS) };
    if (terms.code === 'ada-30') return { ...terms, closesAt: today };
    return terms;
  });
}

function termsOf(row: Row, payMode: PayMode, opensAt: Instant): ProductTerms {
  const [code, asset, period, dailyRate, startAmount, maxAmount, capacity] = row;
  return {
    code,
    asset,
    period,
    payMode,
    opensAt,
    closesAt: undefined,
    isManual: false,
    source: SOURCE,
    name: {
      'en-US': `${asset} ${period} days`,
      'zh-CN': `${asset} ${period} 天`,
      'ko-KR': `${asset} ${period}일`,
      'ja-JP': `${asset} ${period}日`,
    },
    dailyRate: Decimal.parse(dailyRate),
    startAmount: Decimal.parse(startAmount),
    maxAmount: Decimal.parse(maxAmount),
    capacity: Decimal.parse(capacity),
    agreementVersion: AGREEMENT_VERSION,
  };
}
