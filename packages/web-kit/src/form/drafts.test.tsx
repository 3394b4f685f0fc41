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

it('WEB-934 a form starts with unsent input, except for secrets', () => {
  const first = open();
  act(() => first.current.set('email', 'a@b.example'));
  act(() => first.current.set('password', 'Lilac7garden'));
  cleanup();
  expect(open().current.values).toEqual({ email: 'a@b.example', content: '', password: '' });
});

it('WEB-934 sent or emptied drafts are removed, and the form on screen keeps its values', () => {
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

it('WEB-934 drafts are not visible to another user, nor a visitor’s to a user', () => {
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

it('WEB-934 a draft cannot contain a secret field', () => {
  // @ts-expect-error -- a password is in no draft
  const draft: Draft<Form> = { name: 'wrong', fields: ['password'] };
  expect(draft.fields).toHaveLength(1);
});
