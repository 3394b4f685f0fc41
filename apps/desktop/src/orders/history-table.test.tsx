import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { orderRecords } from '@exchange/wire/spot.ts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { HistoryTable } from './history-table.tsx';

const fixtures = setUpFixtures();

function ended(id: string, overrides: object) {
  return {
    id,
    clientId: '',
    groupId: '',
    symbol: 'btcusdt',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tradeType: 1,
    orderType: 'limit',
    timeInForce: 'GTC',
    postOnly: 0,
    price: '95000',
    stopPrice: '',
    direction: '',
    trailPct: '',
    activationPrice: '',
    activatedTime: 0,
    takeProfitPrice: '',
    stopLossPrice: '',
    stopLossLimitPrice: '',
    amount: '0.002',
    total: '',
    filledAmount: '0.0015',
    filledTotal: '142.5',
    avgPrice: '95000',
    fee: '0.0000015',
    feeCoin: 'BTC',
    status: 4,
    reason: 'user',
    expireTime: 0,
    triggeredTime: 0,
    createTime: 1_800_000_000_000,
    updateTime: 1_800_000_000_000,
    ...overrides,
  };
}

it.each([true, false])(
  'WEB-964 order history shows the ordered next to the filled amount (dense: %s)',
  async (dense) => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const list = [
      ended('1', {}),
      ended('2', {
        orderType: 'market',
        price: '',
        amount: '',
        total: '100',
        filledTotal: '99.99',
        status: 2,
      }),
    ];
    fixtures.answers(({ path }) => (path.endsWith(orderRecords.path) ? { list, sum: 2, pageNo: 1 } : {}));
    draw(
      <HistoryTable
        filter={{}}
        isNarrowed={false}
        digitsOf={() => ({ price: 2, amount: 5, total: 2 })}
        onOpen={() => undefined}
        dense={dense}
      />,
    );
    const [, limit, market] = await screen.findAllByRole('row');
    expect(limit!.textContent).toMatch(/0\.00150(\s*\/\s*)?.*0\.00200\s*BTC|0\.00200\s*BTC.*0\.00150/);
    expect(limit!.textContent).toContain('95,000.00');
    expect(market!.textContent).toMatch(dense ? /99\.99\s*\/\s*100\.00\s*USDT/ : /100\.00\s*USDT.*99\.99/);
  },
);
