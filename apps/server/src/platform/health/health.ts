/** How one part of the server is. `facts` are shown to the operator, e.g. the age of the oldest waiting job. */
export interface ComponentHealth {
  readonly isUp: boolean;
  /** Not up because another server does this part's work; nothing is wrong. */
  readonly isStandby?: boolean;
  /** Up as far as anybody knows: what it tells of has not been looked at since the start. */
  readonly isUnmeasured?: boolean;
  readonly reason?: string;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** What is told of several things alike, as a table; a few dozen at most. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

export interface HealthReport {
  /** `standby`: well, and no more than that until it takes over. */
  readonly status: 'up' | 'standby' | 'down';
  readonly components: Readonly<Record<string, ComponentHealth>>;
}

type Check = () => ComponentHealth | Promise<ComponentHealth>;

const CHECK_TIMEOUT_MS = 2_000;

/** The parts of the server that can be asked how they are. */
export class Health {
  readonly #checks = new Map<string, Check>();
  readonly #dispensable = new Set<string>();

  /**
   * Adds a part without which nobody can be served at all; a check that throws, or takes longer than two seconds, means
   * down. A part that concerns one coin, pair, chain, product or helper is added by `watchDispensable`.
   */
  watch(component: string, check: Check): void {
    if (this.#checks.has(component)) throw new Error(`two parts report their health as "${component}"`);
    this.#checks.set(component, check);
  }

  /** Adds a part without which the server does its work but for something small: shown, and no reason to be down. */
  watchDispensable(component: string, check: Check): void {
    this.watch(component, check);
    this.#dispensable.add(component);
  }

  /** Asks only the parts without which nobody can be served: what load balancers go by. */
  async status(): Promise<HealthReport['status']> {
    const needed = [...this.#checks].filter(([name]) => !this.#dispensable.has(name));
    return statusOf(await Promise.all(needed.map(([, check]) => asking(check))));
  }

  /** Asks every part; up only when all that matter are, standby when all others are. */
  async report(): Promise<HealthReport> {
    const asked = [...this.#checks].map(async ([name, check]) => [name, await asking(check)] as const);
    const components = Object.fromEntries(await Promise.all(asked));
    const parts = Object.entries(components).flatMap(([name, part]) =>
      this.#dispensable.has(name) ? [] : [part],
    );
    return { status: statusOf(parts), components };
  }
}

function statusOf(needed: readonly ComponentHealth[]): HealthReport['status'] {
  if (needed.every(({ isUp }) => isUp)) return 'up';
  return needed.every((part) => part.isUp || part.isStandby === true) ? 'standby' : 'down';
}

async function asking(check: Check): Promise<ComponentHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ComponentHealth>((resolve) => {
    timer = setTimeout(() => resolve({ isUp: false, reason: 'gave no answer in time' }), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (cause) {
    // A part that cannot even be asked is not well; why belongs on the operator's page.
    return { isUp: false, reason: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    clearTimeout(timer);
  }
}
