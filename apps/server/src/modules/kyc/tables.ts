export type KycTables = {
  kyc_submission: {
    id: string;
    owner: string;
    request_key: string | null;
    country: string;
    sealed: Buffer;
    document_hash: Buffer;
    fingerprint_version: number;
    near_keys: Buffer[];
    number_key: Buffer | null;
    name_keys: Buffer[];
    front: string;
    back: string;
    is_same_side: boolean;
    status: number;
    submitted_at: bigint;
    decided_at: bigint | null;
    decided_by: string | null;
    reasons: string[];
    note: string;
    photos_erased_at: bigint | null;
  };
  kyc_look: { id: string; submission: string; what: string; operator: string; at: bigint };
};
