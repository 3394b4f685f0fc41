import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailed, CallRefused } from '../api/client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { startSession, useSession } from '../session/session-store.ts';
import FrameNotes from '../shell/frame-notes.tsx';
import { Toaster } from '../ui/toast.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { UnansweredNote } from './unanswered-note.tsx';
import { useKeyedSubmit } from './use-keyed-submit.ts';

const LOST = new CallFailed('timeout', 'No answer in time.');
const REFUSED = new CallRefused(-1, 'The code has expired.');

let answers: (Error | string)[];
let keys: string[];

beforeEach(async () => {
  await loadAllWords();
  answers = [];
  keys = [];
  useSession.setState({ session: null });
  startSession({ userId: 'a', token: 'token-a', email: 'a@b.example' });
});

function WithdrawalForm({ showsNote }: { readonly showsNote: boolean }) {
  const { act: send, unanswered } = useKeyedSubmit({
    form: 'withdraw',
    title: 'Withdraw USDT',
    send: ({ clientId }) => {
      keys.push(clientId);
      const answer = answers.shift() ?? 'done';
      return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer);
    },
    onAnswered: () => undefined,
  });
  return (
    <ConfirmForm
      consequence={showsNote ? <UnansweredNote unanswered={unanswered} /> : null}
      button="Withdraw"
      act={() => send('5 USDT', () => 'payload')}
      onDone={() => undefined}
    />
  );
}

/** A page with a form, a button that unmounts the form, and the frame's notes on unanswered requests. */
function Page({ showsNote = true }: { readonly showsNote?: boolean }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {isOpen ? <WithdrawalForm showsNote={showsNote} /> : null}
      <button type="button" onClick={() => setOpen(false)}>
        Leave the form
      </button>
      <FrameNotes className="" />
      <Toaster />
    </>
  );
}

const press = (name: string | RegExp) =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await Promise.resolve();
  });
const notices = () =>
  [...document.querySelectorAll('[data-notices] [role]')].map(({ textContent }) => textContent);

describe('an unanswered request', () => {
  it('WEB-904 shows the refusal of a retry from its form', async () => {
    answers = [LOST, REFUSED];
    render(<Page />);
    await press('Withdraw');
    await press(/^Send again/);
    expect(notices()).toContain('The code has expired.');
    expect(keys[1]).toBe(keys[0]);
    expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
  });

  it('WEB-904 shows that the answer was lost again, and stays', async () => {
    answers = [LOST, new CallFailed('timeout', 'No answer again.')];
    render(<Page />);
    await press('Withdraw');
    await press(/^Send again/);
    expect(notices()).toContain('No answer again.');
    expect(screen.getByRole('button', { name: /^Send again/ })).toBeTruthy();
  });

  it('WEB-905 is shown with its title by the site’s frame when its form is closed', async () => {
    answers = [LOST, 'done'];
    render(<Page />);
    await press('Withdraw');
    expect(screen.getAllByRole('button', { name: /^Send again/ })).toHaveLength(1);
    await press('Leave the form');
    expect(screen.getByText(/No response to: Withdraw USDT/)).toBeTruthy();
    await press(/^Send again/);
    expect(keys[1]).toBe(keys[0]);
    expect(screen.queryByText(/No response to/)).toBeNull();
  });

  it('WEB-905 is shown by the site’s frame when its form does not show it, and can be discarded there', async () => {
    answers = [LOST];
    render(<Page showsNote={false} />);
    await press('Withdraw');
    await press('Start over');
    expect(screen.queryByText(/No response to/)).toBeNull();
    await press('Withdraw');
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('WEB-905 is not visible to another user', async () => {
    answers = [LOST];
    render(<Page showsNote={false} />);
    await press('Withdraw');
    act(() => startSession({ userId: 'b', token: 'token-b', email: 'b@b.example' }));
    expect(screen.queryByText(/No response to/)).toBeNull();
  });
});
