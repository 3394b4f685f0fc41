/**
 * Milliseconds for which signed amounts remain in memory at least: the 24 hours to which a signer's limits
 * apply, plus an hour in case the clock is set back.
 */
const RECENT_MS = 25 * 3_600_000;

interface RecentAmount<Amount> {
  /** Name of the limit towards which the amount counts: a coin or a kind of payment. */
  readonly name: string;
  readonly amount: Amount;
  readonly at: number;
}

/** A signer's recently signed amounts, at least those of the last 25 hours, for its limits of 24 hours. */
export class RecentAmounts<Amount> {
  private recent: RecentAmount<Amount>[] = [];

  /** Adds an amount that was signed at `at` (milliseconds UTC). */
  add(added: RecentAmount<Amount>): void {
    this.recent.push(added);
    const oldest = this.recent[0]!;
    // Amounts that are too old are removed only once in 25 hours, all together, so that adding an amount is fast.
    if (oldest.at < added.at - 2 * RECENT_MS)
      this.recent = this.recent.filter(({ at }) => at >= added.at - RECENT_MS);
  }

  /**
   * Returns the amounts with this name that were signed after `since` (milliseconds UTC), which may be at
   * most 25 hours ago.
   */
  since(name: string, since: number): Amount[] {
    return this.recent.filter((each) => each.name === name && each.at > since).map(({ amount }) => amount);
  }
}

/** The network fees that a signer's recent transactions have added, in the smallest unit (see `FeeLimit`). */
export class RecentFees {
  private readonly recent = new RecentAmounts<bigint>();

  /**
   * Adds the network fee that a transaction signed at `at` (milliseconds UTC) has added, in the smallest
   * unit. Does nothing if `fee` is undefined, because the transaction added none.
   */
  add(fee: string | undefined, at: number): void {
    if (fee !== undefined) this.recent.add({ name: 'fee', amount: BigInt(fee), at });
  }

  /**
   * Returns the sum, in the smallest unit, of the fees of transactions signed after `since` (milliseconds
   * UTC), which may be at most 25 hours ago.
   */
  sumSince(since: number): bigint {
    return this.recent.since('fee', since).reduce((total, fee) => total + fee, 0n);
  }
}
