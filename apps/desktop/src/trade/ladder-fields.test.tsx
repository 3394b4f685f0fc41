import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { LadderFields } from '@exchange/web-kit/spot/ladder-dialog.tsx';
import { createLadder } from '@exchange/wire/ladder.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, MOMENT, setUpFixtures } from '../../testing/fixtures.tsx';

const fixtures = setUpFixtures();
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const sent = () => fixtures.received.filter(({ path }) => path.endsWith(createLadder.path));

it('ALGO-020 ALGO-021 previews every order, names the problem at its field, and sends the ladder once', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let placed = 0;
  fixtures.answers(({ path }) => (path.endsWith(createLadder.path) ? { id: 'l', orders: ['a', 'b'] } : {}));
  const user = draw(<LadderFields moment={MOMENT} onDone={() => (placed += 1)} />);
  await user.type(field('First price'), '102');
  await user.type(field('Last price'), '90');
  await user.type(field('Total amount'), '0.5');
  await user.click(screen.getByRole('button', { name: 'Place ladder' }));
  expect(screen.getByRole('alert').textContent).toContain('must be below the best ask of 101.00');
  expect(field('First price').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('First price'));
  await user.type(field('First price'), '94');
  const rows = screen.getAllByRole<HTMLTableRowElement>('row').slice(1);
  expect(rows.map(({ cells }) => cells[0]!.textContent)).toEqual([
    '94.00',
    '93.00',
    '92.00',
    '91.00',
    '90.00',
  ]);
  expect(screen.getAllByRole('definition')[0]!.textContent).toBe('46.00\u00A0USDT');
  await user.click(screen.getByRole('button', { name: 'Place ladder' }));
  await waitFor(() => expect(placed).toBe(1));
  expect(sent()).toHaveLength(1);
});
