/** Properties of the networks whose addresses and transactions have Ethereum's format (EVM networks). */

/**
 * How a transaction of an EVM network pays for gas. With `eip1559` it states a maximum fee, and a tip in addition to
 * the block's base fee. With `legacy` it states one price, which is paid in full.
 */
export const EVM_FEE_MODELS = ['eip1559', 'legacy'] as const;
export type EvmFeeModel = (typeof EVM_FEE_MODELS)[number];

/**
 * Names by which EVM nodes identify a recent block: the newest of the chain (`latest`), the newest that its validators
 * have justified (`safe`), or the newest that they have finalised. The exchange reads an EVM chain up to this block.
 */
export const EVM_FINALITIES = ['latest', 'safe', 'finalized'] as const;
export type EvmFinality = (typeof EVM_FINALITIES)[number];

interface EvmNetwork {
  /** Code of the network, equal to `Network.code`. */
  readonly code: string;
  /** Chain id (EIP-155) of the public network. */
  readonly chainId: number;
  /** The chain's native coin, in which gas is paid; undefined if the exchange does not list it. */
  readonly coin: string | undefined;
  /** Code of the chain's native coin, even if the exchange does not list it. */
  readonly feeCoin: string;
}

export const EVM_NETWORKS: ReadonlyMap<string, EvmNetwork> = new Map<string, EvmNetwork>([
  ['ERC20', { code: 'ERC20', chainId: 1, coin: 'ETH', feeCoin: 'ETH' }],
  ['BEP20', { code: 'BEP20', chainId: 56, coin: undefined, feeCoin: 'BNB' }],
]);

/** Returns the code of the coin in which gas is paid on an EVM network. Throws for any other network. */
export function feeCoinOf(network: string): string {
  const feeCoin = EVM_NETWORKS.get(network)?.feeCoin;
  if (feeCoin === undefined) throw new Error(`${network} is no EVM network`);
  return feeCoin;
}

/** Returns the EVM network with this chain id; undefined for the id of a test chain and for an unknown id. */
export function evmNetworkOf(chainId: number): EvmNetwork | undefined {
  return [...EVM_NETWORKS.values()].find((network) => network.chainId === chainId);
}
