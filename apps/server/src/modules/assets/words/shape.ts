/** Description of a coin in one language. */
export interface CoinWords {
  /** Description of a coin in two to four neutral sentences. */
  readonly description: string;
  /** Name of the network's consensus mechanism. */
  readonly consensus: string;
}
