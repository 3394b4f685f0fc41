import { Decimal } from '@exchange/core/decimal.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { TwapFields } from '@exchange/web-kit/spot/twap-dialog.tsx';
import { createTwap } from '@exchange/wire/twap.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';

const d = (text: string) => Decimal.parse(text);
const MOMENT: TicketMarket = {
  pair: PAIR,
  bestBid: d('99'),
  bestAsk: d('100'),
  reference: d('100'),
  last: d('100'),
  baseAvailable: d('10'),
  quoteAvailable: d('1000'),
  openOrders: { resting: 0, waiting: 0 },
};

const fixtures = setUpFixtures();
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const sent = () => fixtures.received.filter(({ path }) => path.endsWith(createTwap.path));

it('ALGO-034 ALGO-035 previews every child, names the problem at its field, and sends the TWAP order once', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let started = 0;
  fixtures.answers(({ path }) => (path.endsWith(createTwap.path) ? { id: 'w' } : {}));
  const user = draw(<TwapFields moment={MOMENT} onDone={() => (started += 1)} />);
  await user.clear(field('Orders'));
  await user.type(field('Orders'), '3');
  await user.type(field('Total amount'), '12');
  await user.click(screen.getByRole('button', { name: 'Start TWAP' }));
  expect(screen.getByRole('alert').textContent).toContain('1,206');
  expect(field('Total amount').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.clear(field('Total amount'));
  await user.type(field('Total amount'), '6');
  const rows = screen.getAllByRole<HTMLTableRowElement>('row').slice(1);
  expect(rows.map(({ cells }) => [cells[0]!.textContent, cells[2]!.textContent])).toEqual([
    ['At once', '201.00'],
    ['0:20:00', '201.00'],
    ['0:40:00', '201.00'],
  ]);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toContain(
    '603.00\u00A0USDT',
  );
  await user.click(screen.getByRole('button', { name: 'Start TWAP' }));
  await waitFor(() => expect(started).toBe(1));
  expect(sent()).toHaveLength(1);
});
