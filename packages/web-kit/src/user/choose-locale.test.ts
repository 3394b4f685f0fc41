import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adoptLocale, currentLocale, loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { chooseLocale } from './choose-locale.ts';

const requests: string[] = [];

beforeEach(async () => {
  localStorage.clear();
  await loadAllWords();
  requests.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const url = address instanceof Request ? address.url : String(address);
    // Counts only requests that change the profile, because screens that other tests have mounted also send requests
    // after a sign-in.
    if (url.includes('updateProfile'))
      requests.push(`${url} ${new URLSearchParams(init?.body as URLSearchParams).toString()}`);
    return new Response(JSON.stringify({ code: 1, msg: '', data: {} }));
  });
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

it('WEB-036 stores a chosen language on the device and, for signed-in users, in the account', async () => {
  await chooseLocale('ko-KR');
  expect([currentLocale(), localStorage.getItem('User-Lang')]).toEqual(['ko-KR', 'ko-KR']);
  expect(requests).toEqual([]);
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  await chooseLocale('ja-JP');
  expect(currentLocale()).toBe('ja-JP');
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatch(/lang=ja-JP/);
});

it('WEB-036 a device without a choice uses the language of the account, others keep their own', async () => {
  adoptLocale('ko-KR');
  await expect.poll(() => currentLocale()).toBe('ko-KR');
  adoptLocale('ja-JP');
  adoptLocale('xx');
  await new Promise((resolve) => setTimeout(resolve));
  expect([currentLocale(), localStorage.getItem('User-Lang')]).toEqual(['ko-KR', 'ko-KR']);
});
