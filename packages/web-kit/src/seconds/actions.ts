import type { DataOf } from '@exchange/wire/endpoint.ts';
import { acceptSecondsRisk, openSeconds, secondsTransfer, setSecondsLimits } from '@exchange/wire/seconds.ts';
import { call, CallRefused, retryOnce, type CallFields } from '../api/client.ts';
import { refetchActive } from '../api/query-client.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { TERMS_KEY, refetchSeconds } from './queries.ts';

export type OpenPayload = CallFields<typeof openSeconds>;
export type Opened = DataOf<typeof openSeconds>;
export type TransferPayload = CallFields<typeof secondsTransfer>;
export type LimitPayload = CallFields<typeof setSecondsLimits>;

/**
 * Opens a position in the seconds contract. Repeated requests with the same idempotency key open only one position. If
 * the server refuses because the displayed terms have changed, the terms are refetched.
 */
export async function openPosition({ payload, clientId }: KeyedSubmission<OpenPayload>): Promise<Opened> {
  try {
    return await withRefetch(retryOnce((timeoutMs) => call(openSeconds, payload, { clientId, timeoutMs })));
  } catch (error) {
    if (error instanceof CallRefused && error.errKey === 'l.terms_changed') refetchActive(TERMS_KEY);
    throw error;
  }
}

/**
 * Transfers an amount between the user's coin account and seconds account, in the direction that `payload`
 * names. Repeated requests with the same idempotency key transfer only once.
 */
export function transfer({ payload, clientId }: KeyedSubmission<TransferPayload>) {
  return withRefetch(retryOnce((timeoutMs) => call(secondsTransfer, payload, { clientId, timeoutMs })));
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
    refetchSeconds();
  }
}
