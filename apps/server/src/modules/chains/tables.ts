import type { Generated } from 'kysely';
import type { UtxoHolder } from './utxo-domain.ts';

/** Rows of the chain tables, in the types that the database driver returns; amounts are decimal numbers as text. */
export type ChainTables = {
  chain_transfer: {
    position: bigint;
    txid: string;
    network: string;
    asset: string;
    address: string;
    memo: string | null;
    amount: string;
    origin: string;
    remark: string | null;
    block: bigint;
  };
  evm_address: { idx: number; owner: string; address: string; at: bigint };
  chain_block: { network: string; number: bigint; hash: string };
  chain_sighting: {
    position: Generated<bigint>;
    network: string;
    txid: string;
    output: number;
    asset: string;
    address: string;
    /**
     * The address that paid; null if the chain does not state it, and for rows that are older than this
     * column.
     */
    sender: string | null;
    /** True if the exchange paid itself, so that no user's balance changes. */
    is_internal: Generated<boolean>;
    amount: string;
    block: bigint;
    block_hash: string;
    is_gone: boolean;
    /** Number of confirmations that the payment needs; null if it needs the usual number of its network. */
    confirmations: number | null;
    /**
     * Memo or tag that identifies the user on a network where all users share one address; null if the payment has
     * none.
     */
    memo: string | null;
    remark: string | null;
  };
  tron_address: { idx: number; owner: string; address: string; at: bigint };
  xrp_tag: { tag: bigint; owner: string; at: bigint };
  xrp_outcome: { sequence: bigint; txid: string; block: bigint; result: string; fee: string };
  xrp_internal: {
    origin: string;
    txid: string;
    address: string;
    tag: string | null;
    amount: string;
    block: bigint;
  };
  utxo_address: { network: string; idx: number; owner: string; address: string; script: string; at: bigint };
  utxo_output: {
    network: string;
    txid: string;
    vout: number;
    address: string;
    holder: UtxoHolder;
    idx: number | null;
    units: string;
    block: bigint;
    spendable_from: bigint;
    is_dust: boolean;
    spent_block: bigint | null;
    spent_txid: string | null;
  };
  chain_sending: {
    origin: string;
    network: string;
    asset: string;
    address: string;
    amount: string;
    /** Derivation index of the deposit address that pays; null if the hot wallet pays. */
    from_index: number | null;
    nonce: bigint | null;
    txid: string | null;
    raw: string | null;
    asked_at: bigint;
    /**
     * Milliseconds UTC. If `raw` is set: the time at which the signed transaction was stored. Otherwise: the
     * time of the last request for a signature; null if there was none.
     */
    signing_at: bigint | null;
    signed_height: bigint | null;
    /** Time at which a node first had a transaction of the payment, in milliseconds UTC; null before that. */
    sent_at: bigint | null;
    /**
     * True if no network fee of the payment is left to book in the exchange's ledger. On TRON, whose fees are
     * not booked, true if a block contains a transaction of the payment, or if the payment ended as voided.
     */
    is_fee_booked: Generated<boolean>;
  };
  chain_variant: {
    origin: string;
    number: number;
    is_void: boolean;
    txid: string;
    raw: string;
    height: bigint;
    at: bigint;
  };
  evm_holding: { network: string; idx: number; asset: string; block: bigint; due_at: bigint };
  chain_watched_token: {
    network: string;
    contract: string;
    name: string;
    symbol: string;
    digits: number;
    least: string;
    allowed_at: bigint;
    allowed_by: string;
    reason: string;
    ended_at: bigint | null;
    ended_by: string | null;
    day: number;
    shown_on_day: number;
    not_shown: bigint;
  };
  chain_void: { origin: string; at: bigint };
};
