/** Rows of the API key tables, in the types that the database driver returns. */
export type ApiKeyTables = {
  api_key: {
    id: string;
    owner: string;
    name: string;
    key: string;
    kind: string;
    sealed_secret: Buffer | null;
    public_key: string | null;
    may_trade: boolean;
    may_transfer: boolean;
    withdrawal_limit: string | null;
    addresses: string[];
    created_at: bigint;
    expires_at: bigint | null;
    last_used_at: bigint | null;
    last_used_address: string | null;
    revoked_at: bigint | null;
  };
  api_key_request: RequestRow;
  api_key_unproven_request: RequestRow;
  api_key_address: { key_id: string; address: string; first_used_at: bigint };
};

/** Row of a recorded API request; `sequence` numbers the requests of its key in the table. */
interface RequestRow {
  key_id: string;
  place: number;
  sequence: bigint;
  at: bigint;
  method: string;
  path: string;
  weight: number;
  status: number;
  code: number;
  address: string;
  duration_us: number;
}
