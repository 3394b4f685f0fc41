import { refusal, type Refusal } from '@exchange/core/refusal.ts';

/** Step-up proofs that confirm the owner in addition to the session; named like the endpoints' fields. */
export interface StepUp {
  readonly assetsPwd: string;
  readonly code: string;
  /** The authenticator code; users with an authenticator app send it together with the email code. */
  readonly googleCode: string;
}

/** The step-up proofs that a form sends: the typed ones, or the answer of a passkey instead of the codes. */
export type StepUpAnswer = Partial<StepUp> & { readonly passkey?: string };

export type StepUpProof = Exclude<keyof StepUp, 'googleCode'>;

export const NO_PROOF: StepUp = { assetsPwd: '', code: '', googleCode: '' };

const SIX_DIGITS = /^\d{6}$/;
/** 6 digits, or 16 while codes of the address are being guessed or requested excessively. */
const MAILED_CODE = /^(?:\d{6}|\d{16})$/;

/** Format problems of the required proofs; other proofs are not checked. */
export function stepUpProblems(
  values: StepUp,
  requiredProofs: readonly StepUpProof[],
): { readonly [Field in StepUpProof]?: Refusal } {
  const problems: { [Field in StepUpProof]?: Refusal } = {};
  for (const proof of requiredProofs) {
    const problem =
      proof === 'code' ? codeProblem(values.code) : tradePasswordFormatProblem(values.assetsPwd);
    if (problem !== undefined) problems[proof] = problem;
  }
  return problems;
}

/**
 * Returns the required step-up proofs of a form. An authenticator code is added to a required email code if its field
 * is not empty.
 */
export function proofOf(values: StepUp, requiredProofs: readonly StepUpProof[]): Partial<StepUp> {
  const { googleCode } = values;
  return {
    ...Object.fromEntries(requiredProofs.map((proof) => [proof, values[proof]])),
    ...(requiredProofs.includes('code') && googleCode !== '' ? { googleCode } : {}),
  };
}

/** Returns a refusal if an email code has the wrong format. */
export function codeProblem(code: string): Refusal | undefined {
  if (code === '') return refusal('invalidField', 'l.enter_code', { field: 'code' });
  return MAILED_CODE.test(code) ? undefined : refusal('invalidField', 'l.code_invalid', { field: 'code' });
}

/** Returns a refusal if an existing trade password does not have six digits. */
export function tradePasswordFormatProblem(digits: string, field = 'assetsPwd'): Refusal | undefined {
  return SIX_DIGITS.test(digits) ? undefined : refusal('tradePassword', 'l.trade_password_format', { field });
}
