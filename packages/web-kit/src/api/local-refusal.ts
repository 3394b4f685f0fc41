import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { refusalText } from '../i18n/words.ts';
import { CallRefused } from './client.ts';

/**
 * Creates the refusal that the server would send. Screens use it for a request that the server would certainly refuse,
 * instead of sending the request.
 */
export function localRefusal({ kind, key, parameters }: Refusal): CallRefused {
  return new CallRefused(REFUSAL_CODES[kind], refusalText({ key, parameters }), key, parameters);
}
