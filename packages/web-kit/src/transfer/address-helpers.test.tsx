import { findCoinNetwork } from '@exchange/core/network.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { Toaster } from '../ui/toast.tsx';
import { AddressHelpers } from './address-helpers.tsx';
import type { PaymentText } from './payment-text.ts';

const BTC = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const paid = vi.fn<(payment: PaymentText) => void>();

beforeAll(() => startWords());
beforeEach(() => paid.mockClear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(coin: string, network: string) {
  const user = userEvent.setup();
  render(
    <>
      <AddressHelpers terms={findCoinNetwork(coin, network)} onPayment={paid} />
      <Toaster />
    </>,
  );
  return user;
}

it('WEB-1008 a pasted payment link gives its address and amount', async () => {
  const user = open('BTC', 'BTC');
  await navigator.clipboard.writeText(`bitcoin:${BTC}?amount=0.5`);
  await user.click(screen.getByRole('button', { name: 'Paste' }));
  await vi.waitFor(() => expect(paid).toHaveBeenCalledOnce());
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ address: BTC, amount: '0.5' });
});

it('WEB-1008 a link for another network fills in nothing and says so', async () => {
  const user = open('USDT', 'TRC20');
  await navigator.clipboard.writeText(`bitcoin:${BTC}`);
  await user.click(screen.getByRole('button', { name: 'Paste' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Tron (TRC20)');
  expect(paid).not.toHaveBeenCalled();
});

it('WEB-1008 the code on a photo is read where the browser reads codes, and only there offered', async () => {
  open('BTC', 'BTC');
  expect(screen.queryByRole('button', { name: 'Scan QR code photo' })).toBeNull();
  cleanup();
  vi.stubGlobal('createImageBitmap', async () => ({ close: () => undefined }));
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = async () => [{ rawValue: `bitcoin:${BTC}` }];
    },
  );
  const user = open('BTC', 'BTC');
  await user.upload(
    screen.getByLabelText('Scan QR code photo', { selector: 'input' }),
    new File(['photo'], 'code.png', { type: 'image/png' }),
  );
  await vi.waitFor(() => expect(paid).toHaveBeenCalledOnce());
  expect(paid.mock.calls[0]?.[0].address).toBe(BTC);
});
