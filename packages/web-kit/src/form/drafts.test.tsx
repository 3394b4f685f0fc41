import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { endSession, startSession } from '../session/session-store.ts';
import { removeDrafts, type Draft } from './drafts.ts';
import { useForm } from './use-form.ts';

const EMPTY = { email: '', content: '', password: '' };
type Form = typeof EMPTY;
const DRAFT: Draft<Form> = { name: 'question', fields: ['email', 'content'] };

const open = () => renderHook(() => useForm(EMPTY, () => ({}), DRAFT)).result;

afterEach(() => {
  cleanup();
  endSession();
  removeDrafts();
});

it('WEB-934 a form begins with what was typed and not sent, but for what proves something', () => {
  const first = open();
  act(() => first.current.set('email', 'a@b.example'));
  act(() => first.current.set('password', 'Lilac7garden'));
  cleanup();
  expect(open().current.values).toEqual({ email: 'a@b.example', content: '', password: '' });
});

it('WEB-934 what was sent or emptied is gone, and the form on screen stays as it is', () => {
  const sent = open();
  act(() => sent.current.set('content', 'Where is it?'));
  act(() => sent.current.removeDraft());
  expect(sent.current.values.content).toBe('Where is it?');
  cleanup();
  const emptied = open();
  expect(emptied.current.values).toEqual(EMPTY);
  act(() => emptied.current.set('content', 'again'));
  act(() => emptied.current.reset(EMPTY));
  cleanup();
  expect(open().current.values).toEqual(EMPTY);
});

it('WEB-934 nobody finds what somebody else has typed, nor a member what a visitor has', () => {
  const visitor = open();
  act(() => visitor.current.set('content', 'by a visitor'));
  startSession({ userId: 'u', token: 't', email: '' });
  cleanup();
  const member = open();
  expect(member.current.values).toEqual(EMPTY);
  act(() => member.current.set('content', 'by a member'));
  endSession();
  cleanup();
  expect(open().current.values).toEqual(EMPTY);
});

it('WEB-934 a form cannot name a field that proves something', () => {
  // @ts-expect-error -- a password is in no draft
  const draft: Draft<Form> = { name: 'wrong', fields: ['password'] };
  expect(draft.fields).toHaveLength(1);
});
