import { networkOperations } from './operations.ts';
import { Networks, type NetworksParts } from './service.ts';

export type { NetworkOverview, Networks } from './service.ts';

/**
 * networks: what operators see and decide of each network, from the modules that serve it. It stores nothing; pauses are in
 * the module treasury, which deposits and withdrawals ask.
 */
export function createNetworks(parts: NetworksParts) {
  const networks = new Networks(parts);
  return { name: 'networks', networks, operations: networkOperations(networks) };
}
