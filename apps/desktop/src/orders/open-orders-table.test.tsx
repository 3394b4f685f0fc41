import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { orderRecords } from '@exchange/wire/spot.ts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';
import { OrdersPanel } from '../trade/orders-panel.tsx';
import { OpenOrdersTable } from './open-orders-table.tsx';

const fixtures = setUpFixtures();
const AT = new Date(2026, 10, 21, 21, 38, 5).getTime();
const ORDER = {
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tradeType: 1,
  orderType: 'limit',
  price: '100.5',
  amount: '2',
  total: '',
  filledAmount: '0',
  status: 0,
  stopStatus: '',
  stopPrice: '',
  groupId: '',
  entryId: '',
  exitStatus: '',
  postOnly: 0,
  timeInForce: 'GTC',
  expireTime: 0,
  createTime: AT,
};

it('DESK-127 DESK-128 shows time in force, worth and the time of an order to the second', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const list = [
    { ...ORDER, id: '4' },
    { ...ORDER, id: '3', postOnly: 1 },
    { ...ORDER, id: '2', timeInForce: 'GTT', expireTime: AT + 60_000 },
    { ...ORDER, id: '1', timeInForce: 'GTT', expireTime: AT + 60_000, postOnly: 1 },
  ];
  fixtures.answers(({ path }) => (path.endsWith(orderRecords.path) ? { list, totalRow: 4, sum: 4 } : {}));
  draw(<OpenOrdersTable filter={{}} digitsOf={() => ({ price: 2, amount: 5 })} onOpen={() => undefined} />);
  const [titles = [], ...rows] = (await screen.findAllByRole('row')).map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  const column = (title: string) => rows.map((cells) => cells[titles.indexOf(title)]);
  expect(column('Type')).toEqual(['Limit', 'Limit', 'Limit', 'Limit']);
  expect(column('TIF')).toEqual(['GTC', 'Post-only', 'Until 11/21, 21:39', 'Until 11/21, 21:39 · Post-only']);
  expect(column('Total')[0]).toBe('201.00');
  expect(column('Time')[0]).toBe('11/21, 21:38:05');
});

it('DESK-164 lists an OCO once among stop orders, where either row cancels both legs', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const leg = { ...ORDER, groupId: 'g', cancelledAmount: '0', trailPct: '', direction: '' };
  const list = [
    { ...leg, id: '3', orderType: 'stopMarket', stopStatus: 'waiting', stopPrice: '90', price: '' },
    { ...leg, id: '2' },
    { ...leg, id: '1', groupId: '', entryId: '', exitStatus: '' },
  ];
  fixtures.answers(({ path }) => (path.endsWith(orderRecords.path) ? { list, totalRow: 3, sum: 3 } : {}));
  const user = draw(<OrdersPanel pair={PAIR} />);
  expect(await screen.findByRole('tab', { name: /\(1\)$/, selected: true })).toBeTruthy();
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await user.click(screen.getAllByRole('tab')[1]!);
  expect(screen.getByRole('tab', { selected: true }).textContent).toContain('(1)');
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(screen.getAllByRole('button', { name: /^Cancel both legs/ })).toHaveLength(2);
});

it('DESK-129 shows visitors the login, which returns to this screen', () => {
  draw(<OrdersPanel pair={PAIR} />);
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(
    '/login/login?from=%2Ftrade%3Fsymbol%3DBTC_USDT',
  );
});
