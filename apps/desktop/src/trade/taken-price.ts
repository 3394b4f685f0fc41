/** A price taken from the book; each click makes a new one, also of the same price. */
export interface TakenPrice {
  readonly price: string;
}
