import type { UtxoParts } from './utxo-parts.ts';

/** Number of blocks within which a payment should be in a block; determines the estimated fee rate. */
const TARGET_BLOCKS = 3;

/** The fee rates of a network, in the smallest unit per 1,000 virtual bytes. */
export class UtxoFeeRates {
  private readonly parts: Pick<UtxoParts, 'node' | 'rates'>;

  constructor(parts: Pick<UtxoParts, 'node' | 'rates'>) {
    this.parts = parts;
  }

  /**
   * Returns the fee rate that the node estimates, in the smallest unit per 1,000 virtual bytes, whatever the
   * settings allow; while the node has none, the lowest rate of the settings.
   */
  async suggested(): Promise<bigint> {
    return (await this.parts.node.feeRate(TARGET_BLOCKS)) ?? this.parts.rates.least;
  }

  /**
   * Returns the current fee rate, in the smallest unit per 1,000 virtual bytes: the node's estimate, raised
   * to the lowest rate of the settings and lowered to `most`; while the node has no estimate, the lowest
   * rate.
   */
  async current(most = this.parts.rates.most): Promise<bigint> {
    const { rates } = this.parts;
    const estimate = await this.suggested();
    const rate = estimate < rates.least ? rates.least : estimate;
    return rate > most ? most : rate;
  }
}
