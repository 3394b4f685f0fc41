import { networkOperations } from './operations.ts';
import { Networks, type NetworksParts } from './service.ts';

export type { NetworkOverview, Networks } from './service.ts';

/**
 * networks: the operators' view of each network, from the modules that serve it, and its pauses. It
 * stores nothing; pauses are stored by the module treasury, where deposits and withdrawals read
 * them.
 */
export function createNetworks(parts: NetworksParts) {
  const networks = new Networks(parts);
  return { name: 'networks', networks, operations: networkOperations(networks) };
}
