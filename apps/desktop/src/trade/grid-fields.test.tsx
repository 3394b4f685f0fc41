import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { GridCard } from '@exchange/web-kit/spot/grid-card.tsx';
import { GridFields } from '@exchange/web-kit/spot/grid-dialog.tsx';
import type { Grid } from '@exchange/web-kit/spot/grids.ts';
import { cancelGrid, createGrid } from '@exchange/wire/grid.ts';
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

/** Text of each result that the preview of a grid compares, such as `Holding`: its label and its figures. */
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
  stopLossPrice: '',
  takeProfitPrice: '',
  sellAtEnd: 0,
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
  soldBase: '0',
  soldQuote: '0',
  status: 'ended',
  reason: 'user',
  createTime: 1,
  updateTime: 2,
};

it('GRID-022 shows losses and the difference from holding with the same prominence as gains', () => {
  draw(<GridCard grid={GRID} look="floating" onOpen={() => undefined} />);
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

it('GRID-023 GRID-028 shows the results at its exit prices with the sale, and a wrong exit price at its field', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => (path.endsWith(createGrid.path) ? { id: 'g' } : {}));
  const user = draw(<GridFields moment={MOMENT} onDone={() => undefined} />);
  await user.type(field('Lower price'), '95');
  await user.type(field('Upper price'), '105');
  await user.clear(field('Price levels'));
  await user.type(field('Price levels'), '5');
  await user.type(field('Investment'), '500');
  await user.type(field('Stop-loss price'), '95');
  await user.type(field('Take-profit price'), '106');
  await user.click(screen.getByRole('button', { name: 'Start grid' }));
  expect(screen.getByRole('alert').textContent).toMatch(/must be below 95\.00\sUSDT/);
  expect(field('Stop-loss price').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('Stop-loss price'));
  await user.type(field('Stop-loss price'), '90');
  const outcomes = () => screen.getByRole('region', { name: 'If the price goes straight there' });
  const gridAt = (name: string) => {
    const titles = [...outcomes().querySelectorAll('p')];
    const title = titles.find(({ textContent }) => textContent.startsWith(name))!;
    return columnsOf(title.parentElement!)[0];
  };
  const kept = gridAt('Falls to the stop-loss price');
  expect(gridAt('Rises to the take-profit price')![1]).toMatch(/^\+/);
  const half = gridAt('Falls to half of it');
  await user.click(screen.getByRole('radio', { name: 'Sell the coins' }));
  // If the grid sells its coins at the stop-loss price, slippage and fee make the loss there larger than without the
  // sale. A further fall of the price no longer changes the loss.
  const sold = gridAt('Falls to the stop-loss price');
  const loss = (column: readonly (string | null)[] | undefined) => Number(column![1]!.replace('−', '-'));
  expect(loss(sold)).toBeLessThan(loss(kept));
  expect(loss(half)).toBeLessThan(loss(sold));
  expect(gridAt('Falls to half of it')).toEqual(sold);
  await user.click(screen.getByRole('button', { name: 'Start grid' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(Object.fromEntries(sent()[0]!.fields)).toMatchObject({
    stopLossPrice: '90',
    takeProfitPrice: '106',
    sellAtEnd: '1',
  });
});

it('GRID-028 shows its exit prices, how it ended and what was sold', () => {
  const ended: Grid = {
    ...GRID,
    stopLossPrice: '80.00',
    takeProfitPrice: '120.00',
    sellAtEnd: 1,
    soldBase: '6',
    soldQuote: '478.5',
    reason: 'stopLoss',
  };
  draw(<GridCard grid={ended} look="floating" onOpen={() => undefined} />);
  expect(screen.getByText('Ended: stop-loss price reached')).toBeTruthy();
  const figures = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(figures).toContain('Stop-loss price80.00000000');
  expect(figures).toContain('Take-profit price120.00000000');
  expect(figures).toContain('When one of these prices ends the gridSell the coins');
  expect(figures).toContain('Sold at the end6\u00A0BTC → 478.50\u00A0USDT');
});

it('GRID-026 GRID-028 asks at a cancellation whether the coins are sold, and says what was sold', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(cancelGrid.path) ? { count: 1, haltedOrders: 0, soldBase: '6', soldQuote: '478.5' } : {},
  );
  const running: Grid = { ...GRID, status: 'running', reason: '' };
  const user = draw(<GridCard grid={running} look="floating" onOpen={() => undefined} />);
  const cancelled = () => fixtures.received.filter(({ path }) => path.endsWith(cancelGrid.path));
  await user.click(screen.getByRole('button', { name: 'Cancel grid' }));
  const dialog = await screen.findByRole('dialog');
  expect(cancelled()).toEqual([]);
  await user.click(within(dialog).getByRole('radio', { name: 'Sell the coins' }));
  expect(dialog.textContent).toContain('at most 0.5 % below the best bid');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel grid' }));
  await waitFor(() => expect(cancelled()).toHaveLength(1));
  expect(Object.fromEntries(cancelled()[0]!.fields)).toMatchObject({ id: 'g', sell: '1' });
  expect(await screen.findByText(/Sold 6 BTC for 478.50 USDT after fees/)).toBeTruthy();
});

it('GRID-029 a cancellation says how many orders end with the halt of their coin', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(cancelGrid.path) ? { count: 1, haltedOrders: 2, soldBase: '0', soldQuote: '0' } : {},
  );
  const running: Grid = { ...GRID, status: 'running', reason: '' };
  const user = draw(<GridCard grid={running} look="floating" onOpen={() => undefined} />);
  await user.click(screen.getByRole('button', { name: 'Cancel grid' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel grid' }));
  expect(await screen.findByText(/Orders that hold a paused coin: 2\./)).toBeTruthy();
  expect(await screen.findByText(/Grid canceled/)).toBeTruthy();
});
