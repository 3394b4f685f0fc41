import { HOUR_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/** How long what lasts; milliseconds. */
export const LASTS = {
  session: 8 * HOUR_MS,
  idleSession: 15 * MINUTE_MS,
  proposal: 24 * HOUR_MS,
  setUp: 24 * HOUR_MS,
} as const;

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 200;
export const NAME = /^[a-z][a-z0-9.-]{1,29}$/;

/** Who is invited, as what, and where to. */
export interface Invited {
  readonly name: string;
  readonly roles: readonly string[];
  readonly email: string;
}

/** Whether a session that began and was last used then still stands. */
export function isSessionOpen(session: { createdAt: Instant; usedAt: Instant }, now: Instant): boolean {
  return now - session.createdAt < LASTS.session && now - session.usedAt < LASTS.idleSession;
}

/** What one row of the audit log says. */
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

/** The text of a row that its hash is made of, together with the hash before; no two rows share one. */
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
