import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import { AGREEMENT_VERSION, type ByLocale, type ProductTerms } from './domain.ts';
import type { Mining } from './service.ts';

/**
 * A mining product of the demo: code, coin, days of the cycle, daily rate as a fraction and, in units of the
 * coin, minimum purchase, maximum per user and capacity.
 */
type Row = readonly [string, string, number, string, string, string, string];

const PRODUCTS: readonly Row[] = [
  ['btc-30', 'BTC', 30, '0.00008', '0.001', '1', '100'],
  ['btc-90', 'BTC', 90, '0.00011', '0.01', '2', '50'],
  ['ltc-7', 'LTC', 7, '0.0001', '1', '200', '20000'],
  ['doge-15', 'DOGE', 15, '0.00015', '500', '20000', '20000'],
  ['ltc-60', 'LTC', 60, '0.00014', '5', '400', '50000'],
  ['doge-30', 'DOGE', 30, '0.00016', '500', '20000', '2000000'],
];
/**
 * Purchases of the demo trader: product code, amount in units of the product's coin, how many days before the
 * demo's first start the purchase is dated, and whether the order is redeemed.
 */
const TRADER_PURCHASES: readonly (readonly [
  code: string,
  amount: string,
  daysAgo: number,
  isRedeemed?: true,
])[] = [
  ['ltc-7', '4', 24, true],
  ['ltc-7', '6', 11],
  ['ltc-7', '9', 10],
  ['btc-30', '0.05', 19],
  ['doge-30', '2000', 0],
];
/**
 * Amounts, in units of the coin, to which every start of the demo raises the balance of the account that pays
 * mining income.
 */
const FUNDS: readonly (readonly [asset: string, amount: string])[] = [
  ['BTC', '2'],
  ['LTC', '400'],
  ['DOGE', '20000'],
];
const PUBLICATION = { by: 'demo', reason: 'the demo’s products' };
const SOURCE: ByLocale = {
  'en-US':
    'Paid by the exchange from its own funds at a fixed rate, set aside in advance in an income account. No mining machines are behind it.',
  'zh-CN': '由平台以自有资金按固定利率支付，资金预先存入专用收益账户，背后没有实体矿机。',
  'ko-KR':
    '거래소가 자체 자금으로 고정 수익률에 따라 지급하며, 자금은 수익 계좌에 미리 적립되어 있습니다. 실제 채굴기는 없습니다.',
  'ja-JP':
    '当取引所が自己資金から固定利率で支払います。資金はあらかじめ収益口座に積み立てられており、実際のマイニングマシンはありません。',
};

/**
 * Creates the demo's products and orders with the ordinary use cases, each only once, also after restarts.
 * Every call raises the balances that pay income to the amounts in `FUNDS` if they are lower. An order with
 * an earlier date is bought now, but its cycle is computed from that date.
 */
export async function seedMining(
  mining: Mining,
  settle: () => Promise<void>,
  { attempt, fund, systemUser, trader, now }: Demo,
): Promise<void> {
  const publishedCodes = new Set((await mining.listProducts(undefined)).map(({ product }) => product.code));
  for (const [asset, amount] of FUNDS)
    await attempt(`mining income ${asset}`, () => mining.fund(asset, Decimal.parse(amount), 'demo'));
  const today = startOfDay(now);
  for (const row of PRODUCTS)
    if (!publishedCodes.has(row[0]))
      await attempt(`mining product ${row[0]}`, () => mining.publish(termsOf(row, today), PUBLICATION));
  await attempt('demo:miner:doge-15', async () => {
    if ((await mining.findByOrigin('demo:miner:doge-15')) !== undefined) return;
    const miner = await systemUser('miner-1');
    const amount = Decimal.parse('20000');
    await fund(miner, [{ asset: 'DOGE', amount }]);
    const house = { origin: 'demo:miner:doge-15', since: later(today, -5 * DAY_MS) };
    await mining.buyForSystem(miner, 'doge-15', amount, house);
  });
  for (const [code, amount, daysAgo] of TRADER_PURCHASES) {
    const house = { origin: originOf(code, daysAgo), since: later(now, -daysAgo * DAY_MS) };
    await attempt(house.origin, async () => {
      if ((await mining.findByOrigin(house.origin)) === undefined)
        await mining.buyForSystem(trader, code, Decimal.parse(amount), house);
    });
  }
  await settle();
  for (const [code, , daysAgo, isRedeemed] of TRADER_PURCHASES) {
    if (isRedeemed !== true) continue;
    await attempt(`redeem ${originOf(code, daysAgo)}`, async () => {
      const order = await mining.findByOrigin(originOf(code, daysAgo));
      if (order !== undefined) await mining.redeem(trader, order.id);
    });
  }
}

function originOf(code: string, daysAgo: number): string {
  return `demo:trader:mining:${code}:${daysAgo}`;
}

function termsOf(row: Row, today: Instant): ProductTerms {
  const [code, asset, cycle, dailyRate, startAmount, maxAmount, capacity] = row;
  return {
    code,
    asset,
    cycle,
    source: SOURCE,
    agreementVersion: AGREEMENT_VERSION,
    name: {
      'en-US': `${asset} mining ${cycle} days`,
      'zh-CN': `${asset} 矿池 ${cycle} 天`,
      'ko-KR': `${asset} 채굴 ${cycle}일`,
      'ja-JP': `${asset}マイニング ${cycle}日`,
    },
    dailyRate: Decimal.parse(dailyRate),
    startAmount: Decimal.parse(startAmount),
    maxAmount: Decimal.parse(maxAmount),
    capacity: Decimal.parse(capacity),
    opensAt: later(today, code === 'ltc-60' ? 4 * DAY_MS : -90 * DAY_MS),
    closesAt: code === 'btc-90' ? today : undefined,
  };
}
