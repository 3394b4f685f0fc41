import { EVERY_COIN_NETWORK, type CoinNetwork } from './network.ts';
import { KNOWN_NETWORKS, type Network } from './network-table.ts';
import type { AssetCode } from './pair.ts';

/**
 * The networks that an installation offers to users and operators: those that are not optional, and the optional ones
 * whose node its settings contain. Every list and choice of networks reads them from here. Transfers and addresses
 * stored for a network that is no longer offered are shown and processed with the terms that `findNetwork` and
 * `findCoinNetwork` return.
 */
export class OfferedNetworks {
  /** The offered networks, in the order in which users see them. */
  readonly networks: readonly Network[];
  /** The offered pairs of a coin and a network; of each coin, the most common network first. */
  readonly coinNetworks: readonly CoinNetwork[];

  /**
   * `configured` contains the codes of the networks whose node the settings contain. An optional network is
   * offered only if its code is among them.
   */
  constructor(configured: Iterable<string>) {
    const codes = new Set(configured);
    const isOffered = ({ code, isOptional }: Network) => !isOptional || codes.has(code);
    this.networks = KNOWN_NETWORKS.filter(isOffered);
    this.coinNetworks = EVERY_COIN_NETWORK.filter(({ network }) => isOffered(network));
  }

  has(code: string): boolean {
    return this.networks.some((network) => network.code === code);
  }

  /** The offered networks of a coin, the most common one first; empty for a coin without networks. */
  networksOf(asset: AssetCode): readonly CoinNetwork[] {
    return this.coinNetworks.filter((coinNetwork) => coinNetwork.asset === asset);
  }

  /** The terms of a coin on an offered network; undefined if the network is not offered or has no such coin. */
  find(asset: AssetCode, code: string): CoinNetwork | undefined {
    return this.networksOf(asset).find(({ network }) => network.code === code);
  }
}
