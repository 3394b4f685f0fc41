import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { GridCard } from '@exchange/web-kit/spot/grid-card.tsx';
import { GridFields } from '@exchange/web-kit/spot/grid-dialog.tsx';
import type { Grid } from '@exchange/web-kit/spot/grids.ts';
import { createGrid } from '@exchange/wire/grid.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, MOMENT, setUpFixtures } from '../../testing/fixtures.tsx';

const fixtures = setUpFixtures();
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const sent = () => fixtures.received.filter(({ path }) => path.endsWith(createGrid.path));
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole<HTMLTableRowElement>('row')
    .slice(1)
    .map(({ cells }) => [...cells].map(({ textContent }) => textContent));

/** The columns of comparisons: their label and their figures. */
const columnsOf = (section: HTMLElement) =>
  [...section.querySelectorAll('dl > div')].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  );

it('GRID-020 GRID-021 previews its orders, costs and worst cases, names the problem at its field, and is sent once', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let started = 0;
  fixtures.answers(({ path }) => (path.endsWith(createGrid.path) ? { id: 'g' } : {}));
  const user = draw(<GridFields moment={MOMENT} onDone={() => (started += 1)} />);
  await user.type(field('Lower price'), '95');
  await user.type(field('Upper price'), '105');
  await user.clear(field('Price levels'));
  await user.type(field('Price levels'), '50');
  await user.type(field('Investment'), '500');
  await user.click(screen.getByRole('button', { name: 'Start grid' }));
  expect(screen.getByRole('alert').textContent).toContain('would earn -0.01 % after fees');
  expect(field('Price levels').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('Price levels'));
  await user.type(field('Price levels'), '5');
  expect(
    cellsOf(screen.getByRole('table')).map(([side, price, amount]) => `${side} ${price} ${amount}`),
  ).toEqual(['Sell 105.00 1.26357', 'Sell 102.50 1.26357', 'Buy 97.50 1.26357', 'Buy 95.00 1.26357']);
  const outcomes = screen.getByRole('region', { name: 'If the price goes straight there' });
  expect([...outcomes.querySelectorAll('p')].slice(0, 3).map(({ textContent }) => textContent)).toEqual([
    'Falls to the lower price · 95.00',
    'Falls to half of it · 47.50',
    'Rises to the upper price · 105.00',
  ]);
  expect(columnsOf(outcomes)).toEqual([
    ['Grid', '−20.08', '−4.01%'],
    ['Holding', '−16.68', '−3.33%'],
    ['All into BTC', '−32.48', '−6.49%'],
    ['Grid', '−260.04', '−52.00%'],
    ['Holding', '−136.72', '−27.34%'],
    ['All into BTC', '−266.24', '−53.24%'],
    ['Grid', '+5.16', '+1.03%'],
    ['Holding', '+8.58', '+1.71%'],
    ['All into BTC', '+16.72', '+3.34%'],
  ]);
  const facts = screen.getAllByRole('definition').filter((fact) => !outcomes.contains(fact));
  expect(facts.map(({ textContent }) => textContent)).toEqual([
    '2.234% – 2.426%',
    '1.26357\u00A0BTC',
    '2 buy, 2 sell',
    '2.52967\u00A0BTC',
    '256.76\u00A0USDT',
    '499.99\u00A0USDT',
    '1,000.00\u00A0USDT',
  ]);
  await user.click(screen.getByRole('button', { name: 'Start grid' }));
  await waitFor(() => expect(started).toBe(1));
  expect(sent()).toHaveLength(1);
  expect(Object.fromEntries(sent()[0]!.fields)).toMatchObject({
    levels: '5',
    spacing: 'equal',
    slippage: '0.5',
  });
});

const GRID: Grid = {
  id: 'g',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  lowerPrice: '90.00',
  upperPrice: '110.00',
  levels: 5,
  spacing: 'equal',
  investment: '1000',
  slippage: '0.5',
  amount: '2',
  startPrice: '100',
  invested: '800',
  startCost: '400',
  startBase: '4',
  startQuote: '400',
  allInBase: '8',
  base: '6',
  quote: '190',
  baseFee: '0.004',
  quoteFee: '0.2',
  rounds: 3,
  gridProfit: '12.5',
  price: '95',
  value: '760',
  profit: '-40',
  holdingValue: '780',
  holdingProfit: '-20',
  allInValue: '760',
  allInProfit: '-40',
  openCount: 4,
  placedCount: 9,
  status: 'ended',
  reason: 'user',
  createTime: 1,
  updateTime: 2,
};

it('GRID-022 shows losses and the difference from holding with the same prominence as gains', () => {
  draw(<GridCard grid={GRID} onOpen={() => undefined} />);
  expect(columnsOf(screen.getByRole('region', { name: 'Value, profit or loss' }))).toEqual([
    ['Grid', '760.00', '−40.00', '−5.00%'],
    ['Holding', '780.00', '−20.00', '−2.50%'],
    ['All into BTC', '760.00', '−40.00', '−5.00%'],
    ['Grid minus holding', '−20.00', '−2.50%'],
    ['Grid minus all into BTC', '0.00', '0.00%'],
  ]);
  expect(screen.getByText('Canceled')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel grid' })).toBeNull();
});
