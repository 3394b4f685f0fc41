import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import { Avatar } from './profile.tsx';

beforeAll(() => loadAllWords());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PIXEL = new Blob(['pixel'], { type: 'image/jpeg' });

/** Renders an avatar; the request for its picture is answered with `answer`. Returns the requested URLs. */
function draw(icon: string, answer: Response): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    requests.push(address);
    return Promise.resolve(answer);
  });
  render(
    <Providers>
      <Avatar info={{ icon, nickname: '', email: 'ada@example.com' }} />
    </Providers>,
  );
  return requests;
}
const pictured = () => document.querySelector('img')?.src;

it('SEC-013 loads the avatar by its id and shows the initial until then', async () => {
  const requests = draw('a b', new Response(PIXEL, { headers: { 'content-type': 'image/jpeg' } }));
  expect(screen.getByText('A')).toBeTruthy();
  await waitFor(() => expect(pictured()).toMatch(/^data:image\/jpeg;base64,/));
  expect(requests).toEqual([expect.stringMatching(/\/file\/get\?id=a%20b$/)]);
  expect(screen.queryByText('A')).toBeNull();
});

it('SEC-013 shows the initial for a missing or invalid avatar', async () => {
  expect(draw('', new Response(PIXEL))).toEqual([]);
  cleanup();
  const requests = draw('page', new Response('<p>', { headers: { 'content-type': 'text/html' } }));
  await waitFor(() => expect(requests).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pictured()).toBeUndefined();
  expect(screen.getByText('A')).toBeTruthy();
});
