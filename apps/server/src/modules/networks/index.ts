import { networkOperations } from './operations.ts';
import { Networks, type NetworksParts } from './service.ts';

export type { NetworkOverview, Networks } from './service.ts';

/**
 * networks: the operators' view of each network, whose data comes from the modules chains, treasury and withdrawals,
 * and the operations that pause and resume a network. It stores nothing itself; pauses are stored by the module
 * treasury, from which deposits and withdrawals read them.
 */
export function createNetworks(parts: NetworksParts) {
  const networks = new Networks(parts);
  return { name: 'networks', networks, operations: networkOperations(networks) };
}
