import { Decimal } from '@exchange/core/decimal.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { ChaseFields } from '@exchange/web-kit/spot/chase-dialog.tsx';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { createChase } from '@exchange/wire/chase.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';

const d = (text: string) => Decimal.parse(text);
const MOMENT: TicketMarket = {
  pair: PAIR,
  bestBid: d('100'),
  bestAsk: d('101'),
  reference: d('100'),
  last: d('100'),
  baseAvailable: d('10'),
  quoteAvailable: d('1000'),
  openOrders: { resting: 0, waiting: 0 },
};

const fixtures = setUpFixtures();
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const sent = () => fixtures.received.filter(({ path }) => path.endsWith(createChase.path));
const facts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);

it('ALGO-055 ALGO-056 shows what it will do, names the problem at its field, and sends the chase order once', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let started = 0;
  fixtures.answers(({ path }) => (path.endsWith(createChase.path) ? { id: 'c' } : {}));
  const user = draw(<ChaseFields moment={MOMENT} onDone={() => (started += 1)} />);
  await user.clear(field('Follows at most'));
  await user.type(field('Follows at most'), '9');
  await user.type(field('Amount'), '9.95');
  await user.click(screen.getByRole('button', { name: 'Start chase' }));
  expect(field('Follows at most').getAttribute('aria-invalid')).toBe('true');
  await user.clear(field('Follows at most'));
  await user.type(field('Follows at most'), '1');
  await user.click(screen.getByRole('button', { name: 'Start chase' }));
  expect(screen.getByRole('alert').textContent).toContain('1,004.95');
  expect(field('Amount').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
  await user.type(field('Limit price'), '100.5');
  expect(facts()).toEqual(['100.00', '100.50', '995.00\u00A0USDT', '999.97\u00A0USDT', '1,000.00\u00A0USDT']);
  await user.click(screen.getByRole('radio', { name: 'Sell' }));
  expect(facts().slice(0, 2)).toEqual(['101.00', '100.50']);
  await user.click(screen.getByRole('radio', { name: 'Buy' }));
  await user.click(screen.getByRole('button', { name: 'Start chase' }));
  await waitFor(() => expect(started).toBe(1));
  expect(sent()).toHaveLength(1);
});
