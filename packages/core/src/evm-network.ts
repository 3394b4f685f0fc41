/** Properties of the networks whose addresses and transactions have Ethereum's format (EVM networks). */

/**
 * How a transaction of an EVM network pays for gas. With `eip1559` it states a maximum fee, and a tip in addition to
 * the block's base fee. With `legacy` it states one price, which is paid in full.
 */
export const EVM_FEE_MODELS = ['eip1559', 'legacy'] as const;
export type EvmFeeModel = (typeof EVM_FEE_MODELS)[number];

/**
 * Names by which EVM nodes identify a recent block: the newest of the chain (`latest`), the newest that its validators
 * have justified (`safe`), or the newest that they have finalized. The exchange reads an EVM chain up to this block.
 */
export const EVM_FINALITIES = ['latest', 'safe', 'finalized'] as const;
export type EvmFinality = (typeof EVM_FINALITIES)[number];

export interface EvmNetwork {
  /** Code of the network, equal to `Network.code`. */
  readonly code: string;
  /** Chain id (EIP-155) of the public network. */
  readonly chainId: number;
  /**
   * Code of the chain's native coin, in which gas is paid; undefined if the exchange does not list the coin.
   */
  readonly coin: string | undefined;
  /** Code of the chain's native coin, even if the exchange does not list it. */
  readonly feeCoin: string;
  /** Finality up to which the chain is read, unless the settings name another one. */
  readonly finality: EvmFinality;
  /**
   * Usual number of seconds from the creation of a block until a node reports it with each finality; 0 for `latest`.
   */
  readonly finalitySeconds: Readonly<Record<EvmFinality, number>>;
  /**
   * Minimum priority fee (tip) with which the network's validators include a transaction, in Gwei per unit of
   * gas; 0 if they require none. The setting `TIP_GWEI` replaces it.
   */
  readonly leastTipGwei: number;
  /**
   * Default maximum fees in Gwei per unit of gas: of a sweep of a deposit, of the automatic replacement of a pending
   * transaction, and of any transaction that a signer signs. The settings `SWEEP_GWEI`, `REPLACE_GWEI` and
   * `SIGNER_FEE_GWEI` replace them.
   */
  readonly mostGwei: { readonly sweep: number; readonly replacement: number; readonly signature: number };
  /**
   * Units of gas of a transfer of amount zero to an account without code, which is sent in place of a payment that must
   * no longer be executed. Undefined if the number depends on the fees of another chain. The gas limit of the payment
   * is then used.
   */
  readonly plainTransferGas: bigint | undefined;
  /** Greatest number of units of gas of a transaction that a signer signs. */
  readonly gasMost: bigint;
  /**
   * Default maximum amounts of the native coin that a signer sends to deposit addresses as gas: per transfer, and in
   * all transfers of the last 24 hours together. It does not sign a transfer that exceeds one of them.
   */
  readonly fundingMost: { readonly once: string; readonly day: string };
  /**
   * Default maximum network fees in the native coin: per transaction, and of all transactions that a signer has signed
   * in the last 24 hours. It does not sign a transaction that exceeds one of them.
   */
  readonly feesMost: { readonly once: string; readonly day: string };
}

const ETHEREUM_GAS = { plainTransferGas: 21_000n, gasMost: 200_000n } as const;
const USUAL_MOST_GWEI = { sweep: 50, replacement: 100, signature: 500 } as const;
const USUAL_FUNDING = { once: '0.02', day: '2' } as const;

export const EVM_NETWORKS: ReadonlyMap<string, EvmNetwork> = new Map<string, EvmNetwork>([
  [
    'ERC20',
    {
      code: 'ERC20',
      chainId: 1,
      coin: 'ETH',
      feeCoin: 'ETH',
      finality: 'latest',
      finalitySeconds: { latest: 0, safe: 600, finalized: 960 },
      leastTipGwei: 0,
      mostGwei: USUAL_MOST_GWEI,
      plainTransferGas: ETHEREUM_GAS.plainTransferGas,
      gasMost: ETHEREUM_GAS.gasMost,
      fundingMost: USUAL_FUNDING,
      feesMost: { once: '0.05', day: '5' },
    },
  ],
  [
    'BEP20',
    {
      code: 'BEP20',
      chainId: 56,
      coin: undefined,
      feeCoin: 'BNB',
      finality: 'latest',
      finalitySeconds: { latest: 0, safe: 5, finalized: 5 },
      leastTipGwei: 0,
      mostGwei: USUAL_MOST_GWEI,
      plainTransferGas: ETHEREUM_GAS.plainTransferGas,
      gasMost: ETHEREUM_GAS.gasMost,
      fundingMost: USUAL_FUNDING,
      feesMost: { once: '0.02', day: '2' },
    },
  ],
  [
    'POLYGON',
    {
      code: 'POLYGON',
      chainId: 137,
      coin: undefined,
      feeCoin: 'POL',
      // On Polygon a long reorganization can remove a block until the validators have finalized it with a milestone.
      finality: 'finalized',
      finalitySeconds: { latest: 0, safe: 5, finalized: 5 },
      leastTipGwei: 25,
      mostGwei: { sweep: 500, replacement: 2_000, signature: 5_000 },
      plainTransferGas: ETHEREUM_GAS.plainTransferGas,
      gasMost: ETHEREUM_GAS.gasMost,
      fundingMost: { once: '0.5', day: '50' },
      feesMost: { once: '0.5', day: '100' },
    },
  ],
  [
    'ARBITRUM',
    {
      code: 'ARBITRUM',
      chainId: 42_161,
      coin: 'ETH',
      feeCoin: 'ETH',
      // On Arbitrum the operator who orders the transactions can still change a block that is not final. A final block
      // is part of a batch that Ethereum has finalized.
      finality: 'finalized',
      finalitySeconds: { latest: 0, safe: 900, finalized: 1_200 },
      leastTipGwei: 0,
      mostGwei: { sweep: 2, replacement: 20, signature: 50 },
      // On Arbitrum the units of gas include the fee for storing the transaction on Ethereum, so they change with the
      // fees of Ethereum.
      plainTransferGas: undefined,
      gasMost: 3_000_000n,
      fundingMost: { once: '0.002', day: '0.5' },
      feesMost: { once: '0.01', day: '1' },
    },
  ],
]);

/** Returns an EVM network by its code. Throws for any other network. */
export function requireEvmNetwork(code: string): EvmNetwork {
  const network = EVM_NETWORKS.get(code);
  if (network === undefined) throw new Error(`${code} is no EVM network`);
  return network;
}

/** Returns the code of the coin in which gas is paid on an EVM network. Throws for any other network. */
export function feeCoinOf(network: string): string {
  return requireEvmNetwork(network).feeCoin;
}

/** Returns the EVM network with this chain id; undefined for the id of a test chain and for an unknown id. */
export function evmNetworkOf(chainId: number): EvmNetwork | undefined {
  return [...EVM_NETWORKS.values()].find((network) => network.chainId === chainId);
}
