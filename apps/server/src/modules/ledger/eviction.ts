import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger } from './service.ts';

/** How often an epoch begins. */
const EPOCH_MS = 5_000;
/** Users who were not used for so many epochs (ten minutes) leave memory. */
const IDLE_EPOCHS = 120;
/** Above so many users in memory, the least recently used leave before they are idle. */
const OWNERS_MAX = 50_000;

interface Parts {
  readonly ledger: Ledger;
  readonly sequencer: Pick<Sequencer, 'beginEpoch'>;
  readonly idleEpochs?: number;
  readonly maxOwners?: number;
}

/**
 * Keeps memory for the balances of users who trade, not of everybody who ever came: idle users leave, and their next
 * command's `prepare` loads them again. Nobody leaves whom a request under way or an open order needs.
 */
export class Eviction {
  private readonly parts: Parts;
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => this.evict(), EPOCH_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Begins an epoch and removes whom nobody needs; returns how many users left memory. */
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
