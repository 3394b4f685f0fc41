/**
 * Properties of the Bitcoin-family chains. Amounts are in the smallest unit of the coin, 10^-8 of a coin,
 * unless a comment states another unit.
 */

/** Number of decimals of the coins of the Bitcoin family. The smallest unit is 10^-8 of a coin. */
export const UTXO_DIGITS = 8;

/** The public main network, or a private chain for development (`regtest`) whose coins have no value. */
export type UtxoChain = 'main' | 'regtest';

export interface UtxoNetwork {
  readonly code: 'LTC' | 'BTC' | 'DOGE';
  /**
   * Kind of output script of the exchange's own addresses. `wpkh` pays to a public key hash with segregated witness
   * (BIP 84), `pkh` without it (BIP 44).
   */
  readonly script: 'wpkh' | 'pkh';
  /**
   * Version bytes of main-network addresses and private keys (`wif`), and the bech32 prefix. The exchange writes
   * addresses of test networks in this format, too.
   */
  readonly versions: {
    readonly bech32: string;
    readonly pubKeyHash: number;
    readonly scriptHash: number;
    readonly wif: number;
  };
  /** Hash of each chain's first block. By it the exchange recognizes a node of another chain. */
  readonly genesis: Readonly<Record<UtxoChain, string>>;
  /** Number of blocks after which the reward for mining a block can be spent. */
  readonly maturity: number;
  /**
   * Dust limit, in the smallest unit of the coin. Spending an output below this amount costs more than it is
   * worth, so the exchange credits no deposit below it and creates no change below it.
   */
  readonly dust: bigint;
  /**
   * Minimum fee rate at which nodes relay a transaction, in the smallest unit per 1,000 virtual bytes. The fee of a
   * replacement must exceed the fee of the replaced transaction by at least this rate for the size of the replacement.
   * Dogecoin nodes require only a tenth of this increase.
   */
  readonly relayRate: bigint;
  /** Default fee rates of the exchange and of the signer, in the smallest unit per virtual byte. */
  readonly usualRates: {
    /**
     * The lowest rate that the exchange pays, the highest rate at which a payment also spends small outputs
     * in order to merge them, and the highest rate that the exchange pays, each in the smallest unit per
     * virtual byte.
     */
    readonly exchange: readonly [least: bigint, consolidate: bigint, most: bigint];
    /** The highest fee rate of a transaction that the signer signs, in the smallest unit per virtual byte. */
    readonly signer: bigint;
  };
  /**
   * Default maximum network fees in coins: per transaction, and of all transactions that a signer has signed in the
   * last 24 hours. It does not sign a transaction that exceeds one of them.
   */
  readonly feesMost: { readonly once: string; readonly day: string };
  /** Derivation path of the account whose extended public key the exchange is configured with. */
  readonly path: string;
}

export const UTXO_NETWORKS: ReadonlyMap<string, UtxoNetwork> = new Map<string, UtxoNetwork>([
  [
    'LTC',
    {
      code: 'LTC',
      script: 'wpkh',
      versions: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
      genesis: {
        main: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
        regtest: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
      },
      maturity: 100,
      dust: 5_460n,
      relayRate: 1_000n,
      usualRates: { exchange: [1n, 2n, 200n], signer: 500n },
      feesMost: { once: '0.1', day: '5' },
      path: "m/84'/2'/0'",
    },
  ],
  [
    'BTC',
    {
      code: 'BTC',
      script: 'wpkh',
      versions: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 },
      genesis: {
        main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
      },
      maturity: 100,
      dust: 546n,
      relayRate: 1_000n,
      usualRates: { exchange: [1n, 2n, 200n], signer: 500n },
      feesMost: { once: '0.05', day: '1' },
      path: "m/84'/0'/0'",
    },
  ],
  [
    'DOGE',
    {
      code: 'DOGE',
      script: 'pkh',
      // Dogecoin has no segregated witness, so none of its addresses begins with the bech32 prefix.
      versions: { bech32: 'doge', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e },
      genesis: {
        main: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
        regtest: '3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5',
      },
      maturity: 240,
      // Dogecoin Core recommends a fee of 0.01 DOGE per 1,000 bytes, which miners require. Nodes relay a transaction
      // from a tenth of this rate. The signer signs at most 1 DOGE per 1,000 bytes, which counts as high.
      // Each output below 0.01 DOGE costs an additional fee of 0.01 DOGE.
      dust: 1_000_000n,
      relayRate: 100_000n,
      usualRates: { exchange: [1_000n, 2_000n, 50_000n], signer: 100_000n },
      feesMost: { once: '20', day: '1000' },
      path: "m/44'/3'/0'",
    },
  ],
]);
