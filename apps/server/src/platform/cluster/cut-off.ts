import type { Clock } from '../clock.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';
import type { Link } from './link.ts';

export interface CutOffOptions {
  readonly link: Pick<Link, 'isConnected'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Called when the link has been down for `CUT_OFF_AFTER_MS`. */
  readonly onCutOff: () => void;
  /** Called when the link is connected again after `onCutOff`. */
  readonly onConnected: () => void;
}

const CHECKED_EVERY_MS = 500;
/** A link connects to another NATS server, or to one that was restarted, within less time. */
const CUT_OFF_AFTER_MS = 5_000;

/**
 * Notices when a node has been cut off from the writer for so long that its clients should connect elsewhere, because
 * what it sends them is out of date.
 */
export class CutOff {
  private readonly options: CutOffOptions;
  private readonly checks = new PeriodicTask(() => this.check(), { everyMs: CHECKED_EVERY_MS });
  private connectedMs: number;
  private isCutOff = false;

  constructor(options: CutOffOptions) {
    this.options = options;
    this.connectedMs = options.clock.monotonicMs();
  }

  start(): void {
    this.checks.start();
  }

  async stop(): Promise<void> {
    await this.checks.stop();
  }

  private check(): void {
    const { link, clock, onCutOff, onConnected } = this.options;
    const nowMs = clock.monotonicMs();
    if (link.isConnected) {
      this.connectedMs = nowMs;
      if (this.isCutOff) onConnected();
      this.isCutOff = false;
      return;
    }
    if (this.isCutOff || nowMs - this.connectedMs < CUT_OFF_AFTER_MS) return;
    this.isCutOff = true;
    onCutOff();
  }
}
