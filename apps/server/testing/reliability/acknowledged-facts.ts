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

/** The results that were acknowledged to a user until they were copied. */
export interface TraderFacts {
  readonly owner: string;
  readonly facts: AcknowledgedFacts;
}

export interface CheckOptions {
  /** True if nobody trades any more, so that the acknowledged facts are complete. */
  readonly isFinal: boolean;
}

/** A copy of the facts acknowledged so far, because trading continues during the comparison. */
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
