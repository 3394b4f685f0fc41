import { refusal, type Refusal } from './refusal.ts';

/**
 * Why nothing is bought for somebody who was shown terms of a version, or undefined: other terms are in force. Who names no
 * version is asked nothing.
 */
export function termsVersionProblem(shown: number | undefined, inForce: number): Refusal | undefined {
  if (shown === undefined || shown === inForce) return undefined;
  return refusal('closed', 'l.terms_changed', { limit: String(inForce), value: String(shown) });
}
