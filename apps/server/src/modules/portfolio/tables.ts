export type PortfolioTables = {
  portfolio_value: {
    owner: string;
    day: number;
    total: string;
    entry: bigint;
    net_deposits: string | null;
  };
  portfolio_cost: {
    owner: string;
    asset: string;
    amount: string;
    cost: string;
    realized: string;
    uncosted: string;
  };
  portfolio_cost_position: { owner: string; entry: bigint; ingested: bigint; is_clearing: boolean };
};

export type TaxTables = {
  tax_event: {
    owner: string;
    entry: bigint;
    asset: string;
    at: bigint;
    kind: string;
    reference: string | null;
    category: string;
    section: string | null;
    amount: string;
    value: string | null;
    value_source: string | null;
    counter_asset: string | null;
    counter_amount: string | null;
    fee_asset: string | null;
    fee_amount: string | null;
    fee_value: string | null;
    entries: number;
    account: string | null;
  };
  tax_cost: {
    owner: string;
    entry: bigint;
    asset: string;
    cost: string;
    acquired_at: bigint;
    changed_at: bigint;
  };
  tax_zone: { owner: string; zone: string; changed_at: bigint };
  tax_lot: {
    owner: string;
    asset: string;
    entry: bigint;
    acquired_at: bigint;
    amount: string;
    remaining: string;
    cost: string | null;
  };
  tax_disposal: {
    owner: string;
    entry: bigint;
    asset: string;
    at: bigint;
    category: string;
    section: string | null;
    amount: string;
    matched: string;
    proceeds: string | null;
    fifo_costed: string;
    fifo_cost: string;
    average_costed: string;
    average_cost: string;
  };
  tax_use: {
    owner: string;
    entry: bigint;
    asset: string;
    lot: bigint;
    amount: string;
    cost: string | null;
  };
  tax_year: {
    owner: string;
    year: number;
    method: string;
    asset: string;
    quantity: string;
    cost: string;
    uncosted: string;
    acquired: string;
    acquired_cost: string;
    income: string;
    income_value: string;
    arrived: string;
    arrived_cost: string;
    departed: string;
    departed_cost: string;
    disposed: string;
    proceeds: string;
    disposed_cost: string;
    gain: string;
    unknown_proceeds: string;
    fees: string;
    unvalued: number;
  };
  tax_section: {
    owner: string;
    year: number;
    section: string;
    asset: string;
    events: number;
    gained: string;
    gained_value: string;
    lost: string;
    lost_value: string;
    unvalued: number;
  };
};
