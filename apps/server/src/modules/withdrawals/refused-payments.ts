/**
 * Maximum number of ids of refused withdrawals in memory. If it is exceeded, the id that was added first is
 * removed until the next attempt to pay that withdrawal.
 */
const REMEMBERED_MOST = 1_000;

/**
 * Ids of the approved withdrawals whose payment the receiver or the coin's contract refused at the last attempt, so
 * that their owners can read why they wait. After a restart the set is empty until the payments are attempted again.
 */
export class RefusedPayments {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Adds the id of a withdrawal whose payment was refused. Returns false if it was already in the set. */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    const [oldest] = this.ids;
    if (this.ids.size >= REMEMBERED_MOST && oldest !== undefined) this.ids.delete(oldest);
    this.ids.add(id);
    return true;
  }

  /** Removes the id of a withdrawal that was sent or has ended. */
  delete(id: string): void {
    this.ids.delete(id);
  }
}
