import { useMissingOffline } from '@exchange/web-kit/shell/offline.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { render, renderHook, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it, vi } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { BrokenScreen } from './broken-screen.tsx';
import OrderLink from './order-link.tsx';

setUpFixtures();

it('DESK-160 explains a failed screen without the exception and offers two links', () => {
  draw(<BrokenScreen />);
  expect(screen.getByRole('alert').textContent).not.toMatch(/Error|at \w+|\.tsx?/);
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/main');
});

it('WEB-332 reports a missing network when a screen fails to load offline', () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  draw(<BrokenScreen />);
  expect(screen.getByRole('heading').textContent).toBe('You are offline.');
  line.mockRestore();
});

it('WEB-332 reloads the page when the network returns, and only then', () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const reload = vi.fn<() => void>();
  const { unmount } = renderHook(() => useMissingOffline(reload));
  expect(reload).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
  unmount();
  line.mockReturnValue(true);
  renderHook(() => useMissingOffline(reload));
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
  line.mockRestore();
});

it('WEB-332 reloads the page when the network returned before the listener was added', () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValueOnce(false).mockReturnValue(true);
  const reload = vi.fn<() => void>();
  renderHook(() => useMissingOffline(reload));
  expect(reload).toHaveBeenCalledTimes(1);
  line.mockRestore();
});

it('DESK-160 a route that throws shows no exception', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error('TypeError: Failed to fetch dynamically imported module: /pc/assets/x.js');
  };
  const router = createMemoryRouter([{ path: '/', element: <Broken />, ErrorBoundary: BrokenScreen }]);
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  expect((await screen.findByRole('alert')).textContent).not.toContain('TypeError');
  vi.restoreAllMocks();
});

it('WEB-110 an order link of the mobile site opens the records', async () => {
  const router = createMemoryRouter(
    [
      { path: '/account/order', element: <OrderLink /> },
      { path: '/account/trade', element: null },
    ],
    { initialEntries: ['/account/order?id=42'] },
  );
  render(<RouterProvider router={router} />);
  await expect.poll(() => router.state.location.search).toBe('?order=42');
  expect(router.state.location.pathname).toBe('/account/trade');
});
