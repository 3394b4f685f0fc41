import { findCoinNetwork } from '@exchange/core/network.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { encode } from 'uqr';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Toaster } from '../ui/toast.tsx';
import { AddressHelpers } from './address-helpers.tsx';
import type { PaymentText } from './payment-text.ts';

const BTC = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const paid = vi.fn<(payment: PaymentText) => void>();

beforeAll(() => loadAllWords());
beforeEach(() => paid.mockClear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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

it.each([
  ['USDT', 'ERC20', 'begin with 0x'],
  ['USDT', 'TRC20', 'begin with T '],
  ['BTC', 'BTC', 'begin with bc1'],
  ['XRP', 'XRP', 'begin with r.'],
])('NET-026 the format of addresses of %s on %s is explained', (coin, network, format) => {
  open(coin, network);
  expect(document.body.textContent).toContain(format);
});

it('WEB-1008 a pasted payment link fills in address and amount', async () => {
  const user = open('BTC', 'BTC');
  await navigator.clipboard.writeText(`bitcoin:${BTC}?amount=0.5`);
  await user.click(screen.getByRole('button', { name: 'Paste' }));
  await expect.poll(() => paid).toHaveBeenCalledOnce();
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ address: BTC, amount: '0.5' });
});

it('WEB-1008 a link for another network fills in nothing and shows a warning', async () => {
  const user = open('USDT', 'TRC20');
  await navigator.clipboard.writeText(`bitcoin:${BTC}`);
  await user.click(screen.getByRole('button', { name: 'Paste' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Tron (TRC20)');
  expect(paid).not.toHaveBeenCalled();
});

/** Returns the pixels of a picture of a QR code; each module of the code is eight pixels wide. */
function pictureOf(text: string): ImageData {
  const { data, size } = encode(text, { border: 4 });
  const side = size * 8;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const isDark = data[Math.floor(y / 8)]?.[Math.floor(x / 8)] === true;
      if (isDark) pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  return { data: pixels, width: side, height: side, colorSpace: 'srgb' };
}

/** Mocks the browser's picture decoding: the next photo has the pixels of `picture`. */
function showPhotoAs(picture: ImageData): void {
  const { width, height } = picture;
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => undefined,
    drawImage: () => undefined,
    getImageData: () => picture,
  } as unknown as null);
}

async function choosePhoto(): Promise<void> {
  const user = open('BTC', 'BTC');
  await user.upload(
    screen.getByLabelText('Scan QR code photo', { selector: 'input' }),
    new File(['photo'], 'code.png', { type: 'image/png' }),
  );
}

it('WEB-1034 the code on a photo is read where the browser has no reader of codes', async () => {
  expect('BarcodeDetector' in globalThis).toBe(false);
  showPhotoAs(pictureOf(`bitcoin:${BTC}?amount=0.25`));
  await choosePhoto();
  await expect.poll(() => paid).toHaveBeenCalledOnce();
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ address: BTC, amount: '0.25' });
});

it.each([
  ['reads it', async () => [{ rawValue: `bitcoin:${BTC}` }]],
  ['finds nothing', async () => []],
  ['does not work on this device', () => Promise.reject(new DOMException('no service', 'NotSupportedError'))],
])('WEB-1008 the code on a photo is read where the browser’s own reader %s', async (_, detect) => {
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = detect;
    },
  );
  showPhotoAs(pictureOf(BTC));
  await choosePhoto();
  await expect.poll(() => paid).toHaveBeenCalledOnce();
  expect(paid.mock.calls[0]?.[0].address).toBe(BTC);
});

it('WEB-1034 a photo without a code is answered in words, as is one that cannot be opened', async () => {
  const white = pictureOf(BTC);
  white.data.fill(255);
  showPhotoAs(white);
  await choosePhoto();
  expect((await screen.findByRole('alert')).textContent).toContain('No QR code was found');
  cleanup();
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('cannot decode')));
  await choosePhoto();
  expect((await screen.findByRole('alert')).textContent).toContain('No QR code was found');
  expect(paid).not.toHaveBeenCalled();
});
