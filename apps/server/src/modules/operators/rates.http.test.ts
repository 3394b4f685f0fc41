import { ceilingsOf } from '@exchange/core/ceilings.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { OPERATIONS } from '@exchange/wire/console/catalogue.ts';
import { operationKey } from '@exchange/wire/operation.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { approveAs, evidenceOf, operateAs } from '../../../testing/operators.ts';
import { createProduct, terms } from '../finance/testing/products.ts';

type Body = Record<string, unknown>;
const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

describe('rates entered by operators', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  const product = (overrides: Record<string, string> = {}) => ({
    asset: 'USDT',
    nameEn: 'Fixed',
    nameZh: '定期',
    sourceEn: 'The house.',
    sourceZh: '平台',
    period: '7',
    dailyRate: '0.001',
    payMode: 'maturity',
    startAmount: '100',
    maxAmount: '1000',
    capacity: '100000',
    manual: '0',
    opensAt: String(exchange.clock.now()),
    closesAt: '',
    reason: 'a try',
    ...overrides,
  });
  const send = (path: string, fields: Record<string, string>) =>
    bodyOf(operateAs(exchange, 'owner', path, fields));

  it('OPS-1120 serves exactly the described operations', () => {
    const served = exchange.operations.map(operationKey).toSorted();
    expect(served).toEqual(OPERATIONS.map(operationKey).toSorted());
  });

  it('OPS-665 every figure of a product’s terms has a maximum, which form, preview and command enforce alike', async () => {
    const products = {
      '/ops/finance/products/:code': 'finance',
      '/ops/mining/products/:code': 'mining',
      '/ops/fund/funds/:code': 'fund',
      '/ops/seconds/terms': 'seconds',
      '/ops/subscription/projects/:code': 'subscription',
    } as const;
    for (const [path, name] of Object.entries(products)) {
      const { fields = {} } = exchange.operations.find(
        (operation) => operation.method === 'POST' && operation.path === path,
      )!;
      const ceilings = ceilingsOf(name);
      const figures = Object.entries(fields).filter(([, { kind }]) =>
        ['decimal', 'percent', 'whole'].includes(kind),
      );
      expect(figures.length).toBeGreaterThan(1);
      for (const [field] of figures) expect([path, field, ceilings.has(field)]).toEqual([path, field, true]);
    }
    const slip = product({ dailyRate: '0.025' });
    const expectedRefusal = { key: 'l.field_max', field: 'dailyRate' };
    for (const path of ['', '/check', '/preview'])
      expect(await send(`/ops/finance/products/slip${path}`, slip)).toMatchObject({
        ...expectedRefusal,
        error: 'Daily rate must be at most 0.2 %. You entered 2.5 %.',
      });
    const { finance } = exchange.doors.finance;
    await expect(
      finance.publish(terms(exchange, 'slip', { dailyRate: Decimal.parse('0.025') }), {
        by: 'a',
        reason: 'b',
      }),
    ).rejects.toThrow('l.field_max');
  });

  it('OPS-666 a value above twice the current one warns both operators and shows the cost', async () => {
    await createProduct(exchange, 'steady', { dailyRate: Decimal.parse('0.0005') });
    const path = '/ops/finance/products/steady';
    expect(await send(`${path}/check`, product({ dailyRate: '0.001' }))).toEqual({
      warnings: [],
      needsCode: true,
    });
    const raised = product({ dailyRate: '0.0011', capacity: '100000' });
    const { warnings } = (await send(`${path}/check`, raised)) as unknown as {
      warnings: { field: string; text: string }[];
    };
    expect(warnings[0]).toEqual({
      field: 'dailyRate',
      text: 'Daily rate 0.11 % is more than twice the 0.05 % in force. 40.15 % APR costs the house 110 USDT a day at full capacity.',
    });
    const { proposal } = (await send(path, raised)) as { proposal: string };
    expect((await evidenceOf(exchange, 'approver', proposal)).warnings).toEqual(warnings);
    expect((await approveAs(exchange, 'approver', proposal)).status).toBe(200);
    // The check compares a new product's rate with that of the best-paying product of its coin.
    const newProductCheck = await send('/ops/finance/products/fresh/check', product({ dailyRate: '0.002' }));
    expect(newProductCheck).toEqual({ warnings: [], needsCode: true });
  });
});
