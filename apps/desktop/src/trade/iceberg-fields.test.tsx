import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { IcebergFields } from '@exchange/web-kit/spot/iceberg-dialog.tsx';
import { createIceberg } from '@exchange/wire/iceberg.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, MOMENT, setUpFixtures } from '../../testing/fixtures.tsx';

const fixtures = setUpFixtures();
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const sent = () => fixtures.received.filter(({ path }) => path.endsWith(createIceberg.path));

it('ALGO-046 ALGO-047 previews every slice, names the problem at its field, and sends the iceberg once', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let placed = 0;
  fixtures.answers(({ path }) => (path.endsWith(createIceberg.path) ? { id: 'i' } : {}));
  const user = draw(<IcebergFields moment={MOMENT} onDone={() => (placed += 1)} />);
  await user.type(field('Price'), '102');
  await user.type(field('Total amount'), '5');
  await user.type(field('Visible amount'), '5');
  await user.click(screen.getByRole('button', { name: 'Place iceberg' }));
  expect(screen.getByRole('alert').textContent).toContain('2 to 100 slices');
  expect(field('Visible amount').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('Visible amount'));
  await user.type(field('Visible amount'), '2');
  expect(screen.getByText(/trades at once, as a taker/)).toBeTruthy();
  await user.click(screen.getByLabelText('Post-only'));
  await user.click(screen.getByRole('button', { name: 'Place iceberg' }));
  expect(field('Price').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('Price'));
  await user.type(field('Price'), '90');
  expect(screen.queryByText(/trades at once, as a taker/)).toBeNull();
  const rows = screen.getAllByRole<HTMLTableRowElement>('row').slice(1);
  expect(rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent))).toEqual([
    ['1 / 3', '2.00000', '180.00'],
    ['2 / 3', '2.00000', '180.00'],
    ['3 / 3', '1.00000', '90.00'],
  ]);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toContain(
    '450.00\u00A0USDT',
  );
  await user.click(screen.getByRole('button', { name: 'Place iceberg' }));
  await waitFor(() => expect(placed).toBe(1));
  expect(sent()).toHaveLength(1);
});
