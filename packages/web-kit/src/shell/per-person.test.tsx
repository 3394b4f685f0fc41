import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Toaster } from '../ui/toast.tsx';
import { PerUser } from './per-user.tsx';

const NOTICE = /Another account is now signed in/;
const signInAs = (userId: string, token = userId): void =>
  startSession({ userId, token, email: 'a@b.example' });

function Ticket() {
  const [amount, setAmount] = useState('');
  return <input aria-label="Amount" value={amount} onChange={(event) => setAmount(event.target.value)} />;
}

async function typeAmount() {
  render(
    <>
      <PerUser>
        <Ticket />
      </PerUser>
      <Toaster />
    </>,
  );
  await userEvent.setup().type(screen.getByLabelText('Amount'), '12');
}
const typed = () => screen.getByLabelText<HTMLInputElement>('Amount').value;

beforeAll(() => loadAllWords());
beforeEach(() => endSession());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('WEB-925 discards input when a different user is signed in, with a notification', async () => {
  signInAs('a');
  await typeAmount();
  act(() => signInAs('b'));
  expect(typed()).toBe('');
  expect(screen.getByText(NOTICE)).toBeTruthy();
});

it('WEB-925 the notification waits until the tab is visible', async () => {
  signInAs('a');
  await typeAmount();
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const before = screen.queryAllByText(NOTICE).length;
  act(() => signInAs('c'));
  expect(typed()).toBe('');
  expect(screen.queryAllByText(NOTICE)).toHaveLength(before);
  state.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.queryAllByText(NOTICE)).toHaveLength(before + 1);
});

it('WEB-925 a logout clears the forms; signing in, or in again, keeps the input', async () => {
  await typeAmount();
  act(() => signInAs('a'));
  expect(typed()).toBe('12');
  act(() => signInAs('a', 'a newer session'));
  expect(typed()).toBe('12');
  act(() => endSession());
  expect(typed()).toBe('');
});
