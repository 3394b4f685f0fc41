import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';
import type { Sequencer } from './sequencer.ts';

export interface HeldUpOptions {
  readonly sequencer: Pick<Sequencer, 'heldUpMs'>;
  readonly clock: Clock;
  /** Called whenever commands begin or cease to be held up. */
  readonly onChange: () => void;
}

const CHECKED_EVERY_MS = 500;
/** Milliseconds without a commit after which users are informed. Shorter waits occur without a failure. */
const NOTICED_AFTER_MS = 2_000;

/**
 * Notices when commands such as orders wait for the database for so long that users should know, e.g. while another
 * database machine takes over, and when they are executed again.
 */
export class HeldUp {
  private readonly options: HeldUpOptions;
  private readonly checks = new PeriodicTask(() => this.check(), { everyMs: CHECKED_EVERY_MS });
  private heldUpSince: Instant | undefined;

  constructor(options: HeldUpOptions) {
    this.options = options;
  }

  /** The time at which it was noticed that commands are held up; undefined while they are executed. */
  get since(): Instant | undefined {
    return this.heldUpSince;
  }

  start(): void {
    this.checks.start();
  }

  async stop(): Promise<void> {
    await this.checks.stop();
  }

  private check(): void {
    const { sequencer, clock, onChange } = this.options;
    const isHeldUp = sequencer.heldUpMs >= NOTICED_AFTER_MS;
    if (isHeldUp === (this.heldUpSince !== undefined)) return;
    this.heldUpSince = isHeldUp ? clock.now() : undefined;
    onChange();
  }
}
