/**
 * Milliseconds for which signed amounts are held in memory: a daily limit's period, plus an hour
 * for clocks that are set back.
 */
const RECENT_MS = 25 * 3_600_000;

interface RecentAmount<Amount> {
  /** What the limit of the amount is called: a coin, or a kind of payment. */
  readonly name: string;
  readonly amount: Amount;
  readonly at: number;
}

/** The amounts that a signer signed in the last 25 hours, for its daily limits. */
export class RecentAmounts<Amount> {
  private recent: RecentAmount<Amount>[] = [];

  /** Adds an amount that was signed at `at` (milliseconds UTC). */
  add(added: RecentAmount<Amount>): void {
    this.recent.push(added);
    const oldest = this.recent[0]!;
    // Old amounts are removed all at once, so that an amount costs the same however many there are.
    if (oldest.at < added.at - 2 * RECENT_MS)
      this.recent = this.recent.filter(({ at }) => at >= added.at - RECENT_MS);
  }

  /** The amounts with a name that were signed after `since` (milliseconds UTC), at most 25 hours back. */
  since(name: string, since: number): Amount[] {
    return this.recent.filter((each) => each.name === name && each.at > since).map(({ amount }) => amount);
  }
}
