import { hostname } from 'node:os';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { HealthReport } from '../health/health.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { SUBJECTS, type Link } from './link.ts';

/** Status message that a process of the exchange publishes about itself. */
export interface ProcessSign {
  /** Name of this run of the process. No other process has it. */
  readonly name: string;
  /** Machine and port of the process, as operators recognize it. */
  readonly place: string;
  readonly role: string;
  readonly version: string;
  /** Time at which the process started. All times in a status message are of the clock of the process that sends it. */
  readonly startedAt: Instant;
  readonly status: HealthReport['status'];
  /** Time since which neither the status nor the set of failing components has changed. */
  readonly since: Instant;
  /** The failing components with the reasons, as one text; undefined if none fails. */
  readonly waitsFor?: string | undefined;
  /**
   * The epoch of the writer: this process's own epoch if it is the writer, otherwise the epoch in the announcements
   * that it receives. For a leading worker, its own epoch among the workers.
   */
  readonly epoch?: string | undefined;
  /** Milliseconds since the last announcement of the writer; undefined for a process that receives none. */
  readonly writerHeardMs?: number | undefined;
  /**
   * Number of calls without an answer (API node), of topics without a snapshot (feed node), or of due jobs
   * (worker); undefined for other processes.
   */
  readonly pending?: number | undefined;
  /** How a standby would take over: `warm`, or `cold` with the reason; undefined for other processes. */
  readonly takeover?: string | undefined;
  /** Number of stored commands that a warm standby has not executed yet; undefined for other processes. */
  readonly stepsBehind?: number | undefined;
  /** Number of open connections of the live feed at a feed node; undefined for other processes. */
  readonly sockets?: number | undefined;
}

/** The figures of a process's status that change while it runs. */
export type ProcessFigures = Pick<
  ProcessSign,
  'epoch' | 'writerHeardMs' | 'pending' | 'takeover' | 'stepsBehind' | 'sockets'
>;

export interface OwnProcessOptions {
  readonly name: string;
  readonly role: string;
  readonly version: string;
  readonly port: number;
  readonly clock: Clock;
  /** Health checks of the process, from which its status is derived. */
  readonly health: () => Promise<HealthReport>;
  readonly figures: () => ProcessFigures;
}

const SIGN_EVERY_MS = 1_000;
const SIGN_TEXT_MAX = 300;
/** Milliseconds without a status message after which a process is listed as `gone`. */
const SILENT_MS = 5_000;
/** Milliseconds after the last status message of a process at which it is removed from the operators' list. */
const GONE_SHOWN_MS = 600_000;
const PROCESSES_MAX = 512;

/** Builds the status messages of this process, and records the time since which its state has not changed. */
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
    // Changed reasons alone do not count as a change of state, because they contain durations, which change
    // continuously.
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

/**
 * Publishes the status of this process every second. The returned function ends this and publishes that the
 * process ends.
 */
export function sendSigns(
  own: OwnProcess,
  { link, log }: { readonly link: Link; readonly log: Log },
): () => void {
  let isRunning = true;
  let isChecking = false;
  const send = async () => {
    // At most one health check runs at a time, even if it takes longer than the interval.
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
    // Publishes that the process ends, so that writers need not wait until it counts as gone.
    link.publish(SUBJECTS.processes, Buffer.from(JSON.stringify({ name: own.name, status: 'ended' })));
  };
}

export type ProcessState = 'leads' | 'serves' | 'stands by' | 'waits' | 'stops' | 'replaced' | 'gone';

/** A process of the exchange as operators see it. */
export interface KnownProcess extends ProcessSign {
  readonly state: ProcessState;
  /** Time at which the last status message of the process arrived, by the clock of this process. */
  readonly heardAt: Instant;
}

interface Heard {
  readonly sign: ProcessSign;
  readonly at: Instant;
  readonly monotonicMs: number;
}

export interface ProcessesOptions {
  readonly own: OwnProcess;
  /** Link to the other processes; undefined if the exchange runs as a single process. */
  readonly link: Link | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** All known processes of the exchange. Only a writer receives status messages; nodes only send their own. */
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

  /** Returns all known processes, at most 513, in the order of `orderOf`. */
  async list(): Promise<readonly KnownProcess[]> {
    const { own, clock } = this.options;
    this.forgetGone();
    const nowMs = clock.monotonicMs();
    const heard = [{ sign: await own.sign(), at: clock.now(), monotonicMs: nowMs }, ...this.heard.values()];
    // The highest epoch of all writers whose last status message said that they lead. A writer with a lower epoch was
    // replaced, although it may not have detected this yet.
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

const ROLES_IN_ORDER: readonly string[] = ['all', 'writer', 'api', 'feed', 'worker'];

/**
 * Returns the sort key of a process: first the writer that leads, then other writers, API nodes, feed nodes,
 * workers, and processes with a role that this version does not know.
 */
function orderOf({ state, role }: KnownProcess): number {
  if (state === 'leads') return 0;
  const place = ROLES_IN_ORDER.indexOf(role);
  return place === -1 ? ROLES_IN_ORDER.length + 1 : place + 1;
}

/** Parses a status message; undefined for a malformed one. */
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
    // The bytes are not a status message of this exchange.
    return undefined;
  }
}
