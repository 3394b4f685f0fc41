/** What is told of a coin in one language. */
export interface CoinWords {
  /** Two to four neutral sentences. */
  readonly description: string;
  /** How its network agrees on what happened. */
  readonly consensus: string;
}
