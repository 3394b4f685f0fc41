/** Rows of the mining tables; amounts are decimal numbers as text, times are milliseconds UTC. */
export type MiningTables = {
  mining_product: {
    id: string;
    code: string;
    version: number;
    name: unknown;
    source: unknown;
    asset: string;
    cycle: number;
    daily_rate: string;
    start_amount: string;
    max_amount: string;
    capacity: string;

    opens_at: bigint;
    closes_at: bigint | null;
    agreement_version: string;
    running_income: string;
  };
  mining_product_version: {
    product: string;
    version: number;
    terms: string;
    set_by: string;
    reason: string;
    at: bigint;
  };
  mining_agreement: { owner: string; version: string; at: bigint };
  mining_order: {
    id: string;
    owner: string;
    product: string;
    product_version: number;
    asset: string;
    principal: string;
    daily_rate: string;
    daily_income: string;
    cycle: number;

    bought_at: bigint;
    start_at: bigint;
    end_at: bigint;
    days_credited: number;
    next_at: bigint | null;
    redeemed_at: bigint | null;
    origin: string | null;
  };
  mining_income: {
    order_id: string;
    day: number;
    owner: string;
    earned_on: bigint;
    amount: string;
    at: bigint;
  };
  mining_notice: {
    id: string;
    owner: string;
    order_id: string;
    kind: 'bought' | 'income' | 'ended' | 'redeemed';
    amount: string;
    at: bigint;
  };
};
