import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { LIMITS } from '../../src/platform/limits/limits.ts';
import { RateGate } from '../../src/platform/limits/rate-gate.ts';

type Limit = Charge['limit'];

/** Keeps one user's calls within what the server admits, so that nobody is turned away all the time. */
export class Pacer {
  private readonly gates = new Map<Limit, RateGate>();

  /** Resolves once another call is admitted. */
  async turn(limit: Limit): Promise<void> {
    for (;;) {
      const waitMs = this.gateOf(limit).take('', 1, performance.now());
      if (waitMs === 0) return;
      await sleep(waitMs);
    }
  }

  /** The server was started anew, which knows nothing of earlier calls. */
  forget(): void {
    this.gates.clear();
  }

  private gateOf(limit: Limit): RateGate {
    const known = this.gates.get(limit);
    if (known !== undefined) return known;
    const gate = new RateGate(LIMITS[limit]);
    this.gates.set(limit, gate);
    return gate;
  }
}
