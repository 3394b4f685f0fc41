import type { Instant } from '@exchange/core/time.ts';
import { SupervisedThread, type ThreadProgram } from '../../platform/children/kept-thread.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import { pointOf, type IndexReport, type IndexRequest } from './domain/index-messages.ts';
import type { PathState } from './domain/simulated-path.ts';
import type { SourceState } from './domain/source-states.ts';
import type { SymbolPoint } from './index-maker.ts';
import type { IndexProducer, IndexStart } from './index-runner.ts';

interface Parts extends IndexStart {
  readonly clock: Clock;
  readonly log: Log;
  readonly program: ThreadProgram;
  readonly publish: (points: readonly SymbolPoint[], publishedAt: Instant) => void;
}

const FAREWELL: IndexRequest = { kind: 'stop' };

/**
 * Runs the price index in a worker thread, which sends the index points as messages. While the calling thread is busy,
 * messages wait and are then received in their order.
 */
export class IndexThread implements IndexProducer {
  private readonly parts: Parts;
  private readonly thread: SupervisedThread;
  private changes: readonly SourceState[];
  private health: ComponentHealth | undefined;
  path: PathState | undefined;

  constructor(parts: Parts) {
    const { clock, log, program, pairs, venues, path, connection, epoch } = parts;
    this.parts = parts;
    this.path = path;
    this.changes = parts.changes;
    this.thread = new SupervisedThread({
      name: 'index',
      program,
      clock,
      log,
      farewell: FAREWELL,
      workerData: (): IndexStart => ({
        pairs,
        venues,
        path: this.path,
        changes: this.changes,
        connection,
        epoch,
      }),
      onMessage: (message) => this.receive(message as IndexReport),
    });
  }

  /** Number of times the index thread was started; more than one means that it failed. */
  get starts(): number {
    return this.thread.starts;
  }

  start(): void {
    this.thread.start();
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }

  setSources(changes: readonly SourceState[]): void {
    this.changes = changes;
    const request: IndexRequest = { kind: 'sources', changes };
    this.thread.send(request);
  }

  sourcesHealth(): ComponentHealth | undefined {
    if (this.parts.venues.kind !== 'live') return undefined;
    return this.health ?? { isUp: false, reason: 'no source was heard yet' };
  }

  private receive(report: IndexReport): void {
    const { log, publish } = this.parts;
    if (report.kind === 'log') return log[report.level](report.event, report.fields);
    if (report.kind === 'points')
      return publish(
        report.points.map((message) => ({ symbol: message.symbol, point: pointOf(message) })),
        report.publishedAt,
      );
    this.path = report.path;
    this.health = report.health as ComponentHealth | undefined;
  }
}
