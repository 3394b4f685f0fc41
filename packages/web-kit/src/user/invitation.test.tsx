import { register } from '@exchange/wire/user.ts';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useRegister } from './actions.ts';
import { useRegisterForm } from './consent.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterAll(() => server.stop());
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  endSession();
});

const codeOf = (linkCode: string): string => {
  const { result, unmount } = renderHook(() => useRegisterForm(linkCode), { wrapper: Providers });
  const { invitationCode } = result.current.form.values;
  unmount();
  return invitationCode;
};

it('WEB-924 fills in the newest valid code of an invitation link, also on a later visit', () => {
  expect(codeOf('')).toBe('');
  expect(codeOf('HF74NCHA')).toBe('HF74NCHA');
  expect(codeOf('')).toBe('HF74NCHA');
  expect(codeOf('9747QKAN')).toBe('9747QKAN');
  codeOf('<b>no code</b>');
  expect(codeOf('')).toBe('9747QKAN');
});

it('WEB-924 a refused registration keeps the code, a successful one removes it', async () => {
  codeOf('HF74NCHA');
  const { result } = renderHook(() => useRegister(), { wrapper: Providers });
  const send = () =>
    act(() => result.current.mutateAsync({ email: 'a@b.example' } as never).catch(() => undefined));
  server.serve({ [register.path]: () => ({ code: 0, msg: 'No.' }) });
  await send();
  expect(codeOf('')).toBe('HF74NCHA');
  server.serve({ [register.path]: () => ({ code: 1, data: { userId: 'u', token: 't' } }) });
  await send();
  expect(codeOf('')).toBe('');
});
