/** Rows of the convert tables; amounts are decimal numbers as text, times are milliseconds UTC. */
export type ConvertTables = {
  convert_quote: {
    id: string;
    owner: string;
    from_asset: string;
    to_asset: string;
    from_amount: string;
    to_amount: string;
    fee: string;
    rate: string;
    spread: string;
    from_index: string;
    to_index: string;
    made_at: bigint;
    expires_at: bigint;
    accepted_at: bigint | null;
    origin: string | null;
    bundle: string | null;
  };
};
