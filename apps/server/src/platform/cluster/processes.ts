import { hostname } from 'node:os';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { HealthReport } from '../health/health.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { SUBJECTS, type Link } from './link.ts';

/** What a process of the exchange says about itself. */
export interface ProcessSign {
  /** Distinguishes this run of a process from all others. */
  readonly name: string;
  /** Machine and port. */
  readonly place: string;
  readonly role: string;
  readonly version: string;
  /** By the clock of the process, as all its times. */
  readonly startedAt: Instant;
  readonly status: HealthReport['status'];
  /** Since when it has this status and waits for the same. */
  readonly since: Instant;
  /** What it waits for; undefined when it serves. */
  readonly waitsFor?: string | undefined;
  /** The writer's period that it has or follows. */
  readonly epoch?: string | undefined;
  /** Milliseconds since the last announcement of the writer. */
  readonly writerHeardMs?: number | undefined;
  /** Calls without an answer, or topics without a snapshot. */
  readonly pending?: number | undefined;
  /** Open WebSocket connections. */
  readonly sockets?: number | undefined;
}

/** What changes while a process runs. */
export type ProcessFigures = Pick<ProcessSign, 'epoch' | 'writerHeardMs' | 'pending' | 'sockets'>;

export interface OwnProcessOptions {
  readonly name: string;
  readonly role: string;
  readonly version: string;
  readonly port: number;
  readonly clock: Clock;
  /** The health by which it is decided what the process waits for. */
  readonly health: () => Promise<HealthReport>;
  readonly figures: () => ProcessFigures;
}

const SIGN_EVERY_MS = 1_000;
const SIGN_TEXT_MAX = 300;
/** A process that has said nothing for this long is gone. */
const SILENT_MS = 5_000;
/** How long a process that is gone is shown. */
const GONE_SHOWN_MS = 600_000;
const PROCESSES_MAX = 512;

/** The sign of this process, which remembers since when the process is in its present state. */
export class OwnProcess {
  readonly name: string;
  private readonly options: OwnProcessOptions;
  private readonly startedAt: Instant;
  private state = '';
  private since: Instant;

  constructor(options: OwnProcessOptions) {
    this.options = options;
    this.name = options.name;
    this.startedAt = options.clock.now();
    this.since = this.startedAt;
  }

  async sign(): Promise<ProcessSign> {
    const { name, role, version, port, clock, health, figures } = this.options;
    const { status, components } = await health();
    const down = Object.entries(components).filter(([, { isUp }]) => !isUp);
    // Reasons contain durations, which change while the process waits for the same.
    const state = [status, ...down.map(([component]) => component)].join();
    if (state !== this.state) {
      this.state = state;
      this.since = clock.now();
    }
    const reasons = down.map(([component, { reason }]) => `${component}: ${reason ?? 'is down'}`).join('; ');
    return {
      name,
      place: `${hostname()}:${port}`,
      role,
      version,
      startedAt: this.startedAt,
      status,
      since: this.since,
      waitsFor: reasons === '' ? undefined : reasons.slice(0, SIGN_TEXT_MAX),
      ...figures(),
    };
  }
}

