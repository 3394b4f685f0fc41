import { announcements, banners } from '@exchange/wire/board.ts';
import { cleanup, render, screen, waitFor, act } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords, withWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { Providers } from '../shell/providers.tsx';
import { closeEntry, markOf, useClosedMarks } from './home-board.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});
afterAll(() => server.stop());

/** Renders the announcements and banners of the home page in a separate container. */
async function board(list: readonly object[]): Promise<HTMLElement> {
  server.serve({
    [announcements.path]: () => ({ code: 1, data: { list } }),
    [banners.path]: () => ({ code: 1, data: { list: [] } }),
  });
  const { default: HomeBoard } = await withWords(import('./home-board.tsx'));
  render(
    <Providers>
      <MemoryRouter>
        <section aria-label="place">
          <HomeBoard announcementsPath="/about/announcements" />
        </section>
      </MemoryRouter>
    </Providers>,
  );
  return screen.getByRole('region', { name: 'place' });
}

it('OPS-042 an empty board takes no space, and reserves it while loading', async () => {
  const place = await board([]);
  expect(place.childElementCount).toBe(1);
  await waitFor(() => expect(place.childElementCount).toBe(0));
});

it('OPS-042 announcements are shown', async () => {
  const place = await board([
    { code: 'hello', version: 1, title: 'Hello', content: 'We are open.', publishTime: 1_700_000_000_000 },
  ]);
  await screen.findByText('Hello');
  expect(place.childElementCount).toBe(1);
});

const BANNER = { code: 'earn', version: 1 };

function Shown({ version }: { readonly version: number }) {
  const closed = useClosedMarks();
  return closed.has(markOf({ ...BANNER, version })) ? null : <p>shown</p>;
}

it('OPS-042 a closed banner stays closed on this device, and its next version is shown', () => {
  const { unmount } = render(<Shown version={1} />);
  screen.getByText('shown');
  act(() => closeEntry(BANNER));
  expect(screen.queryByText('shown')).toBeNull();
  unmount();
  const again = render(<Shown version={1} />);
  expect(screen.queryByText('shown')).toBeNull();
  again.rerender(<Shown version={2} />);
  screen.getByText('shown');
});
