/** Properties of the networks with addresses and transactions of Ethereum. */

/**
 * How transactions pay for gas: `eip1559` states a greatest fee and a tip on top of the base fee of the block, `legacy` one price
 * that is paid in full.
 */
export const EVM_FEE_MODELS = ['eip1559', 'legacy'] as const;
export type EvmFeeModel = (typeof EVM_FEE_MODELS)[number];

/**
 * Which block is the newest that is read, as nodes name it: the newest of the chain, the newest that its
 * validators have justified, or the newest that they have finalised.
 */
export const EVM_FINALITIES = ['latest', 'safe', 'finalized'] as const;
export type EvmFinality = (typeof EVM_FINALITIES)[number];

interface EvmNetwork {
  /** Code of the network, the same as `Network.code`. */
  readonly code: string;
  /** Chain id (EIP-155) of the public network. */
  readonly chainId: number;
  /** The chain's own coin, in which gas is paid; undefined if the exchange does not list it. */
  readonly coin: string | undefined;
  /** Code of the chain's own coin, listed or not. */
  readonly feeCoin: string;
}

export const EVM_NETWORKS: ReadonlyMap<string, EvmNetwork> = new Map<string, EvmNetwork>([
  ['ERC20', { code: 'ERC20', chainId: 1, coin: 'ETH', feeCoin: 'ETH' }],
  ['BEP20', { code: 'BEP20', chainId: 56, coin: undefined, feeCoin: 'BNB' }],
]);

/** The coin in which gas is paid on a network; throws for one that is not like Ethereum. */
export function feeCoinOf(network: string): string {
  const feeCoin = EVM_NETWORKS.get(network)?.feeCoin;
  if (feeCoin === undefined) throw new Error(`${network} is no EVM network`);
  return feeCoin;
}

/** The network with this chain id; undefined if it is the id of a test chain or of an unknown one. */
export function evmNetworkOf(chainId: number): EvmNetwork | undefined {
  return [...EVM_NETWORKS.values()].find((network) => network.chainId === chainId);
}
