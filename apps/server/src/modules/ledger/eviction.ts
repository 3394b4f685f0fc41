import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger } from './service.ts';

/** Length of an eviction epoch in milliseconds. */
const EPOCH_MS = 5_000;
/** Users not used for this many epochs (ten minutes) are evicted from memory. */
const IDLE_EPOCHS = 120;
/** Above this number of users in memory, the least recently used are evicted before they are idle. */
const OWNERS_MAX = 50_000;

interface Parts {
  readonly ledger: Ledger;
  readonly sequencer: Pick<Sequencer, 'beginEpoch'>;
  readonly idleEpochs?: number;
  readonly maxOwners?: number;
}

/**
 * Limits the memory for balances to active users: idle users are evicted, and the `prepare` of their next
 * command loads them again. Users needed by a pending request or an open order are not evicted.
 */
export class Eviction {
  private readonly parts: Parts;
  private readonly evictions = new PeriodicTask(() => void this.evict(), { everyMs: EPOCH_MS });

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.evictions.start();
  }

  async stop(): Promise<void> {
    await this.evictions.stop();
  }

  /**
   * Starts an eviction epoch and evicts the balances of users who are idle or above the limit from memory, except of
   * users who are needed. Returns the number of evicted users. While the sequencer loads its state, evicts none and
   * returns 0.
   */
  evict(): number {
    const { ledger, sequencer, idleEpochs = IDLE_EPOCHS, maxOwners = OWNERS_MAX } = this.parts;
    const epochs = sequencer.beginEpoch();
    if (epochs === undefined) return 0;
    return ledger.evict({
      epoch: epochs.current,
      unusedSince: epochs.oldest,
      idleSince: epochs.current - idleEpochs,
      maxOwners,
    });
  }
}
