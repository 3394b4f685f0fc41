/**
 * faucet: play money in demo mode. A user may claim a starting balance once in 24 hours; another command
 * funds market makers and the demo trader. Not built in live mode.
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
