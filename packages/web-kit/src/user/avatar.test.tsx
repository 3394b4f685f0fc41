import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import { Avatar } from './profile.tsx';

beforeAll(() => startWords());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PIXEL = new Blob(['pixel'], { type: 'image/jpeg' });

/** Renders an avatar whose request is answered with `answer`; returns the requested URLs. */
function draw(icon: string, answer: Response): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(answer);
  });
  render(
    <Providers>
      <Avatar info={{ icon, nickname: '', email: 'ada@example.com' }} />
    </Providers>,
  );
  return asked;
}
const pictured = () => document.querySelector('img')?.src;

it('SEC-013 the own picture is asked for by its id and shown; until then stands the letter', async () => {
  const asked = draw('a b', new Response(PIXEL, { headers: { 'content-type': 'image/jpeg' } }));
  expect(screen.getByText('A')).toBeTruthy();
  await waitFor(() => expect(pictured()).toMatch(/^data:image\/jpeg;base64,/));
  expect(asked).toEqual([expect.stringMatching(/\/file\/get\?id=a%20b$/)]);
  expect(screen.queryByText('A')).toBeNull();
});

it('SEC-013 who has none, or whose picture is none, is shown by a letter', async () => {
  expect(draw('', new Response(PIXEL))).toEqual([]);
  cleanup();
  const asked = draw('page', new Response('<p>', { headers: { 'content-type': 'text/html' } }));
  await waitFor(() => expect(asked).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pictured()).toBeUndefined();
  expect(screen.getByText('A')).toBeTruthy();
});
