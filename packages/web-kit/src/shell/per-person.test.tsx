import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Toaster } from '../ui/toast.tsx';
import { PerPerson } from './per-person.tsx';

const NOTICE = /Another account is now signed in/;
const person = (userId: string, token = userId): void =>
  startSession({ userId, token, email: 'a@b.example' });

function Ticket() {
  const [amount, setAmount] = useState('');
  return <input aria-label="Amount" value={amount} onChange={(event) => setAmount(event.target.value)} />;
}

async function typeAmount() {
  render(
    <>
      <PerPerson>
        <Ticket />
      </PerPerson>
      <Toaster />
    </>,
  );
  await userEvent.setup().type(screen.getByLabelText('Amount'), '12');
}
const typed = () => screen.getByLabelText<HTMLInputElement>('Amount').value;

beforeAll(() => startWords());
beforeEach(() => endSession());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('WEB-925 what one person typed is gone when another is signed in, and a notice says so', async () => {
  person('a');
  await typeAmount();
  act(() => person('b'));
  expect(typed()).toBe('');
  expect(screen.getByText(NOTICE)).toBeTruthy();
});

it('WEB-925 the notice waits until the tab is looked at', async () => {
  person('a');
  await typeAmount();
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const before = screen.queryAllByText(NOTICE).length;
  act(() => person('c'));
  expect(typed()).toBe('');
  expect(screen.queryAllByText(NOTICE)).toHaveLength(before);
  state.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.queryAllByText(NOTICE)).toHaveLength(before + 1);
});

it('WEB-925 a logout clears the forms; signing in, or in again, keeps what was typed', async () => {
  await typeAmount();
  act(() => person('a'));
  expect(typed()).toBe('12');
  act(() => person('a', 'a newer session'));
  expect(typed()).toBe('12');
  act(() => endSession());
  expect(typed()).toBe('');
});
