/**
 * Most refused withdrawals held in memory; beyond it, the one refused first is dropped until its
 * next attempt.
 */
const REMEMBERED_MOST = 1_000;

/**
 * Approved withdrawals whose payment the receiver or the contract of the coin refused at the last attempt, so that their
 * owners read why they wait. Held in memory: after a restart each is attempted again.
 */
export class RefusedPayments {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Adds a withdrawal. Returns false if it was added already. */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    const [oldest] = this.ids;
    if (this.ids.size >= REMEMBERED_MOST && oldest !== undefined) this.ids.delete(oldest);
    this.ids.add(id);
    return true;
  }

  /** Removes a withdrawal that was sent or has ended. */
  delete(id: string): void {
    this.ids.delete(id);
  }
}
