import { refusal, type Refusal } from '@exchange/core/refusal.ts';

/**
 * Step-up proofs by which the user confirms a request in addition to the session; the names are those of the endpoints'
 * fields.
 */
export interface StepUp {
  readonly assetsPwd: string;
  readonly code: string;
  /** The authenticator code; users with an authenticator app send it in addition to the email code. */
  readonly googleCode: string;
}

/**
 * The step-up proofs that a form sends: either the typed ones, or the text that confirms the request by passkey instead
 * of the codes.
 */
export type StepUpAnswer = Partial<StepUp> & { readonly passkey?: string };

export type StepUpProof = Exclude<keyof StepUp, 'googleCode'>;

export const NO_PROOF: StepUp = { assetsPwd: '', code: '', googleCode: '' };

const SIX_DIGITS = /^\d{6}$/;
/** An email code has 6 digits; it has 16 while someone guesses or requests codes of the address excessively. */
const MAILED_CODE = /^(?:\d{6}|\d{16})$/;

/**
 * Validates the format of the required proofs. Returns a refusal for each proof in the wrong format; proofs that are
 * not required are ignored.
 */
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
 * Returns the values of the required step-up proofs. If an email code is required, the authenticator code is added when
 * its field is not empty.
 */
export function proofOf(values: StepUp, requiredProofs: readonly StepUpProof[]): Partial<StepUp> {
  const { googleCode } = values;
  return {
    ...Object.fromEntries(requiredProofs.map((proof) => [proof, values[proof]])),
    ...(requiredProofs.includes('code') && googleCode !== '' ? { googleCode } : {}),
  };
}

/** Returns a refusal if an email code is missing or has the wrong format; otherwise undefined. */
export function codeProblem(code: string): Refusal | undefined {
  if (code === '') return refusal('invalidField', 'l.enter_code', { field: 'code' });
  return MAILED_CODE.test(code) ? undefined : refusal('invalidField', 'l.code_invalid', { field: 'code' });
}

/** Returns a refusal if the text is not six digits, the format of a trade password; otherwise undefined. */
export function tradePasswordFormatProblem(digits: string, field = 'assetsPwd'): Refusal | undefined {
  return SIX_DIGITS.test(digits) ? undefined : refusal('tradePassword', 'l.trade_password_format', { field });
}
