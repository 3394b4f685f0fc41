import { errorMessage } from '../error-message.ts';
import { inTime } from '../in-time.ts';

/** Health of a component. `reason` says why it is down. Operators see `facts`, e.g. the number of waiting mails. */
export interface ComponentHealth {
  readonly isUp: boolean;
  /** Whether the component is down only because this server is a standby, so that another server does its work. */
  readonly isStandby?: boolean;
  /** Whether the component counts as up only because it was not measured yet. */
  readonly isUnmeasured?: boolean;
  readonly reason?: string;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** Rows of a table for operators, at most a few dozen, e.g. one for each failing item of due work. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

export interface HealthReport {
  /**
   * `standby`: each essential component is up or on standby, because another server does its work. `draining`: the
   * process is about to stop but still serves requests.
   */
  readonly status: 'up' | 'standby' | 'down' | 'draining';
  readonly components: Readonly<Record<string, ComponentHealth>>;
}

type Check = () => ComponentHealth | Promise<ComponentHealth>;

const CHECK_TIMEOUT_MS = 2_000;

/** Registry of the health checks of the server's components. */
export class Health {
  readonly #checks = new Map<string, Check>();
  readonly #optional = new Set<string>();
  #isDraining = false;

  /** Makes all further reports say that the process is about to stop, so that proxies choose other processes. */
  drain(): void {
    this.#isDraining = true;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Adds an essential component, without which the server cannot serve anybody. A check that throws or takes longer
   * than two seconds counts as down. Throws if a component of this name is there already. Use `watchDispensable` for a
   * component that affects only a coin, pair, chain, product or auxiliary function.
   */
  watch(component: string, check: Check): void {
    if (this.#checks.has(component)) throw new Error(`two parts report their health as "${component}"`);
    this.#checks.set(component, check);
  }

  /**
   * Adds a component whose failure affects only a small part of the service. A failure is reported, but the server
   * still counts as up.
   */
  watchDispensable(component: string, check: Check): void {
    this.watch(component, check);
    this.#optional.add(component);
  }

  /**
   * Returns the overall status for load balancers. Only the essential components are checked, and none while the
   * process is about to stop.
   */
  async status(): Promise<HealthReport['status']> {
    if (this.#isDraining) return 'draining';
    const needed = [...this.#checks].filter(([name]) => !this.#optional.has(name));
    return statusOf(await Promise.all(needed.map(([, check]) => runCheck(check))));
  }

  /** Checks the essential components only, and reports each of them. */
  essentials(): Promise<HealthReport> {
    return this.#reportOf([...this.#checks].filter(([name]) => !this.#optional.has(name)));
  }

  /**
   * Checks and reports all components. The status is `draining` before a stop; otherwise `up` if all essential
   * components are up, `standby` if all essential components that are not up are on standby, and else `down`.
   */
  report(): Promise<HealthReport> {
    return this.#reportOf([...this.#checks]);
  }

  async #reportOf(checked: readonly (readonly [string, Check])[]): Promise<HealthReport> {
    const checks = checked.map(async ([name, check]) => [name, await runCheck(check)] as const);
    const components = Object.fromEntries(await Promise.all(checks));
    const parts = Object.entries(components).flatMap(([name, part]) =>
      this.#optional.has(name) ? [] : [part],
    );
    return { status: this.#isDraining ? 'draining' : statusOf(parts), components };
  }
}

function statusOf(needed: readonly ComponentHealth[]): HealthReport['status'] {
  if (needed.every(({ isUp }) => isUp)) return 'up';
  return needed.every((part) => part.isUp || part.isStandby === true) ? 'standby' : 'down';
}

async function runCheck(check: Check): Promise<ComponentHealth> {
  try {
    return await inTime(Promise.resolve(check()), CHECK_TIMEOUT_MS, () => ({
      isUp: false,
      reason: 'gave no answer in time',
    }));
  } catch (cause) {
    // A component whose check throws counts as down. Operators see the reason.
    return { isUp: false, reason: errorMessage(cause) };
  }
}
