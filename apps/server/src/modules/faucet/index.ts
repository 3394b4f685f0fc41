/**
 * faucet: where play money comes from in demo mode. A user may take a starting balance once a day; the
 * house's market makers and the demo trader are funded the same way. In live mode the module is not built.
 */
export { Faucet, faucetReplay } from './service.ts';
export { faucetRoutes } from './routes.ts';
export type { Portion } from './domain.ts';
