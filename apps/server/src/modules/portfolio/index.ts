/**
 * portfolio: what a user's accounts are worth together, for the assets overview. It reads the products'
 * balances and the market's prices, keeps what each day ended with and what coins cost that were bought, and moves nothing.
 */
import { Costs } from './costs.ts';
import { portfolioRoutes } from './routes.ts';
import { Portfolio } from './service.ts';
import { Valuation } from './valuation.ts';
import { Values } from './values.ts';

export { costProblems, type Costs } from './costs.ts';
export type { Values } from './values.ts';

/** The assets overview over its parts; values of days are stored by a job. */
export function createPortfolio(
  parts: ConstructorParameters<typeof Valuation>[0] &
    Omit<ConstructorParameters<typeof Portfolio>[0], 'valuation' | 'values'> &
    Omit<ConstructorParameters<typeof Values>[0], 'valuation'> &
    ConstructorParameters<typeof Costs>[0],
) {
  const valuation = new Valuation(parts);
  const values = new Values({ ...parts, valuation });
  const costs = new Costs(parts);
  const portfolio = new Portfolio({ ...parts, valuation, values });
  const routes = portfolioRoutes(portfolio, values, costs);
  return {
    name: 'portfolio',
    values,
    costs,
    routes,
  };
}
