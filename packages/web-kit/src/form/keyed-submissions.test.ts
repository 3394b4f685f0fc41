import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { afterEach, expect, it } from 'vitest';
import { CallFailed, CallRefused } from '../api/client.ts';
import { submitKeyed, submissionOf, discardSubmission } from './keyed-submissions.ts';

const FORM = 'test withdrawal';
const tooSoon = new CallRefused(REFUSAL_CODES.rateLimited, 'Too soon.');

/** Submits a form with the same content at every call; returns the request's idempotency key and its outcome. */
async function submitOnce(answer: Error | string) {
  let key = '';
  const outcome = await submitKeyed({
    form: FORM,
    title: 'Withdraw',
    intent: 'send 1',
    retry: () => Promise.resolve(false),
    payloadOf: () => '1',
    send: ({ clientId }) => {
      key = clientId;
      return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer);
    },
  });
  return { key, is: outcome.is };
}

afterEach(() => discardSubmission(FORM));

it('WEB-127 a rate-limited retry leaves the submission unanswered under its key', async () => {
  const first = await submitOnce(new CallFailed('timeout', 'No answer.'));
  expect(await submitOnce(tooSoon)).toEqual({ key: first.key, is: 'refused' });
  expect(submissionOf(FORM)).toMatchObject({ clientId: first.key, isInProgress: false });
  expect(await submitOnce('done')).toEqual({ key: first.key, is: 'answered' });
  expect(submissionOf(FORM)).toBeUndefined();
});

it('WEB-127 a first request that is rate-limited, or refused permanently, is settled', async () => {
  const early = await submitOnce(tooSoon);
  expect([early.is, submissionOf(FORM)]).toEqual(['refused', undefined]);
  const lost = await submitOnce(new CallFailed('timeout', 'No answer.'));
  expect(lost.key).not.toBe(early.key);
  await submitOnce(new CallRefused(REFUSAL_CODES.insufficientBalance, 'Too little.'));
  expect(submissionOf(FORM)).toBeUndefined();
});
