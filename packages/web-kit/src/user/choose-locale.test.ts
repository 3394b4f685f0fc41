import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adoptLocale, currentLocale, startWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { chooseLocale } from './choose-locale.ts';

const asked: string[] = [];

beforeEach(async () => {
  localStorage.clear();
  await startWords();
  asked.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const url = address instanceof Request ? address.url : String(address);
    // Mounted screens of other test files also send requests on sign-in.
    if (url.includes('updateProfile'))
      asked.push(`${url} ${new URLSearchParams(init?.body as URLSearchParams).toString()}`);
    return new Response(JSON.stringify({ code: 1, msg: '', data: {} }));
  });
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

it('WEB-036 a chosen language is remembered here and, for the signed-in, kept with the account', async () => {
  await chooseLocale('ko-KR');
  expect([currentLocale(), localStorage.getItem('User-Lang')]).toEqual(['ko-KR', 'ko-KR']);
  expect(asked).toEqual([]);
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  await chooseLocale('ja-JP');
  expect(currentLocale()).toBe('ja-JP');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/lang=ja-JP/);
});

it('WEB-036 a device where nobody has chosen takes the language of the account, another keeps its own', async () => {
  adoptLocale('ko-KR');
  await vi.waitFor(() => expect(currentLocale()).toBe('ko-KR'));
  adoptLocale('ja-JP');
  adoptLocale('xx');
  await new Promise((resolve) => setTimeout(resolve));
  expect([currentLocale(), localStorage.getItem('User-Lang')]).toEqual(['ko-KR', 'ko-KR']);
});
