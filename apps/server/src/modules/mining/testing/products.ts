import { Decimal } from '@exchange/core/decimal.ts';
import { later } from '@exchange/core/time.ts';
import { miningProducts } from '@exchange/wire/mining.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { ProductTerms } from '../domain.ts';
import { AGREEMENT_VERSION } from '../domain.ts';

/** What every test of a product uses unless it says otherwise: 100 to 1000 USDT, 7 days, 0.1 % a day. */
export function terms(exchange: TestExchange, code: string, own: Partial<ProductTerms> = {}): ProductTerms {
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
    ...own,
  };
}

/** Publishes a product whose income is funded, and gives its id. */
export async function aMine(
  exchange: TestExchange,
  code: string,
  own: Partial<ProductTerms> = {},
  funded = '1000000',
): Promise<string> {
  const { mining } = exchange.doors.mining;
  const asked = terms(exchange, code, own);
  await mining.fund(asked.asset, Decimal.parse(funded), 'demo');
  return (await mining.publish(asked, { by: 'test', reason: 'a test' })).id;
}

/** How a product stands for a caller. */
export async function mineSeenBy(trader: TestTrader, id: string) {
  const { list } = await trader.ask(miningProducts, { pageSize: '100' });
  return list.find((product) => product.id === id)!;
}
