/** Results that the server has acknowledged to a trader. The stored data must agree with them from then on. */
export interface AcknowledgedFacts {
  /** Ids of the created orders by the request id that placed them; two ids for an OCO. */
  readonly placed: Map<string, readonly string[]>;
  /** Request ids that were refused, so no order with them may exist. */
  readonly refused: Set<string>;
  /**
   * Ids of orders that are no longer open. The server either acknowledged the order's cancellation or refused it
   * because the order had ended.
   */
  readonly ended: Set<string>;
  /** Number of acknowledged amendments by order id. */
  readonly amended: Map<string, number>;
}

/** A copy of the results that the server has acknowledged to a user. */
export interface TraderFacts {
  readonly owner: string;
  readonly facts: AcknowledgedFacts;
}

export interface CheckOptions {
  /**
   * True once all users have stopped trading: the database must then contain exactly the acknowledged amendments. While
   * they trade, it may contain more.
   */
  readonly isFinal: boolean;
}

/** Copies the facts acknowledged so far. Trading continues while the copy is compared with the stored data. */
export function copyFacts(
  traders: readonly { account: { id: string }; facts: AcknowledgedFacts }[],
): TraderFacts[] {
  return traders.map(({ account, facts }): TraderFacts => ({
    owner: account.id,
    facts: {
      placed: new Map(facts.placed),
      refused: new Set(facts.refused),
      ended: new Set(facts.ended),
      amended: new Map(facts.amended),
    },
  }));
}
