import { search, userProfile } from '@exchange/wire/console/users.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Palette } from './palette.tsx';
import { SessionContext } from './session.ts';

const ORDER = {
  kind: 'secondsPosition',
  label: 'Up for 30 seconds on btcusdt, 50 USDT, win',
  to: 'users/7?record=secondsPosition.9',
};

afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

/**
 * Opens the search palette of an operator who may search records, and types a text; `answer` returns the mocked
 * responses. Returns the paths of the requests, the input, and a function that submits the search.
 */
function searchFor(text: string, answer: () => Response | Promise<Response>) {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    requests.push(path);
    return Promise.resolve(answer());
  });
  const operations = [search, userProfile].map((operation) => offeredOperation(operation));
  render(
    <SessionContext value={{ name: 'ada', roles: ['support'], mode: 'demo', operations }}>
      <Palette />
    </SessionContext>,
  );
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const input = screen.getByRole('combobox', { hidden: true });
  fireEvent.change(input, { target: { value: text } });
  return { requests, input, submit: () => fireEvent.submit(input.closest('form')!) };
}
const optionTexts = () =>
  screen.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent);

it('OPS-1144 a pasted text is searched on Enter, never while it is typed, and Enter opens the found record', async () => {
  const { requests, submit } = searchFor('  0xAB12  ', () => Response.json({ found: [ORDER] }));
  expect(requests).toEqual([]);
  submit();
  await waitFor(() => expect(optionTexts()).toEqual([`seconds position ${ORDER.label}`]));
  expect(requests).toEqual(['/ops/search?query=0xAB12']);
  submit();
  expect(location.hash).toBe(`#${ORDER.to}`);
});

it('OPS-1144 a name is searched by the last option, after the areas that contain it', async () => {
  const { requests, input, submit } = searchFor('users', () => Response.json({ found: [] }));
  expect(optionTexts().at(-1)).toBe('search Search users and records for “users”');
  for (const _ of optionTexts()) fireEvent.keyDown(input, { key: 'ArrowDown' });
  submit();
  await screen.findByText(/Nothing found for “users”/);
  expect(requests).toHaveLength(1);
});

it('OPS-1144 says that it searches, why it was refused, and that a newer text makes an answer stale', async () => {
  let release = (_: Response) => undefined as void;
  const slow = () => new Promise<Response>((resolve) => (release = resolve));
  const { input, submit } = searchFor('anna@example.com', slow);
  submit();
  expect(input.getAttribute('aria-busy')).toBe('true');
  release(Response.json({ error: 'Too many searches.' }, { status: 400 }));
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toBe('Too many searches.');
  // After a refused search, the first option repeats the search.
  expect(optionTexts()[0]).toContain('Try again');
  submit();
  fireEvent.change(input, { target: { value: 'bob@example.com' } });
  release(Response.json({ found: [ORDER] }));
  await Promise.resolve();
  expect(optionTexts()[0]).toContain('bob@example.com');
  cleanup();
});
