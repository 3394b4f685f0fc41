import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { windowForRouter } from '../ui/overlay-history.ts';
import { useLeaveFor } from './leave.ts';

afterEach(cleanup);

function Form() {
  const leave = useLeaveFor('/security');
  return (
    <button type="button" onClick={leave}>
      Done
    </button>
  );
}

const currentUrl = () => window.location.pathname + window.location.search;

it('WEB-931 a completed form returns to the previous screen, and otherwise replaces its history entry', async () => {
  window.history.pushState(null, '', '/site/security');
  const children = ['/security', '/other', '/form'].map((path) => ({
    path,
    element: path === '/form' ? <Form /> : <h1>{path}</h1>,
  }));
  const router = createBrowserRouter(children, { basename: '/site', window: windowForRouter() });
  render(<RouterProvider router={router} />);
  const entries = window.history.length;
  await act(() => router.navigate('/form'));
  act(() => screen.getByRole('button', { name: 'Done' }).click());
  await waitFor(() => expect(currentUrl()).toBe('/site/security'));
  await act(() => router.navigate('/other'));
  expect(window.history.length).toBe(entries + 1);

  await act(() => router.navigate('/form?from=elsewhere'));
  act(() => screen.getByRole('button', { name: 'Done' }).click());
  await waitFor(() => expect(currentUrl()).toBe('/site/security'));
  act(() => window.history.back());
  await waitFor(() => expect(currentUrl()).toBe('/site/other'));
  router.dispose();
});
