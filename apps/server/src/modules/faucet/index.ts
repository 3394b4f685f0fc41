/**
 * faucet: play money in demo mode. A user may claim a starting balance once a day; market makers and the demo trader
 * are funded through the same commands. Not built in live mode.
 */
export { Faucet, faucetReplay } from './service.ts';
export { faucetRoutes } from './routes.ts';
export type { Portion } from './domain.ts';
