export type SessionTables = {
  user_session: {
    id: string;
    user_id: string;
    token_hash: Buffer;
    device: string;
    device_mark: Buffer;
    address: string;
    address_group: string | null;
    created_at: bigint;
    seen_at: bigint;
    ended_at: bigint | null;
  };
  user_active_day: { user_id: string; day: number };
};
