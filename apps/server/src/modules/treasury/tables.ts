import type { ArrivalState, DebtCause, DebtOutcome } from './domain.ts';

/** Database rows; amounts are decimal text, instants are in milliseconds since 1970. */
export type TreasuryTables = {
  treasury_arrival: {
    id: string;
    network: string;
    asset: string;
    txid: string;
    output: number;
    address: string;
    /** Address of the payer; null if the network does not provide it. */
    sender: string | null;
    memo: string | null;
    amount: string;
    remark: string | null;
    position: bigint;
    block: bigint;
    registered_by: string | null;
    state: ArrivalState;
    created_at: bigint;
    gone_at: bigint | null;
    decided_at: bigint | null;
    decided_by: string | null;
    reason: string | null;
    owner: string | null;
    account: string | null;
    return_txid: string | null;
    /**
     * The contract of an unlisted token under which the arrival was recorded; the token was listed later. Null
     * otherwise.
     */
    contract: string | null;
  };
  treasury_payment: {
    id: string;
    kind: 'paid' | 'gas';
    network: string;
    asset: string;
    txid: string;
    output: number;
    account: string;
    amount: string;
    made_by: string;
    reason: string;
    at: bigint;
  };
  treasury_correction: {
    id: string;
    case_ref: string;
    owner: string;
    is_credit: boolean;
    account: string;
    asset: string;
    amount: string;
    made_by: string;
    reason: string;
    at: bigint;
  };
  treasury_debt: {
    id: string;
    owner: string;
    asset: string;
    amount: string;
    paid: string;
    cause: DebtCause;
    reference: string;
    account: string;
    outcome: DebtOutcome | null;
    created_at: bigint;
    closed_at: bigint | null;
    closed_by: string | null;
    reason: string;
  };
  treasury_transfer: {
    id: string;
    kind: string;
    network: string;
    asset: string;
    amount: string;
    source: string;
    destination: string;
    state: string;
    created_at: bigint;
    approved_at: bigint | null;
    approved_by: string | null;
    reason: string | null;
    digest: string | null;
    cancelled_by: string | null;
    cancel_reason: string | null;
    txid: string | null;
    block: bigint | null;
    received: string | null;
    closed_at: bigint | null;
  };
  treasury_return: {
    id: string;
    arrival: string;
    reference: string;
    network: string;
    asset: string;
    address: string;
    memo: string | null;
    amount: string;
    fee: string;
    is_from_chain: boolean;
    state: string;
    approved_at: bigint;
    approved_by: string;
    reason: string;
    digest: string;
    cancelled_by: string | null;
    cancel_reason: string | null;
    used_by: string | null;
    txid: string | null;
    block: bigint | null;
    closed_at: bigint | null;
  };
  treasury_sweep: {
    id: string;
    network: string;
    asset: string;
    address_index: number;
    address: string;
    destination: string;
    amount: string;
    gas_limit: bigint;
    most_fee: string;
    gas: string | null;
    state: string;
    created_at: bigint;
    gas_txid: string | null;
    txid: string | null;
    block: bigint | null;
    fee: string;
    reason: string | null;
    closed_at: bigint | null;
  };
  treasury_sweep_pause: {
    id: string;
    network: string;
    since: bigint;
    paused_by: string;
    reason: string;
    resumed_at: bigint | null;
    resumed_by: string | null;
    resume_reason: string | null;
  };
  network_pause: {
    id: string;
    network: string;
    direction: string;
    note: unknown;
    expected_at: bigint | null;
    since: bigint;
    paused_by: string;
    reason: string;
    ended_at: bigint | null;
    ended_by: string | null;
    end_reason: string | null;
  };
  network_table_fees: {
    id: string;
    network: string;
    since: bigint;
    chosen_by: string;
    reason: string;
    ended_at: bigint | null;
    ended_by: string | null;
    end_reason: string | null;
  };
  treasury_pause: {
    id: string;
    asset: string;
    missing: string;
    since: bigint;
    accepted: string | null;
    lifted_at: bigint | null;
    lifted_by: string | null;
    reason: string | null;
  };
};
