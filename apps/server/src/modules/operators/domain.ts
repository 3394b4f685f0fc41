import { HOUR_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Lifetimes of operators' sessions, proposals and set-up codes, in milliseconds. A session also ends after
 * `idleSession` without a request.
 */
export const LIFETIMES = {
  session: 8 * HOUR_MS,
  idleSession: 15 * MINUTE_MS,
  proposal: 24 * HOUR_MS,
  setUp: 24 * HOUR_MS,
} as const;

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 200;
export const NAME = /^[a-z][a-z0-9.-]{1,29}$/;

/** An invitation to become an operator, or, for an existing name, to set up the operator's account again. */
export interface Invitation {
  readonly name: string;
  readonly roles: readonly string[];
  readonly email: string;
}

/**
 * True if a session is open: it is younger than `LIFETIMES.session`, and its last request is less than
 * `LIFETIMES.idleSession` ago.
 */
export function isSessionOpen(session: { createdAt: Instant; usedAt: Instant }, now: Instant): boolean {
  return now - session.createdAt < LIFETIMES.session && now - session.usedAt < LIFETIMES.idleSession;
}

/** Content of an audit log row, without its sequence number and hash. */
export interface AuditFacts {
  readonly at: Instant;
  readonly operator: string;
  readonly action: string;
  readonly event: string;
  readonly parameters: string;
  readonly fields: string;
  readonly reason: string;
  readonly approvedBy: string | undefined;
  readonly result: string;
}

/**
 * The text of an audit log row, from which the row's hash is computed together with the previous row's hash. Rows with
 * different contents have different texts.
 */
export function auditText(sequence: number, facts: AuditFacts): string {
  const { at, operator, action, event, parameters, fields, reason, approvedBy, result } = facts;
  return JSON.stringify([
    sequence,
    at,
    operator,
    action,
    event,
    parameters,
    fields,
    reason,
    approvedBy ?? null,
    result,
  ]);
}
