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

/** Opens a position; the same attempt sent again is the same position. */
export async function openPosition({ payload, clientId }: Attempt<OpenPayload>): Promise<Opened> {
  try {
    return await asked(onceMore((timeoutMs) => call(openSeconds, payload, { clientId, timeoutMs })));
  } catch (error) {
    if (error instanceof CallRefused && error.errKey === 'l.terms_changed') askAnew(TERMS_KEY);
    throw error;
  }
}

/** Moves an amount between the coin account and the seconds account. */
export function transfer({ payload, clientId }: Attempt<TransferPayload>) {
  return asked(onceMore((timeoutMs) => call(secondsTransfer, payload, { clientId, timeoutMs })));
}

export function setLimits(payload: LimitPayload) {
  return asked(call(setSecondsLimits, payload));
}

export function acceptRisk(agreementVersion: string) {
  return asked(call(acceptSecondsRisk, { agreementVersion }));
}

async function asked<Answer>(deed: Promise<Answer>): Promise<Answer> {
  try {
    return await deed;
  } finally {
    askForSeconds();
  }
}
