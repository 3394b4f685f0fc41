import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { refusalText } from '../i18n/words.ts';
import { CallRefused } from './client.ts';

/**
 * Creates on this device the refusal that the server would send, for a request that it would certainly
 * refuse.
 */
export function localRefusal({ kind, key, parameters }: Refusal): CallRefused {
  return new CallRefused(REFUSAL_CODES[kind], refusalText({ key, parameters }), key, parameters);
}
