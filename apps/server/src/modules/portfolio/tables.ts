export type PortfolioTables = {
  portfolio_value: { owner: string; day: number; total: string };
};
