import type { DataOf } from '@exchange/wire/endpoint.ts';
import { acceptSecondsRisk, openSeconds, secondsTransfer, setSecondsLimits } from '@exchange/wire/seconds.ts';
import { call, CallRefused, onceMore, type CallFields } from '../api/client.ts';
import { askAnew } from '../api/query-client.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { TERMS_KEY, askForSeconds } from './queries.ts';

export type OpenPayload = CallFields<typeof openSeconds>;
export type Opened = DataOf<typeof openSeconds>;
export type TransferPayload = CallFields<typeof secondsTransfer>;
export type LimitPayload = CallFields<typeof setSecondsLimits>;

/** Opens a position. A repeated submission with the same key opens it only once. */
export async function openPosition({ payload, clientId }: Attempt<OpenPayload>): Promise<Opened> {
  try {
    return await withRefetch(onceMore((timeoutMs) => call(openSeconds, payload, { clientId, timeoutMs })));
  } catch (error) {
    if (error instanceof CallRefused && error.errKey === 'l.terms_changed') askAnew(TERMS_KEY);
    throw error;
  }
}

/**
 * Transfers an amount between the coin account and the seconds account. A repeated submission with the same
 * key transfers only once.
 */
export function transfer({ payload, clientId }: Attempt<TransferPayload>) {
  return withRefetch(onceMore((timeoutMs) => call(secondsTransfer, payload, { clientId, timeoutMs })));
}

export function setLimits(payload: LimitPayload) {
  return withRefetch(call(setSecondsLimits, payload));
}

export function acceptRisk(agreementVersion: string) {
  return withRefetch(call(acceptSecondsRisk, { agreementVersion }));
}

async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  try {
    return await submission;
  } finally {
    askForSeconds();
  }
}
