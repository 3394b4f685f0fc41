/** Facts that the server has acknowledged to a trader and that must hold from then on. */
export interface Published {
  /** Order ids by request id; two ids for an OCO. */
  readonly placed: Map<string, readonly string[]>;
  /** Request ids that were refused, so no order with them may exist. */
  readonly refused: Set<string>;
  /**
   * Ids of orders that are no longer open: their cancellation was acknowledged, or refused because they had
   * ended.
   */
  readonly ended: Set<string>;
  /** Number of acknowledged amendments by order id. */
  readonly amended: Map<string, number>;
}

/** The facts that were acknowledged to a user at one time. */
export interface Heard {
  readonly owner: string;
  readonly told: Published;
}

export interface CheckOptions {
  /** True if nobody trades any more, so that the acknowledged facts are complete. */
  readonly isFinal: boolean;
}

/** A copy of the facts acknowledged so far, because trading continues during the comparison. */
export function heardSoFar(traders: readonly { account: { id: string }; told: Published }[]): Heard[] {
  return traders.map(({ account, told }): Heard => ({
    owner: account.id,
    told: {
      placed: new Map(told.placed),
      refused: new Set(told.refused),
      ended: new Set(told.ended),
      amended: new Map(told.amended),
    },
  }));
}
