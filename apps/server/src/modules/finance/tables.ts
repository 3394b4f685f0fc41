/** Rows of the finance tables; amounts are decimal numbers as text, times are milliseconds UTC. */
export type FinanceTables = {
  finance_product: {
    id: string;
    code: string;
    version: number;
    name: unknown;
    source: unknown;
    asset: string;
    period: number;
    daily_rate: string;
    start_amount: string;
    max_amount: string;
    capacity: string;
    pay_mode: string;
    is_manual: boolean;
    opens_at: bigint;
    closes_at: bigint | null;
    agreement_version: string;
    running_interest: string;
  };
  finance_product_version: {
    product: string;
    version: number;
    terms: string;
    set_by: string;
    reason: string;
    at: bigint;
  };
  finance_agreement: { owner: string; version: string; at: bigint };
  finance_order: {
    id: string;
    owner: string;
    product: string;
    product_version: number;
    asset: string;
    principal: string;
    daily_rate: string;
    daily_interest: string;
    period: number;
    pay_mode: string;
    is_manual: boolean;
    bought_at: bigint;
    start_at: bigint;
    end_at: bigint;
    days_accrued: number;
    next_at: bigint | null;
    status: number;
    closed_at: bigint | null;
    origin: string | null;
  };
  finance_income: {
    order_id: string;
    day: number;
    owner: string;
    earned_on: bigint;
    amount: string;
    at: bigint;
  };
  finance_notice: {
    id: string;
    owner: string;
    order_id: string;
    kind: 'bought' | 'income' | 'matured';
    amount: string;
    at: bigint;
  };
};
