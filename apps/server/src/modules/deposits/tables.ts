import type { Generated } from 'kysely';

/** Rows of the deposit tables; amounts are decimal numbers as text, times are milliseconds UTC. */
export type DepositTables = {
  deposit_address: { owner: string; network: string; address: string; memo: string | null; at: bigint };
  deposit: {
    id: string;
    owner: string;
    asset: string;
    network: string;
    address: string;
    memo: string | null;
    txid: string;
    output: number;
    /** True if the index of the payment within its transaction is unknown; `output` is then 0. */
    output_assumed: boolean;
    amount: string;
    remark: string | null;
    position: bigint;
    block: bigint;
    confirmations: number;
    status: number;
    is_small: boolean;
    created_at: bigint;
    finished_at: bigint | null;
    gone_at: bigint | null;
    /** True while the deposit is debited from its owner, because its network dropped it after the credit. */
    is_claimed: Generated<boolean>;
  };
  deposit_proof: {
    id: string;
    owner: string;
    request_key: string | null;
    asset: string;
    network: string;
    address: string;
    amount: string;
    remark: string;
    picture: string;
    status: number;
    reason: string | null;
    credited: string | null;
    created_at: bigint;
    decided_at: bigint | null;
    decided_by: string | null;
  };
  deposit_notice: { id: string; deposit: string };
  deposit_release: {
    owner: string;
    network: string;
    asset: string;
  };
};
