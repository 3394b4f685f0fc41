import { Decimal } from '@exchange/core/decimal.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { addAlert } from '@exchange/wire/watchlist.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { draw, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';
import { AlertForm } from './alert-form.tsx';

const fixtures = setUpFixtures();
const added = () => fixtures.received.filter(({ path }) => path.endsWith(addAlert.path));

function open() {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  return draw(<AlertForm pair={PAIR} last={Decimal.parse('100')} />);
}

describe('a price alert', () => {
  it('DESK-130 derives the condition from the last price and shows it before submission', async () => {
    const user = open();
    await user.type(screen.getByLabelText('Price'), '90');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'falls to' }).checked).toBe(true);
    expect(screen.getByText('Notify me when BTC/USDT trades at 90.00 USDT or lower.')).toBeTruthy();
  });

  it('DESK-131 is created once although the button is pressed again after a lost response', async () => {
    fixtures.answers(({ path }) => (path.endsWith(addAlert.path) ? undefined : {}));
    const user = open();
    await user.type(screen.getByLabelText('Price'), '110');
    const button = screen.getByRole('button', { name: 'Set alert' });
    await user.click(button);
    await waitFor(() => expect(added().length).toBe(2));
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));

    fixtures.answers(() => ({}));
    await user.click(button);
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe(''));
    expect(new Set(added().map(({ fields }) => fields.get('clientId'))).size).toBe(1);
    expect(Object.fromEntries(added()[0]?.fields ?? [])).toMatchObject({
      symbol: 'btcusdt',
      condition: 'gte',
      price: '110',
      channels: 'inbox',
    });
  });
});
