import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ScreenChange } from './screen-change.tsx';

/** The maximum scroll position of the mocked page, which is the page's height. */
let tallest: number;
let scrollY: number;
let router: ReturnType<typeof createMemoryRouter>;
let grow: () => void;

beforeEach(() => {
  sessionStorage.clear();
  tallest = 10_000;
  scrollY = 0;
  vi.stubGlobal('scrollY', 0);
  Object.defineProperty(window, 'scrollY', { configurable: true, get: () => scrollY });
  vi.spyOn(window, 'scrollTo').mockImplementation((...args: unknown[]) => {
    const [{ top }] = args as [{ top: number }];
    scrollTo(top);
  });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        grow = callback;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function scrollTo(top: number): void {
  scrollY = Math.min(top, tallest);
  window.dispatchEvent(new Event('scroll'));
}

function Slow() {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLoaded(true), 20);
    return () => clearTimeout(timer);
  }, []);
  return isLoaded ? <h1>Slow</h1> : <p>loading</p>;
}

function Frame() {
  return (
    <>
      <nav>
        <button type="button">frame</button>
      </nav>
      <main>
        <Outlet />
      </main>
      <ScreenChange />
    </>
  );
}

function show(address = '/first'): void {
  router = createMemoryRouter(
    [
      {
        element: <Frame />,
        children: [
          { path: '/first', element: <h1>First</h1> },
          { path: '/second', element: <h1>Second</h1> },
          { path: '/accounts/:account', element: <h1>Accounts</h1> },
          { path: '/slow', element: <Slow /> },
          {
            path: '/form',
            element: (
              <>
                <h1>Form</h1>
                <input aria-label="Amount" ref={(field) => field?.focus()} />
              </>
            ),
          },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />);
}
const navigateTo = (to: string, options = {}) => act(() => router.navigate(to, options));
const travel = (delta: number) => act(() => router.navigate(delta));
const focused = () => document.activeElement?.textContent;

it('WEB-930 a screen starts at its top and restores its position when the user returns', async () => {
  show();
  expect(focused()).not.toBe('First');
  scrollTo(600);
  await navigateTo('/second');
  expect(scrollY).toBe(0);
  scrollTo(300);
  await travel(-1);
  expect(scrollY).toBe(600);
  await travel(1);
  expect(scrollY).toBe(300);
});

it('WEB-930 the focus moves to the heading of the new screen, also when it appears later', async () => {
  show();
  screen.getByRole('button', { name: 'frame' }).focus();
  await navigateTo('/second');
  expect(focused()).toBe('Second');
  await travel(-1);
  expect(focused()).toBe('First');
  await navigateTo('/slow');
  await waitFor(() => expect(focused()).toBe('Slow'));
  expect(document.activeElement?.tagName).toBe('H1');
});

it('WEB-930 a field focused by the screen keeps the focus, and so does a control that the user pressed', async () => {
  show();
  await navigateTo('/form');
  expect(document.activeElement).toBe(screen.getByLabelText('Amount'));
  await navigateTo('/slow');
  screen.getByRole('button', { name: 'frame' }).focus();
  await screen.findByRole('heading', { name: 'Slow' });
  await act(async () => undefined);
  expect(focused()).toBe('frame');
});

it('WEB-930 a screen that rewrites its own URL does not scroll', async () => {
  show('/accounts/1');
  scrollTo(400);
  screen.getByRole('button', { name: 'frame' }).focus();
  await navigateTo('/accounts/1?small=hidden', { replace: true });
  await navigateTo('/accounts/2', { replace: true });
  expect([scrollY, focused()]).toEqual([400, 'frame']);
  await navigateTo('/second', { replace: true });
  expect([scrollY, focused()]).toEqual([0, 'Second']);
});

it('WEB-930 a loading screen is scrolled as it grows, until the user scrolls', async () => {
  show();
  scrollTo(900);
  await navigateTo('/second');
  tallest = 100;
  await travel(-1);
  expect(scrollY).toBe(100);
  tallest = 500;
  grow();
  expect(scrollY).toBe(500);
  window.dispatchEvent(new Event('wheel'));
  tallest = 2_000;
  await travel(1);
  await travel(-1);
  expect(scrollY).toBe(500);
});

it('WEB-930 a reload restores the position, and a new visit starts at the top', async () => {
  show();
  scrollTo(700);
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  scrollY = 0;
  show();
  expect(scrollY).toBe(700);
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  scrollY = 0;
  const visit = { type: 'navigate' } as PerformanceNavigationTiming;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([visit]);
  show();
  expect(scrollY).toBe(0);
});
