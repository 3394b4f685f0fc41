import { refusal, Refused } from '@exchange/core/refusal.ts';
import { describe, expect, it } from 'vitest';
import { Submission, Submissions, type SubmissionParts } from './submission.ts';

const ACTOR = '00000000-0000-4000-8000-000000000001';

function submission(amount: string): Submission {
  return Submission.create({ actor: ACTOR, operation: 'test.pay', key: 'once', sent: { amount } });
}

/**
 * Creates the object under test, with the first answers stored in the returned map instead of the database.
 */
function createSubmissions() {
  const stored = new Map<string, string>();
  const submissions = new Submissions({
    find: ({ name }) => (stored.has(name) ? Promise.resolve(stored.get(name)) : undefined),
    expect: () => undefined,
  });
  return { stored, submissions };
}

const asStored = (stored: string): string => stored;

describe('submissions', () => {
  it('SEQ-601 repetitions during the first request share its outcome, and other fields are refused', async () => {
    const { submissions } = createSubmissions();
    let runs = 0;
    let finish: (answer: string) => void = () => undefined;
    const first = () => {
      runs += 1;
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const repetitions = [1, 2, 3].map(() => submissions.serve(submission('5'), { first, restore: asStored }));
    await expect(submissions.serve(submission('6'), { first, restore: asStored })).rejects.toThrow(
      'l.duplicate_key',
    );
    finish('paid');
    expect(await Promise.all(repetitions)).toEqual(['paid', 'paid', 'paid']);
    expect(runs).toBe(1);
  });

  it('SEQ-601 a refused request leaves its key free, also for other fields', async () => {
    const { submissions } = createSubmissions();
    const refuse = () => {
      throw new Refused(refusal('closed', 'l.pair_closed'));
    };
    await expect(submissions.serve(submission('5'), { first: refuse, restore: asStored })).rejects.toThrow(
      Refused,
    );
    expect(await submissions.serve(submission('6'), { first: () => 'paid', restore: asStored })).toBe('paid');
  });

  it('SEQ-600 a stored answer is restored without running the request', async () => {
    const { stored, submissions } = createSubmissions();
    stored.set(submission('5').name, 'paid');
    const first = () => {
      throw new Error('ran');
    };
    expect(await submissions.serve(submission('5'), { first, restore: asStored })).toBe('paid');
  });

  it('SEQ-603 a submission cannot be created without the sent fields', () => {
    const parts = { actor: ACTOR, operation: 'test.pay', key: 'once' };
    // @ts-expect-error -- the sent fields are missing
    const incomplete: SubmissionParts = parts;
    // @ts-expect-error -- the constructor is private
    const construct = () => new Submission(incomplete);
    expect(construct).toBeTypeOf('function');
    expect(submission('5').fingerprint).not.toBe(submission('6').fingerprint);
  });
});
