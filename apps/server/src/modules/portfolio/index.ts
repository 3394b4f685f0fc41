/**
 * portfolio: the total value of a user's accounts, and realized gains by year. It reads balances and market prices,
 * stores the value at the end of each day, the cost basis of coins and the books of gains, and moves no money.
 */
import { Costs } from './costs.ts';
import { portfolioRoutes } from './routes.ts';
import { Portfolio } from './service.ts';
import { TaxExports } from './tax-export.ts';
import { taxRoutes } from './tax-routes.ts';
import { TaxStatements } from './tax-statement.ts';
import { TaxYears } from './tax-years.ts';
import { Valuation } from './valuation.ts';
import { Values } from './values.ts';

export { costProblems, type Costs } from './costs.ts';
export type { Values } from './values.ts';

/** Creates the module of users' total values, cost bases and tax years. A job stores the daily values. */
export function createPortfolio(
  parts: ConstructorParameters<typeof Valuation>[0] &
    Omit<ConstructorParameters<typeof Portfolio>[0], 'valuation' | 'values'> &
    Omit<ConstructorParameters<typeof Values>[0], 'valuation'> &
    ConstructorParameters<typeof Costs>[0] &
    Omit<ConstructorParameters<typeof TaxYears>[0], 'costs'> &
    Omit<ConstructorParameters<typeof TaxStatements>[0], 'taxes'> & {
      /** Name of the exchange in files for tax programs. */
      readonly exchangeName: string;
    },
) {
  const valuation = new Valuation(parts);
  const values = new Values({ ...parts, valuation });
  const costs = new Costs(parts);
  const portfolio = new Portfolio({ ...parts, valuation, values });
  const taxes = new TaxYears({ ...parts, costs });
  const exports = new TaxExports({ ...parts, costs, taxes });
  const statements = new TaxStatements({ ...parts, taxes });
  const routes = [...portfolioRoutes(portfolio, values, costs), ...taxRoutes(taxes, exports, statements)];
  return {
    name: 'portfolio',
    values,
    costs,
    routes,
  };
}
