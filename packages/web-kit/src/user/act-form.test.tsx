import { CallFailed, CallRefused } from '../api/client.ts';
import { useForm } from '../form/use-form.ts';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import type { CodeRequest } from './actions.ts';
import { initialLogin, loginProblems } from './forms.ts';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SubmitForm } from '../form/submit-form.tsx';
import { TOAST_MS } from '../ui/toast.tsx';
import { EmailAndCode } from './code-fields.tsx';

beforeAll(() => loadAllWords());
afterEach(cleanup);

interface FormProps {
  act: () => Promise<unknown>;
  onDone?: () => void;
  send?: (request: CodeRequest) => Promise<number>;
}

function Form({ act, onDone = () => undefined, send = async () => 60 }: FormProps) {
  const form = useForm({ ...initialLogin(), password: 'Lilac7garden' }, loginProblems);
  return (
    <SubmitForm form={form} act={act} onDone={onDone} isBusy={false} button="Go">
      <EmailAndCode form={form} send={send} />
    </SubmitForm>
  );
}

function open(props: FormProps) {
  render(
    <Providers>
      <Form {...props} />
    </Providers>,
  );
  return userEvent.setup();
}

const press = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Go' }));

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText('Email'), 'a@b.example');
  await user.type(screen.getByLabelText('Email code'), '12 34-56');
}

describe('a form confirmed by a mailed code', () => {
  it('WEB-014 WEB-333 sends nothing while a field is invalid, marks it and focuses the first one', async () => {
    const act = vi.fn<() => Promise<void>>(async () => undefined);
    const user = open({ act });
    await press(user);
    expect(screen.getAllByRole('alert')).toHaveLength(2);
    expect(act).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  it('WEB-014 submits once the fields are valid, and only then continues', async () => {
    const done = vi.fn<() => void>();
    const user = open({ act: async () => expect(done).not.toHaveBeenCalled(), onDone: done });
    await fill(user);
    await press(user);
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
  });

  it('WEB-014 WEB-333 shows a refusal at its field, focuses it, and stays', async () => {
    const done = vi.fn<() => void>();
    const refused = new CallRefused(-11, 'This code is not valid.', 'l.code_invalid', { field: 'code' });
    const user = open({ act: () => Promise.reject(refused), onDone: done });
    await fill(user);
    await press(user);
    const code = screen.getByLabelText('Email code');
    await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'));
    expect(
      document.getElementById(code.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent,
    ).toBe('This code is not valid.');
    expect(document.activeElement).toBe(code);
    expect(done).not.toHaveBeenCalled();
  });

  it.each([
    [
      'a refusal about no field',
      new CallRefused(-1, 'Email or password is wrong.'),
      'Email or password is wrong.',
    ],
    ['a lost answer', new CallFailed('network', 'l.network'), /connection/i],
  ])('WEB-923 keeps %s in the form until the next change', async (_, error, text) => {
    const user = open({ act: () => Promise.reject(error) });
    await fill(user);
    await press(user);
    const form = screen.getByRole('button', { name: 'Go' }).closest('form')!;
    const alert = await within(form).findByRole('alert');
    expect(alert.textContent).toMatch(text);
    await new Promise((resolve) => setTimeout(resolve, TOAST_MS + 300));
    expect(within(form).getByRole('alert')).toBe(alert);
    await user.type(screen.getByLabelText('Email'), 'x');
    expect(within(form).queryByRole('alert')).toBeNull();
  });

  it('WEB-923 shows in the form why no code was mailed', async () => {
    const refused = new CallRefused(-9, 'Too many codes today.', 'l.code_day');
    const user = open({ act: async () => undefined, send: () => Promise.reject(refused) });
    await user.type(screen.getByLabelText('Email'), 'a@b.example');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    const form = screen.getByRole('button', { name: 'Go' }).closest('form')!;
    expect((await within(form).findByRole('alert')).textContent).toBe('Too many codes today.');
  });

  it('WEB-014 mails a code only to a valid address, and then pauses', async () => {
    const send = vi.fn<(request: CodeRequest) => Promise<number>>(async () => 60);
    const user = open({ act: async () => undefined, send });
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(send).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText('Email'), 'a@b.example');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await waitFor(() => expect(send.mock.lastCall?.[0].email).toBe('a@b.example'));
    expect(await screen.findByRole<HTMLButtonElement>('button', { name: '60 s' })).toHaveProperty(
      'disabled',
      true,
    );
  });

  it('WEB-014 a code requested too early shows the waiting time', async () => {
    const soon = new CallRefused(-9, 'Another in 13 s.', 'l.code_wait', { seconds: '13' });
    const user = open({ act: async () => undefined, send: () => Promise.reject(soon) });
    await user.type(screen.getByLabelText('Email'), 'a@b.example');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByRole('button', { name: '13 s' })).toBeTruthy();
  });
});
