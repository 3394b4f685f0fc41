import { pairs, setPairStatus } from '@exchange/wire/console/desk.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { App } from './app.tsx';
import { WORDS } from './words.ts';

const OPERATIONS: readonly Operation[] = [
  offeredOperation(pairs),
  { ...offeredOperation(setPairStatus), fields: {}, isPreviewed: false },
];
const sessionOf = (name: string): OperatorSession => ({
  name,
  roles: ['owner'],
  mode: 'demo',
  operations: OPERATIONS,
});

const PAIR = { symbol: 'btcusdt', status: 'open' };
let pairList: readonly unknown[];
let operator: string | undefined;
let answer: () => Promise<Response>;
/** The mocked server's response to the preview of a decision. */
let check: unknown;
let requests: { readonly fields: URLSearchParams; readonly key: string | null }[];

/**
 * Mocks the operators' API: it returns a session of `operator`, answers previews with `check`, and answers decisions
 * with `answer` and records them in `requests`.
 */
async function port(path: string, init?: RequestInit): Promise<Response> {
  if (path === '/health') return Response.json({ mode: 'demo', components: {} });
  if (path === '/ops/session' && init?.method === 'POST') {
    operator = new URLSearchParams(init.body as URLSearchParams).get('name') ?? undefined;
    return Response.json({ name: operator });
  }
  if (operator === undefined) return Response.json({ error: 'Your session has ended.' }, { status: 401 });
  if (path === '/ops/session') return Response.json(sessionOf(operator));
  if (path.endsWith('/check')) return Response.json(check);
  if (init?.method !== 'POST') return Response.json({ pairs: pairList });
  requests.push({
    fields: new URLSearchParams(init.body as URLSearchParams),
    key: new Headers(init.headers).get('idempotency-key'),
  });
  return answer();
}

beforeEach(() => {
  [operator, requests, pairList] = ['ada', [], [PAIR]];
  answer = () => Promise.resolve(Response.json({}));
  check = { warnings: [] };
  location.hash = '#pairs';
  vi.stubGlobal('fetch', port);
});
afterEach(() => vi.unstubAllGlobals());

/** Opens the form that changes the status of a pair; the page has selected the pair automatically. */
async function openForm() {
  fireEvent.click(await screen.findByRole('button', { name: 'Change status' }));
}

/** Opens the form, types the reason, opens the preview of the decision, and returns the input of its code. */
async function previewed(reason: string) {
  await openForm();
  fireEvent.change(screen.getByLabelText(WORDS.reason), { target: { value: reason } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  return codeField();
}
const codeField = () => screen.findByLabelText<HTMLInputElement>('Authenticator code');
const confirm = () =>
  fireEvent.submit(screen.getByRole('button', { name: /^(Confirm|Sending)/ }).closest('form')!);
const signIn = async (name: string) => {
  const door = await screen.findByRole('dialog', { name: 'Sign in' });
  fireEvent.change(within(door).getByLabelText('Name'), { target: { value: name } });
  fireEvent.submit(within(door).getByRole('button', { name: 'Sign in' }).closest('form')!);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in' })).toBeNull());
};
const refusal =
  (key: string, error: string, more = {}) =>
  () =>
    Promise.resolve(Response.json({ key, error, field: 'authenticatorCode', ...more }, { status: 400 }));

it('OPS-1189 a form takes the focus when it opens, so that it is filled in by keyboard alone', async () => {
  render(<App />);
  await openForm();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(WORDS.reason)));
});

it('TRE-116 the preview shows the value of an operation beside the ceiling of its operator', async () => {
  check = { warnings: [], ceiling: { asset: 'ETH', value: '61200.5', most: '100000' } };
  render(<App />);
  await previewed('a gift');
  const section = screen.getByRole('region', { name: 'Change status' });
  expect(section.textContent).toContain(
    'Worth 61,200.5 USDT now. Your roles decide about at most 100,000 USDT in one operation.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Change' }));
  check = { warnings: [], ceiling: { asset: 'NEW' } };
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await screen.findByText('NEW has no price now. Your roles have no ceiling.');
});

it('OPS-069 a decision asks for a code immediately, accepts the format of apps, and sends it with the form', async () => {
  render(<App />);
  const code = await previewed('a reason');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect([code.inputMode, code.autocomplete]).toEqual(['numeric', 'one-time-code']);
  fireEvent.change(code, { target: { value: '12' } });
  expect(code.checkValidity()).toBe(false);
  fireEvent.change(code, { target: { value: '123 4567' } });
  expect(code.value).toBe('123456');
  expect(screen.getByRole('link', { name: /Codes of this demo/ }).getAttribute('href')).toBe('/dev/codes');
  confirm();
  await screen.findByText(/^Done\./);
  expect(Object.fromEntries(requests[0]!.fields)).toEqual({
    reason: 'a reason',
    authenticatorCode: '123456',
  });
});

