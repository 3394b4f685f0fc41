import { figureDays } from '@exchange/wire/console/figures.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { HouseBoard } from './house-board.tsx';
import { SessionContext } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

const DAY = { result: '-1250.5', fees: '10', turnover: '2000', deposits: '5', withdrawals: '4', newUsers: 3 };
const ANSWERS: Readonly<Record<string, object>> = {
  '/ops/figures/days': {
    days: [
      { day: '2026-11-02', ...DAY },
      { day: '2026-11-01', ...DAY, result: '99' },
    ],
  },
  '/ops/figures/products': {
    products: [{ day: '2026-11-02', product: 'seconds', result: '-1260.5', fees: '1', turnover: '2' }],
  },
  '/ops/figures/now': {
    measures: [
      {
        measure: 'secondsWorst',
        title: 'Worst case of open seconds stakes',
        subject: 'btcusdt',
        value: '5000',
        unit: 'USDT',
        most: '4000',
        state: 'too high',
        version: 1,
      },
    ],
  },
  '/ops/figures/due': {
    due: [
      {
        day: '2026-11-03',
        asset: 'USDT',
        principal: '400',
        earnings: '2.8',
        total: '402.8',
        payable: '900',
      },
    ],
  },
  '/ops/figures/stakes': { stakes: [] },
};

function draw(
  operations = [offeredOperation(figureDays)],
  answer = (path: string) => Promise.resolve(Response.json(ANSWERS[path] ?? {})),
) {
  vi.stubGlobal('fetch', answer);
  render(
    <SessionContext value={{ name: 'ada', roles: ['finance'], mode: 'demo', operations }}>
      <HouseBoard>
        <p>below the board</p>
      </HouseBoard>
    </SessionContext>,
  );
}

it('OPS-1157 OPS-1159 OPS-1160 shows the figures of the day, the result by product, and risks against limits', async () => {
  draw();
  const board = screen.getByRole('region', { name: 'House' });
  await within(board).findByText('Result today, USDT');
  const [result] = within(board).getAllByRole('listitem');
  expect(result!.textContent).toContain('-1,250.5');
  expect(result!.textContent).toContain('yesterday 99');
  expect(result!.className).toContain('bad');
  const textsIn = (name: string) =>
    within(within(board).getByRole('region', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(textsIn('Result by product and UTC day, USDT').slice(0, 3)).toEqual(['Seconds', '-1,260.5', '0']);
  expect(textsIn('Risks and obligations now')).toContain('too high');
  expect(textsIn('Due to users')).toContain('2026-11-03');
  within(board).getByText('No stakes are open.');
});

it('OPS-1157 shows nothing to roles that may not see figures', () => {
  draw([]);
  expect(screen.queryByRole('region', { name: 'House' })).toBeNull();
  screen.getByText('below the board');
});

it('OPS-1222 shows what is below the board when it no longer moves: after the first answer, or a failure', async () => {
  const answers: (() => void)[] = [];
  draw([offeredOperation(figureDays)], async (path) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return Response.json(ANSWERS[path] ?? {});
  });
  await expect.poll(() => answers).toHaveLength(5);
  expect(screen.queryByText('below the board')).toBeNull();
  for (const release of answers) release();
  await screen.findByText('below the board');
  cleanup();
  draw([offeredOperation(figureDays)], () => Promise.reject(new Error('the network is away')));
  await screen.findByText('below the board');
});
