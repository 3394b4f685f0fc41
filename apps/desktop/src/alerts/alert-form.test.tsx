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
    const condition = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Notify me when the price' });
    expect(condition.value).toBe('lte');
    expect(screen.getByText('Notify me when BTC/USDT trades at 90.00 USDT or lower.')).toBeTruthy();
  });

  it('ALRT-128 the form says that devices that want pushes of price alerts are notified whatever the channels', () => {
    open();
    expect(
      screen.getByText('Devices with push notifications for price alerts on are notified as well.'),
    ).toBeTruthy();
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

  it('ALRT-127 with an order it is shown in words and sent only after it is confirmed; a repeating one cannot have an order', async () => {
    const user = open();
    await user.type(screen.getByLabelText('Price'), '110');
    await user.click(screen.getByRole('checkbox', { name: 'Place an order when it triggers' }));
    expect(screen.queryByRole('checkbox', { name: 'Every time' })).toBeNull();
    expect(screen.getByText(/^Nothing is reserved until the alert triggers/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Review order' }));
    expect(screen.getByText('Enter a price.')).toBeTruthy();
    await user.type(screen.getByLabelText('Order price'), '108');
    await user.type(screen.getByLabelText('Amount'), '1');
    await user.click(screen.getByRole('button', { name: 'Review order' }));
    expect(screen.getByText(/^Then: Buy 1.BTC at 108\.00.USDT \(limit\)$/)).toBeTruthy();
    expect(added()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(screen.getByRole('button', { name: 'Review order' }));
    fixtures.answers(() => ({}));
    await user.click(screen.getByRole('button', { name: 'Confirm and set alert' }));
    await waitFor(() => expect(added()).toHaveLength(1));
    expect(Object.fromEntries(added()[0]!.fields)).toMatchObject({
      condition: 'gte',
      price: '110',
      repeat: '0',
      tradeType: 'buy',
      orderType: 'limit',
      orderPrice: '108',
      orderAmount: '1',
    });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Set alert' })).toBeTruthy());
  });
});