it('OPS-069 a wrong or used code shows its reason and keeps all other input', async () => {
  render(<App />);
  await previewed('kept');
  answer = refusal('l.operator_code_wrong', 'Incorrect authenticator code.');
  fireEvent.change(await codeField(), { target: { value: '111111' } });
  confirm();
  expect((await screen.findByRole('alert')).textContent).toBe('Incorrect authenticator code.');
  await waitFor(async () => expect((await codeField()).value).toBe(''));
  await waitFor(async () => expect(document.activeElement).toBe(await codeField()));
  expect((await codeField()).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('kept')).toBeTruthy();
  answer = refusal('l.operator_code_used', 'This code has already been used.', { seconds: '2' });
  fireEvent.change(await codeField(), { target: { value: '222222' } });
  confirm();
  await screen.findByText('Next code in 2 s');
  await screen.findByText('Your authenticator shows a new code now.');
  answer = () => Promise.resolve(Response.json({}));
  fireEvent.change(await codeField(), { target: { value: '333333' } });
  confirm();
  await screen.findByText(/^Done\./);
  expect(requests.map(({ fields }) => fields.get('reason'))).toEqual(['kept', 'kept', 'kept']);
});

it('OPS-063 OPS-036 repeats an unanswered confirmation with the same key and code', async () => {
  render(<App />);
  await previewed('once');
  answer = () => Promise.reject(new Error('cut off'));
  fireEvent.change(await codeField(), { target: { value: '123456' } });
  confirm();
  confirm();
  expect((await screen.findByRole('alert')).textContent).toBe('The server does not answer.');
  answer = () => Promise.resolve(Response.json({}));
  confirm();
  await screen.findByText(/^Done\./);
  expect(requests).toHaveLength(2);
  expect(requests[1]!.key).toBe(requests[0]!.key);
  expect(requests[1]!.fields.get('authenticatorCode')).toBe('123456');
});

it('OPS-070 an operator who signs in again finds all input except the code', async () => {
  render(<App />);
  await previewed('half a thought');
  fireEvent.change(await codeField(), { target: { value: '123456' } });
  operator = undefined;
  confirm();
  const door = await screen.findByRole('dialog', { name: 'Sign in' });
  expect(within(door).getByText(/^Your session has ended/)).toBeTruthy();
  expect(within(door).getByLabelText<HTMLInputElement>('Name').value).toBe('ada');
  expect(screen.getByText('half a thought').closest('[inert]')).not.toBeNull();
  await signIn('ada');
  expect(screen.getByText('half a thought').closest('[inert]')).toBeNull();
  const code = await codeField();
  expect(code.value).toBe('');
  fireEvent.change(code, { target: { value: '654321' } });
  confirm();
  await screen.findByText(/^Done\./);
  expect(Object.fromEntries(requests[0]!.fields)).toEqual({
    reason: 'half a thought',
    authenticatorCode: '654321',
  });
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

it('OPS-070 another operator sees none of the input, and neither does the first one afterwards', async () => {
  render(<App />);
  await openForm();
  fireEvent.change(screen.getByLabelText(WORDS.reason), { target: { value: 'half a thought' } });
  operator = undefined;
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    await Promise.resolve();
  });
  await signIn('bob');
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByDisplayValue('half a thought')).toBeNull();
  location.hash = '#pairs';
  dispatchEvent(new Event('hashchange'));
  await screen.findByRole('button', { name: 'Change status' });
  operator = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await signIn('ada');
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByDisplayValue('half a thought')).toBeNull();
});

it('OPS-065 five wrong codes end the session, and the login explains why', async () => {
  render(<App />);
  await previewed('guessed');
  answer = () =>
    Promise.resolve(
      Response.json({ key: 'l.operator_codes_ended', error: '5 incorrect codes.' }, { status: 401 }),
    );
  fireEvent.change(await codeField(), { target: { value: '111111' } });
  confirm();
  const door = await screen.findByRole('dialog', { name: 'Sign in' });
  expect(within(door).getByText(/^5 incorrect codes\./)).toBeTruthy();
});

it('OPS-1123 an area that cannot be drawn says so, and all other areas stay usable', async () => {
  // React logs the rendering error to the console although an error boundary handles it; the mock of `console.error`
  // suppresses this log.
  const report = vi.spyOn(console, 'error').mockReturnValue();
  pairList = [{ symbol: { toString: () => 'no text' }, status: { open: true } }, null];
  render(<App />);
  expect((await screen.findByRole('alert')).textContent).toBe(WORDS.screenBroken);
  report.mockRestore();
  pairList = [PAIR];
  const goTo = (place: string) =>
    act(() => {
      location.hash = place;
      dispatchEvent(new Event('hashchange'));
    });
  goTo('#overview');
  await screen.findByRole('heading', { name: 'Overview' });
  goTo('#pairs');
  expect(await screen.findByRole('button', { name: 'Change status' })).toBeTruthy();
});
