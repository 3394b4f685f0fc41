export type IdentityTables = {
  user_account: {
    id: string;
    uid: string;
    email: string | null;
    house_name: string | null;
    nickname: string;
    password_hash: string | null;
    trade_password_hash: string | null;
    trade_password_failures: number;
    trade_password_locked_until: bigint;
    invitation_code: string;
    invited_by: string | null;
    may_purchase: boolean;
    frozen: boolean;
    kyc_status: number;
    name_masked: string;
    document_masked: string;
    hold_until: bigint;
    hold_reason: string;
    locale: string;
    notify_fills: boolean;
    created_at: bigint;
  };
  email_code: {
    id: string;
    email: string;
    purpose: string;
    code_hash: Buffer;
    asked_from: string;
    created_at: bigint;
    expires_at: bigint;
    tries: number;
    closed_at: bigint | null;
    lane: string;
    digits: number;
    stranger_tries: number;
    asked_network: string;
    claimed_for: Buffer | null;
  };
  email_ticket: { id: string; token_hash: Buffer; email: string; purpose: string; expires_at: bigint };
  sign_in_failure: {
    subject: string;
    recent: number;
    first_at: bigint;
    last_at: bigint;
    whole_at: bigint;
  };
  security_event: {
    id: string;
    user_id: string | null;
    kind: string;
    device: string;
    address: string;
    detail: string;
    at: bigint;
  };
};
