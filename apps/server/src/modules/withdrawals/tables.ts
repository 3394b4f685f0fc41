/** Database rows; amounts are decimal text, instants are milliseconds. */
export type WithdrawalTables = {
  withdrawal_address: {
    id: string;
    owner: string;
    asset: string;
    network: string;
    address: string;
    memo: string | null;
    remark: string | null;
    active_at: bigint;
    created_at: bigint;
    removed_at: bigint | null;
  };
  withdrawal_whitelist: { owner: string; off_at: bigint | null };
  withdrawal: {
    id: string;
    owner: string;
    asset: string;
    network: string;
    address: string;
    memo: string | null;
    amount: string;
    fee: string;
    value: string;
    remark: string | null;
    is_auto: boolean;
    status: number;
    reason: string | null;
    txid: string | null;
    block: bigint | null;
    confirmations: number;
    decided_by: string | null;
    /** When a single operator approved it. */
    one_approved_at: bigint | null;
    /** From when it may be sent, because its address is known then. */
    known_at: bigint | null;
    created_at: bigint;
    finished_at: bigint | null;
  };
  withdrawal_time: {
    day: number;
    asset: string;
    network: string;
    seconds: number;
    count: number;
    late: number;
    slowest_ms: bigint;
  };
  withdrawal_resumption: { restored_from: string; resumed_by: string; reason: string; at: bigint };
  database_setting: { name: string; value: string };
  withdrawal_notice: { id: string; withdrawal: string; kind: 'held' | 'finished' | 'rejected' | 'failed' };
};
