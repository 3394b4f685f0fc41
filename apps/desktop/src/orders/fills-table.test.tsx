import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { fillRecords } from '@exchange/wire/spot.ts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { FillsTable } from './fills-table.tsx';

const fixtures = setUpFixtures();
const FILL = {
  tradeId: '1',
  orderId: '42',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tradeType: 1,
  price: '100',
  amount: '1',
  total: '100',
  fee: '0.001',
  feeCoin: 'BTC',
  role: 'taker',
  ts: 0,
};

it('DESK-161 a fill links to its order by keyboard', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(fillRecords.path) ? { list: [FILL], sum: 1, pageNo: 1 } : {},
  );
  const opened: string[] = [];
  const user = draw(
    <FillsTable
      filter={{}}
      isNarrowed={false}
      digitsOf={() => ({ price: 2, amount: 5 })}
      onOpen={(id) => opened.push(id)}
    />,
  );
  const button = await screen.findByRole('button', { name: 'Order details' });
  await user.tab();
  while (document.activeElement !== button && document.activeElement !== document.body) await user.tab();
  await user.keyboard('{Enter}');
  await user.keyboard(' ');
  await user.click(screen.getAllByText('100.00')[0]!);
  expect(opened).toEqual(['42', '42', '42']);
});
