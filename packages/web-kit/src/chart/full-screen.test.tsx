import { act, cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { windowForRouter } from '../ui/overlay-history.ts';
import { useFullScreen } from './chart-toolbar.tsx';

afterEach(cleanup);

function Chart() {
  const element = useRef<HTMLDivElement>(null);
  const { isFull, toggle } = useFullScreen(element);
  return (
    <div ref={element}>
      <button type="button" aria-pressed={isFull} onClick={toggle}>
        full screen
      </button>
    </div>
  );
}

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

it('WEB-933 Back leaves the full screen of a chart first and then its screen', async () => {
  window.history.pushState(null, '', '/trade');
  const router = createBrowserRouter([{ path: '*', element: <Chart /> }], { window: windowForRouter() });
  render(<RouterProvider router={router} />);
  await act(() => router.navigate('/trade?view=chart'));
  act(() => screen.getByRole('button').click());
  await settle();
  expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('true');
  await act(async () => window.history.back());
  await settle();
  expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('false');
  expect(window.location.search).toBe('?view=chart');
  await act(async () => window.history.back());
  await settle();
  expect(window.location.search).toBe('');
  router.dispose();
});
