import type { UserId } from '@exchange/core/ids.ts';
import { MarketMaker } from './market-maker.ts';
import type { TradingParts } from './parts.ts';
import { SimulatedFlow } from './simulated-flow.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';

const TICK_MS = 50;
const FIRST_QUOTES_MS = 5_000;

export interface LiquidityDeps extends TradingParts {
  /** Id of the market maker's user, from whose balances its orders are placed. */
  readonly maker: UserId;
  /** Id of the simulated takers' user; undefined if none are simulated, as in live mode. */
  readonly takers: UserId | undefined;
  readonly seed: number;
}

/** Runs the market maker and, if there are any, the simulated takers, on a timer. */
export class Liquidity {
  private readonly deps: LiquidityDeps;
  private readonly maker: MarketMaker;
  private readonly flow: SimulatedFlow | undefined;
  private readonly pending = new Set<Promise<void>>();
  private readonly ticks = new PeriodicTask(() => this.tick(), { everyMs: TICK_MS });

  constructor(deps: LiquidityDeps) {
    this.deps = deps;
    this.maker = new MarketMaker(deps, deps.maker, deps.seed);
    this.flow = deps.takers === undefined ? undefined : new SimulatedFlow(deps, deps.takers, deps.seed + 1);
  }

  /**
   * Cancels open orders on pairs that are no longer quoted, and starts quoting; other open orders stay. The spot module
   * must be started before. With simulated takers, waits at most five seconds until at least 80 per cent of the pairs
   * have orders, because the creation of other demo data needs them.
   */
  async start(): Promise<void> {
    await this.maker.cancelUnquoted();
    this.ticks.start();
    if (this.flow === undefined) return;
    for (let waitedMs = 0; waitedMs < FIRST_QUOTES_MS && !this.maker.hasQuotes; waitedMs += TICK_MS) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /**
   * Stops sending commands and waits for the pending ones. Open orders stay in the book; after the next start the
   * market maker continues with them.
   */
  async stop(): Promise<void> {
    await this.ticks.stop();
    await Promise.all(this.pending);
  }

  private tick(): void {
    const now = this.deps.clock.now();
    this.track(this.maker.advance(now));
    if (this.flow !== undefined) this.track(this.flow.advance(now));
  }

  private track(work: Promise<void>): void {
    const tracked = work
      // Refused and failed orders are handled where they are sent. Any other error is a bug; it is logged, and trading
      // goes on with the next tick.
      .catch((cause: unknown) => this.deps.log.error('liquidity.beat_failed', { cause }))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }
}
