export type OperatorTables = {
  operator: {
    name: string;
    roles: string[];
    /** Email address to which the invitation was mailed; null for the first owner and for operators of a demo. */
    email: string | null;
    password_hash: string | null;
    totp: Buffer | null;
    totp_step: bigint | null;
    set_up_hash: Buffer | null;
    set_up_until: bigint | null;
    confirmed_at: bigint | null;
    is_disabled: boolean;
    created_at: bigint;
  };
  operator_session: { token_hash: Buffer; operator: string; created_at: bigint; used_at: bigint };
  operator_scheduled: {
    id: string;
    operator: string;
    approved_by: string | null;
    operation: string;
    parameters: string;
    fields: string;
    reason: string;
    state: 'waiting' | 'running' | 'done' | 'refused' | 'failed' | 'cancelled' | 'interrupted';
    created_at: bigint;
    starts_at: bigint;
    evidence_digest: Buffer | null;
    ended_at: bigint | null;
    ended_by: string | null;
    result: string | null;
  };
  operator_proposal: {
    id: string;
    operator: string;
    operation: string;
    parameters: string;
    fields: string;
    reason: string;
    state: 'open' | 'running' | 'done' | 'failed' | 'rejected' | 'expired' | 'interrupted';
    created_at: bigint;
    expires_at: bigint;
    decided_by: string | null;
    decided_at: bigint | null;
    result: string | null;
    evidence_digest: Buffer | null;
    moves_money: boolean;
  };
  operator_guess: { subject: string; failures: number; since: bigint };
  operator_recovery_code: { operator: string; code_hash: Buffer; used_at: bigint | null };
  operator_claim: { queue: string; record: string; operator: string; until: bigint };
  operator_submission: {
    operator: string;
    key: string;
    /**
     * Digest of the operation with its path parameters and fields. A call with the same key and another
     * digest is refused.
     */
    fingerprint: Buffer;
    /**
     * The first response as JSON; null while the call runs, after it was interrupted, and for responses with secrets.
     */
    answer: string | null;
    is_secret: boolean;
    at: bigint;
  };
  operator_audit: {
    sequence: bigint;
    at: bigint;
    operator: string;
    action: string;
    event: string;
    parameters: string;
    fields: string;
    reason: string;
    approved_by: string | null;
    result: string;
    hash: Buffer;
  };
};
