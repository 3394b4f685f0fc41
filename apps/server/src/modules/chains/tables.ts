/** Rows as they are stored; amounts are decimal text. */
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
};
