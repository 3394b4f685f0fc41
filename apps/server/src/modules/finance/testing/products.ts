import { Decimal } from '@exchange/core/decimal.ts';
import { later } from '@exchange/core/time.ts';
import { financeProducts } from '@exchange/wire/finance.ts';
import { CODE_TYPES, sendEmailCode, setTradePassword } from '@exchange/wire/user.ts';
import { anAddress } from '../../../../testing/calling.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { ProductTerms } from '../domain.ts';
import { AGREEMENT_VERSION } from '../domain.ts';

export const TRADE_PASSWORD = '294716';
const VERIFIED = 2;

/**
 * The default terms of a product in tests: 100 to 1,000 USDT, 7 days, 0.1 % a day; `overrides` replace some of them.
 */
export function terms(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProductTerms> = {},
): ProductTerms {
  return {
    code,
    asset: 'USDT',
    period: 7,
    dailyRate: Decimal.parse('0.001'),
    payMode: 'maturity',

    startAmount: Decimal.parse('100'),
    maxAmount: Decimal.parse('1000'),
    capacity: Decimal.parse('100000'),
    isManual: false,
    opensAt: later(exchange.clock.now(), -1_000),
    closesAt: undefined,
    name: { 'en-US': `Fixed ${code}`, 'zh-CN': `定期 ${code}` },
    source: { 'en-US': 'The house.', 'zh-CN': '平台。' },
    agreementVersion: AGREEMENT_VERSION,
    ...overrides,
  };
}

/** Publishes a product, funds the account that pays its interest, and returns the id of the product. */
export async function createProduct(
  exchange: TestExchange,
  code: string,
  overrides: Partial<ProductTerms> = {},
  funded = '1000000',
): Promise<string> {
  const { finance } = exchange.doors.finance;
  const productTerms = terms(exchange, code, overrides);
  await finance.fund(productTerms.asset, Decimal.parse(funded), 'demo');
  const { id } = await finance.publish(productTerms, { by: 'test', reason: 'a test' });
  return id;
}

/** Registers a user with the given funds who may buy products: verified, with a trade password. */
export async function createSaver(
  exchange: TestExchange,
  funds: Readonly<Record<string, string>>,
): Promise<TestTrader> {
  const saver = await exchange.aUser(funds);
  // The code is requested from another IP address, because only twenty codes an hour may be requested from one address.
  await exchange.call(
    sendEmailCode,
    { email: saver.email, type: CODE_TYPES.tradePassword },
    { token: saver.token, address: anAddress() },
  );
  const mail = await fetch(`${exchange.url}/dev/mail.json?to=${saver.email}`);
  const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
  await saver.request(setTradePassword, {
    assetsPwd: TRADE_PASSWORD,
    confirmAssetsPwd: TRADE_PASSWORD,
    code: list[0]!.code!,
  });
  await exchange.database.pool.query('update user_account set kyc_status = $2 where id = $1', [
    saver.id,
    VERIFIED,
  ]);
  return saver;
}

/** The fields of a request to buy the product `id` for `amount`. */
export function purchase(id: string, amount: string) {
  return { id, amount, agree: '1', agreementVersion: AGREEMENT_VERSION, assetsPwd: TRADE_PASSWORD } as const;
}

/** The product with this id as the list shows it to a user. */
export async function listedProduct(saver: TestTrader, id: string) {
  const { list } = await saver.request(financeProducts, { pageSize: '100' });
  return list.find((product) => product.id === id)!;
}
