/**
 * portfolio: what a user's accounts are worth together, for the assets overview. It reads the products'
 * balances and the market's prices and changes nothing.
 */
export { Portfolio } from './service.ts';
export { portfolioRoutes } from './routes.ts';
