/**
 * faucet: play money in demo mode. A user may claim an amount once in 24 hours; another command funds market makers and
 * the demo trader. Live mode does not create this module.
 */
import type { MoneyModule } from '../ledger/index.ts';
import { faucetReplay } from './service.ts';

export { Faucet } from './service.ts';
export { faucetRoutes } from './routes.ts';
export type { Portion } from './domain.ts';

/** Declaration of the module faucet for audit, reconciliation, checkpoints and replay. */
export const faucetMoney: MoneyModule = {
  name: 'faucet',
  tables: ['faucet_claim'],
  replay: faucetReplay,
};
