export type PortfolioTables = {
  portfolio_value: {
    owner: string;
    day: number;
    total: string;
    kept_at: bigint;
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
  portfolio_cost_position: { owner: string; entry: bigint };
};
