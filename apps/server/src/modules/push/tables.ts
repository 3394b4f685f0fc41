import type { Generated } from 'kysely';

export type PushTables = {
  push_key: {
    id: string;
    public_key: string;
    sealed_private_key: Buffer;
    created_at: bigint;
  };
  push_subscription: {
    id: string;
    user_id: string;
    session_id: string;
    endpoint_digest: Buffer;
    sealed: Buffer;
    token_digest: Buffer;
    kinds: string[];
    quiet_from: number | null;
    quiet_to: number | null;
    time_zone: string;
    device: string;
    created_at: bigint;
    last_sent_at: Generated<bigint>;
    failures: Generated<number>;
    retry_at: Generated<bigint>;
  };
  push_delivery: {
    id: string;
    subscription_id: string;
    message_id: string;
    nonce_digest: Buffer;
    nonce: string | null;
    kind: string;
    parameters: unknown;
    created_at: bigint;
    folded: Generated<number>;
    sent_at: bigint | null;
  };
};
