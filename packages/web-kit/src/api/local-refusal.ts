import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_CODES } from '@exchange/wire/codes.ts';
import { refusalText } from '../i18n/words.ts';
import { CallRefused } from './client.ts';

/** A refusal made on this device, identical to the server's, for a request whose refusal is certain. */
export function localRefusal({ kind, key, parameters }: Refusal): CallRefused {
  return new CallRefused(REFUSAL_CODES[kind], refusalText({ key, parameters }), key, parameters);
}
