import { sendForgetCode } from '@exchange/wire/user.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callWithWork } from '../api/work.ts';
import { useForm } from '../form/use-form.ts';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import { useSendCode, useSendForgetCode } from './actions.ts';
import { EmailAndCode } from './code-fields.tsx';
import { initialLogin, loginProblems } from './forms.ts';

beforeAll(() => loadAllWords());

const CHALLENGE = '12.mi8x3k2a.AAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB';
const SENT = { code: 1, msg: 'success', data: { wait: 60 } };
const demand = (difficulty: number) => ({
  code: -9,
  msg: 'Work first',
  errKey: 'l.code_challenge',
  data: { challenge: CHALLENGE, difficulty: String(difficulty) },
});
const INVALID = { code: -1, msg: 'Expired', errKey: 'l.challenge_invalid', data: { field: 'solution' } };

let forms: URLSearchParams[] = [];
let answers: object[] = [];
beforeEach(() => {
  forms = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: URLSearchParams }) => {
    forms.push(body);
    return new Response(JSON.stringify(answers.shift() ?? SENT));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Form({ isReset = false }: { isReset?: boolean }) {
  const form = useForm({ ...initialLogin(), email: 'a@b.example' }, loginProblems);
  const login = useSendCode('login');
  const reset = useSendForgetCode();
  return <EmailAndCode form={form} send={isReset ? reset.mutateAsync : login.mutateAsync} />;
}

function open(isReset = false) {
  return render(
    <Providers>
      <Form isReset={isReset} />
    </Providers>,
  );
}

const button = () => screen.getByRole('button');
const isSolution = (form: URLSearchParams | undefined) =>
  createHash('sha256')
    .update(`${form?.get('challenge')}.${form?.get('solution')}`)
    .digest()
    .readUInt32BE() <
  2 ** 20;

describe('the button that requests a code', () => {
  it.each([false, true])(
    'ID-926 solves the challenge automatically and repeats the request (reset: %s)',
    async (isReset) => {
      answers = [demand(12)];
      open(isReset);
      await userEvent.click(button());
      await waitFor(() => expect(button().textContent).toBe('60 s'));
      expect(forms).toHaveLength(2);
      expect(forms[0]?.get('solution')).toBeNull();
      expect(forms[1]?.get('email')).toBe('a@b.example');
      expect(isSolution(forms[1])).toBe(true);
    },
  );

  it('ID-926 requests another challenge when a solution has expired, and fails after three', async () => {
    answers = [demand(12), INVALID, demand(12)];
    open();
    await userEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe('60 s'));
    expect(forms.map((form) => form.has('solution'))).toEqual([false, true, false, true]);
    cleanup();
    forms = [];
    answers = Array.from({ length: 20 }, () => demand(1));
    open();
    await userEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe('Send code'));
    expect(forms).toHaveLength(4);
  });

  it('ID-926 shows that it is computing, and stops when the page is left', async () => {
    answers = [demand(32)];
    const aborted = vi.spyOn(AbortController.prototype, 'abort');
    const { unmount } = open();
    await userEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe('Checking…'));
    expect(button().getAttribute('aria-busy')).toBe('true');
    expect(aborted).not.toHaveBeenCalled();
    unmount();
    expect(aborted).toHaveBeenCalledOnce();
    expect(forms).toHaveLength(1);
    aborted.mockRestore();
  });

  it('ID-926 an aborted search ends at once and sends nothing', async () => {
    answers = [demand(32)];
    const page = new AbortController();
    const states: boolean[] = [];
    const request = callWithWork(
      sendForgetCode,
      { email: 'a@b.example' },
      {
        signal: page.signal,
        onWork: (isWorking) => {
          states.push(isWorking);
          // The timer aborts the request between two slices of the proof-of-work search. If the search blocked the
          // page, the timer could not run before its end.
          setTimeout(() => page.abort());
        },
      },
    );
    await expect(request).rejects.toThrow(/abort/i);
    expect(states).toEqual([true, false]);
    expect(forms).toHaveLength(1);
  });
});
