import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { orderDetail } from '@exchange/wire/spot.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recordsPath } from '../paths.ts';
import RecordsScreen from '../records/records-screen.tsx';
import OrderScreen from './order-screen.tsx';

const usual = queryClient.getDefaultOptions();
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  queryClient.setDefaultOptions({ queries: { ...usual.queries, retry: false } });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => {
  queryClient.setDefaultOptions(usual);
  return server.stop();
});

function open(address: string) {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const router = createMemoryRouter(
    [
      { path: '/account/order', element: <OrderScreen /> },
      { path: '/account/trade', element: <RecordsScreen /> },
    ],
    { initialEntries: [address] },
  );
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return router;
}

describe('the page of an order', () => {
  it('MOB-150 reports a missing order only when that is the reason of the refusal', async () => {
    server.serve({ [orderDetail.path]: () => ({ code: -1, msg: 'Not found.', errKey: 'l.not_found' }) });
    open('/account/order?id=1');
    expect(await screen.findByText('This order does not exist, or it is not yours.')).toBeTruthy();
  });

  it('MOB-150 treats a malformed id as a missing order and links to the orders without a retry', async () => {
    const refused = { code: -1, msg: 'id is not valid.', errKey: 'l.field_invalid', data: { field: 'id' } };
    server.serve({ [orderDetail.path]: () => refused });
    open('/account/order?id=nonsense');
    expect(await screen.findByText('This order does not exist, or it is not yours.')).toBeTruthy();
    expect(screen.queryByText('id is not valid.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Order history' }).getAttribute('href')).toBe(
      recordsPath('history'),
    );
  });

  it('MOB-150 shows any other refusal with its own text and offers a retry', async () => {
    const errStr = 'Too many requests. Please wait a moment.';
    server.serve({ [orderDetail.path]: () => ({ code: -9, msg: errStr, errKey: 'l.rate_limited' }) });
    open('/account/order?id=2');
    expect((await screen.findByRole('alert')).textContent).toContain(errStr);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('WEB-110 opens from a link that names the order as on the desktop site', () => {
    const router = open('/account/trade?order=42');
    expect(router.state.location).toMatchObject({ pathname: '/account/order', search: '?id=42' });
  });
});
