import { refusal, type Refusal } from '@exchange/core/refusal.ts';

/** What proves, beside the session, that a deed is the owner's: fields named as the calls have them. */
export interface StepUp {
  /** The trade password. */
  readonly assetsPwd: string;
  /** The mailed code. */
  readonly code: string;
  /** Beside a mailed code, that of the authenticator of those who have one. */
  readonly googleCode: string;
}

export type StepUpProof = Exclude<keyof StepUp, 'googleCode'>;

export const NO_PROOF: StepUp = { assetsPwd: '', code: '', googleCode: '' };

const SIX_DIGITS = /^\d{6}$/;
/** Longer ones are mailed while somebody guesses at the short ones. */
const MAILED_CODE = /^(?:\d{6}|\d{16})$/;

/** The problems of those proofs that a deed asks for; the others are not looked at. */
export function stepUpProblems(
  values: StepUp,
  asked: readonly StepUpProof[],
): { readonly [Field in StepUpProof]?: Refusal } {
  const problems: { [Field in StepUpProof]?: Refusal } = {};
  for (const proof of asked) {
    const problem = proof === 'code' ? codeProblem(values.code) : tradePasswordTypedProblem(values.assetsPwd);
    if (problem !== undefined) problems[proof] = problem;
  }
  return problems;
}

/** Only what a deed asks for: an empty proof is never sent. */
export function proofOf(values: StepUp, asked: readonly StepUpProof[]): Partial<StepUp> {
  const { googleCode } = values;
  return {
    ...Object.fromEntries(asked.map((proof) => [proof, values[proof]])),
    ...(asked.includes('code') && googleCode !== '' ? { googleCode } : {}),
  };
}

/** What a mailed code lacks. */
export function codeProblem(code: string): Refusal | undefined {
  if (code === '') return refusal('invalidField', 'l.enter_code', { field: 'code' });
  return MAILED_CODE.test(code) ? undefined : refusal('invalidField', 'l.code_invalid', { field: 'code' });
}

/** What the trade password lacks that somebody has typed who has one: six digits, whichever. */
export function tradePasswordTypedProblem(digits: string, field = 'assetsPwd'): Refusal | undefined {
  return SIX_DIGITS.test(digits) ? undefined : refusal('tradePassword', 'l.trade_password_format', { field });
}