/** Sends the sign of this process every second, from now until the returned function is called. */
export function sendSigns(
  own: OwnProcess,
  { link, log }: { readonly link: Link; readonly log: Log },
): () => void {
  let isRunning = true;
  let isChecking = false;
  const send = async () => {
    // A slow check of the health must not pile up.
    if (isChecking) return;
    isChecking = true;
    try {
      const sign = await own.sign();
      if (isRunning) link.publish(SUBJECTS.processes, Buffer.from(JSON.stringify(sign)));
    } catch (cause) {
      log.warn('cluster.sign_failed', { cause });
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => void send(), SIGN_EVERY_MS);
  void send();
  return () => {
    isRunning = false;
    clearInterval(timer);
    // The others need not wait until it counts as gone.
    link.publish(SUBJECTS.processes, Buffer.from(JSON.stringify({ name: own.name, status: 'ended' })));
  };
}

export type ProcessState = 'leads' | 'serves' | 'stands by' | 'waits' | 'stops' | 'replaced' | 'gone';

/** A process as operators see it. */
export interface KnownProcess extends ProcessSign {
  readonly state: ProcessState;
  /** When it was heard last, by this process' clock. */
  readonly heardAt: Instant;
}

interface Heard {
  readonly sign: ProcessSign;
  readonly at: Instant;
  readonly monotonicMs: number;
}

export interface ProcessesOptions {
  readonly own: OwnProcess;
  /** Undefined where a single process is the whole exchange. */
  readonly link: Link | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** All processes of the exchange as far as this one has heard of them: writers listen, nodes only send. */
export class Processes {
  private readonly options: ProcessesOptions;
  private readonly heard = new Map<string, Heard>();
  private ends: (() => void)[] = [];

  constructor(options: ProcessesOptions) {
    this.options = options;
    if (options.link === undefined) return;
    options.metrics.gauges(
      { name: 'cluster_processes', help: 'Processes of the exchange, by state', label: 'state' },
      async () => {
        const counts = new Map<string, number>([
          ['leads', 0],
          ['gone', 0],
          ['waits', 0],
        ]);
        for (const { state } of await this.list()) counts.set(state, (counts.get(state) ?? 0) + 1);
        return Object.fromEntries(counts);
      },
    );
  }

  start(): void {
    const { link, own, log } = this.options;
    if (link === undefined) return;
    this.ends = [
      link.subscribe(SUBJECTS.processes, (payload) => this.receive(payload)),
      sendSigns(own, { link, log }),
    ];
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end();
  }

  /** All processes, writers first, at most 513. */
  async list(): Promise<readonly KnownProcess[]> {
    const { own, clock } = this.options;
    this.forgetGone();
    const nowMs = clock.monotonicMs();
    const heard = [{ sign: await own.sign(), at: clock.now(), monotonicMs: nowMs }, ...this.heard.values()];
    // The latest period in which a writer serves: an earlier one was replaced and may not know it yet.
    const epoch = heard.reduce((last, { sign }) => {
      const own = leads(sign) ? BigInt(sign.epoch ?? 0) : 0n;
      return own > last ? own : last;
    }, 0n);
    return heard
      .map(({ sign, at, monotonicMs }): KnownProcess => {
        const isGone = nowMs - monotonicMs > SILENT_MS;
        return {
          ...sign,
          state: isGone ? 'gone' : stateOf(sign, epoch),
          since: isGone ? at : sign.since,
          heardAt: at,
        };
      })
      .toSorted((left, right) => orderOf(left) - orderOf(right) || left.place.localeCompare(right.place));
  }

  private receive(payload: Uint8Array): void {
    const sign = signOf(payload);
    if (sign === undefined) return;
    if (sign.status === 'ended') {
      this.heard.delete(sign.name);
      return;
    }
    if (!this.heard.has(sign.name)) {
      this.forgetGone();
      if (this.heard.size >= PROCESSES_MAX) return;
    }
    const { clock } = this.options;
    this.heard.set(sign.name, { sign, at: clock.now(), monotonicMs: clock.monotonicMs() });
  }

  private forgetGone(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const [name, { monotonicMs }] of this.heard)
      if (nowMs - monotonicMs > GONE_SHOWN_MS) this.heard.delete(name);
  }
}

const isWriter = ({ role }: ProcessSign): boolean => role === 'writer' || role === 'all';
const leads = (sign: ProcessSign): boolean =>
  isWriter(sign) && sign.epoch !== undefined && (sign.status === 'up' || sign.status === 'draining');

function stateOf(sign: ProcessSign, epoch: bigint): ProcessState {
  if (leads(sign) && BigInt(sign.epoch ?? 0) < epoch) return 'replaced';
  if (sign.status === 'draining') return 'stops';
  if (sign.status === 'standby') return 'stands by';
  if (sign.status === 'down' || sign.waitsFor !== undefined) return 'waits';
  return isWriter(sign) ? 'leads' : 'serves';
}

/** The leading writer, other writers, then nodes by role. */
function orderOf({ state, role }: KnownProcess): number {
  if (state === 'leads') return 0;
  return ['all', 'writer', 'api', 'feed'].indexOf(role) + 1;
}

/** Reads a sign; undefined for bytes that are none. */
function signOf(
  payload: Uint8Array,
): ProcessSign | { readonly name: string; readonly status: 'ended' } | undefined {
  try {
    const sign = JSON.parse(Buffer.from(payload).toString('utf8')) as ProcessSign;
    const texts = [
      sign.name,
      sign.status,
      (sign.status as string) === 'ended' ? '' : sign.place,
      sign.epoch ?? '0',
    ];
    const isSound = texts.every((text) => typeof text === 'string' && text.length <= SIGN_TEXT_MAX);
    return isSound && /^\d{1,19}$/.test(sign.epoch ?? '0') ? sign : undefined;
  } catch {
    // Something else than a process of this exchange has sent it.
    return undefined;
  }
}
