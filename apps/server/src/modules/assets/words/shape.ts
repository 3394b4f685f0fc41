/** Texts about a coin in one language. */
export interface CoinWords {
  /** Description of a coin in two to four neutral sentences. */
  readonly description: string;
  /** Name of the consensus mechanism of the coin's network, in this language. */
  readonly consensus: string;
}
