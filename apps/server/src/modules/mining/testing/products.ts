import { Decimal } from '@exchange/core/decimal.ts';
import { later } from '@exchange/core/time.ts';
import { miningProducts } from '@exchange/wire/mining.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { ProductTerms } from '../domain.ts';
import { AGREEMENT_VERSION } from '../domain.ts';

/**
 * The default terms of a mining product in tests: 100 to 1,000 USDT, 7 days, 0.1 % a day; `overrides` replace some of
 * them.
 */
export function terms(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProductTerms> = {},
): ProductTerms {
  return {
    code,
    asset: 'USDT',
    cycle: 7,
    dailyRate: Decimal.parse('0.001'),
    closesAt: undefined,
    startAmount: Decimal.parse('100'),
    maxAmount: Decimal.parse('1000'),
    capacity: Decimal.parse('100000'),
    opensAt: later(exchange.clock.now(), -1_000),
    name: { 'en-US': `Mining ${code}`, 'zh-CN': `矿池 ${code}` },
    source: { 'en-US': 'The house.', 'zh-CN': '平台。' },
    agreementVersion: AGREEMENT_VERSION,
    ...overrides,
  };
}

/** Publishes a mining product, funds the account that pays its income, and returns the id of the product. */
export async function createMiningProduct(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProductTerms> = {},
  funded = '1000000',
): Promise<string> {
  const { mining } = exchange.doors.mining;
  const productTerms = terms(exchange, code, overrides);
  await mining.fund(productTerms.asset, Decimal.parse(funded), 'demo');
  return (await mining.publish(productTerms, { by: 'test', reason: 'a test' })).id;
}

/** The mining product with this id as the list shows it to a user. */
export async function listedMiningProduct(trader: TestTrader, id: string) {
  const { list } = await trader.request(miningProducts, { pageSize: '100' });
  return list.find((product) => product.id === id)!;
}
