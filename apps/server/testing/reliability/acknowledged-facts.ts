/** Results that the server has acknowledged to a trader and that must hold from then on. */
export interface AcknowledgedFacts {
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

/** A copy of the results that were acknowledged to a user. */
export interface TraderFacts {
  readonly owner: string;
  readonly facts: AcknowledgedFacts;
}

export interface CheckOptions {
  /** True if trading has ended, so that the facts are complete. */
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
