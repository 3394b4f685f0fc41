import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { refusalText } from '../i18n/words.ts';
import { CallRefused } from './client.ts';

/** What the server would answer, for a call that is not made because its answer is known. */
export function refusedHere({ kind, key, parameters }: Refusal): CallRefused {
  return new CallRefused(REFUSAL_CODES[kind], refusalText({ key, parameters }), key, parameters);
}
