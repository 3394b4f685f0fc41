import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { eventually } from '../../../../testing/eventually.ts';
import type { TestExchange } from '../../../../testing/exchange.ts';
import type { FundTerms } from '../domain.ts';

const d = (text: string): Decimal => Decimal.parse(text);

/**
 * The default terms of funds in tests: a unit is worth 100 USDT when BTC costs 50,000 and ETH 2,500 USDT; `overrides`
 * replace some terms.
 */
export function fundTerms(code: string, overrides: Partial<FundTerms> = {}): FundTerms {
  return {
    code,
    name: { 'en-US': `Fund ${code}`, 'zh-CN': `基金 ${code}` },
    asset: 'USDT',
    constituents: [
      { symbol: 'btcusdt', weight: d('0.1') },
      { symbol: 'ethusdt', weight: d('2') },
    ],
    documents: [
      { title: { 'en-US': 'Terms', 'zh-CN': '条款' }, text: { 'en-US': 'A test.', 'zh-CN': '测试。' } },
    ],
    divisor: d('100'),
    leverages: [1, 2, 3],
    minAmount: d('10'),
    step: d('0.001'),
    isOpen: true,
    manageRate: d('0.0001'),
    financeRate: d('0.0005'),
    mmr: d('0.01'),
    liqFee: d('0.005'),
    ...overrides,
  };
}

/** Publishes a fund, funds the accounts that pay profits and insurance, and returns the id of the fund. */
export async function createFund(
  exchange: TestExchange,
  code: string,
  overrides: Partial<FundTerms> = {},
): Promise<string> {
  const { funds } = exchange.doors.fund;
  await funds.fund('fund', 'USDT', d('1000000'), 'demo');
  await funds.fund('insurance', 'USDT', d('10000'), 'demo');
  const { id } = await funds.publish(fundTerms(code, overrides), { by: 'test', reason: 'a test' });
  return id;
}

/** Buys a fund position for a user, waits until it executes at a unit value, and returns the id of the position. */
export async function createHolding(
  exchange: TestExchange,
  owner: UserId,
  fund: string,
  { margin = '100', leverage = 2 } = {},
): Promise<string> {
  const { funds } = exchange.doors.fund;
  const { orderId } = await funds.buy(owner, { fund, margin: d(margin), leverage });
  await eventually(async () => {
    const { list } = await funds.positions(owner, 'holding', { pageNo: 1, pageSize: 50 });
    const status = list.find(({ position }) => position.id === orderId)?.position.status;
    if (status !== 'holding') throw new Error('not bought yet');
  });
  return orderId;
}

/**
 * Buys two fund positions and takes them through a partial sale, a limit sell order, added margin, a liquidation, a
 * day's costs, and the closing of the fund.
 */
export async function runFundStory(exchange: TestExchange): Promise<void> {
  const { funds, jobs } = exchange.doors.fund;
  const { id: owner } = await exchange.aUser({ USDT: '1000' });
  const fund = await createFund(exchange, 'story');
  const first = await createHolding(exchange, owner, fund, { leverage: 3 });
  const second = await createHolding(exchange, owner, fund, { leverage: 2 });
  const sale = { position: second, quantity: d('1'), price: undefined, isLimit: false };
  await funds.sell(owner, sale);
  await funds.sell(owner, { ...sale, quantity: d('0.5'), price: d('500'), isLimit: true });
  await funds.addMargin(owner, second, d('10'));
  await funds.judgeForDemo(owner, fund, first, { t: later(exchange.clock.now(), 1_000), value: d('60') });
  await exchange.advanceTime(DAY_MS);
  await jobs.settle();
  await funds.close('story', { by: 'test', reason: 'a test' });
  await eventually(async () => {
    const { total } = await funds.positions(owner, 'exited', { pageNo: 1, pageSize: 10 });
    if (total === 0) throw new Error('not closed yet');
  });
}
