import { act, render, screen, waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { beforeAll, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { useRemoveFirstSkeleton } from './first-shape.ts';
import { RouteProgress } from './route-progress.tsx';

beforeAll(() => loadAllWords());

function Frame() {
  useRemoveFirstSkeleton();
  return (
    <>
      <RouteProgress />
      <Outlet />
    </>
  );
}

it('WEB-942 WEB-946 the skeleton disappears with the first screen, and a bar shows that the next one loads', async () => {
  document.body.insertAdjacentHTML('beforeend', '<div id="first-shape"></div>');
  let resolve = (_screen: { Component: () => string }): void => undefined;
  const screenLoaded = new Promise<{ Component: () => string }>((done) => (resolve = done));
  const router = createMemoryRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: 'first' },
        { path: '/next', lazy: () => screenLoaded },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  expect(document.getElementById('first-shape')).toBeNull();
  expect(screen.queryByRole('progressbar')).toBeNull();
  act(() => void router.navigate('/next'));
  await screen.findByRole('progressbar', { name: 'Loading' });
  expect(screen.getByText('first')).toBeTruthy();
  await act(async () => resolve({ Component: () => 'next' }));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(screen.getByText('next')).toBeTruthy();
  const style = readFileSync('packages/web-kit/src/shell/route-progress.module.css', 'utf8');
  expect(style).toMatch(/animation: progress \S+ \S+ 150ms both;/);
});
