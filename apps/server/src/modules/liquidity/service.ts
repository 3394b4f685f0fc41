import type { UserId } from '@exchange/core/ids.ts';
import { MarketMaker } from './market-maker.ts';
import type { TradingParts } from './parts.ts';
import { SimulatedFlow } from './simulated-flow.ts';

const TICK_MS = 50;
const FIRST_QUOTES_MS = 5_000;

export interface LiquidityDeps extends TradingParts {
  /** The user whose funded inventory is quoted. */
  readonly maker: UserId;
  /** The user of the simulated takers; only a demo has one. */
  readonly takers: UserId | undefined;
  readonly seed: number;
}

/** Runs the makers, and in a demo the simulated takers, on the clock. */
export class Liquidity {
  private readonly deps: LiquidityDeps;
  private readonly maker: MarketMaker;
  private readonly flow: SimulatedFlow | undefined;
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(deps: LiquidityDeps) {
    this.deps = deps;
    this.maker = new MarketMaker(deps, deps.maker, deps.seed);
    this.flow = deps.takers === undefined ? undefined : new SimulatedFlow(deps, deps.takers, deps.seed + 1);
  }

  /**
   * Begins to quote, with the orders that are already open. Spot must be ready. A demo whose
   * books are empty waits a few seconds for the first quotes, which its further data are made of.
   */
  async start(): Promise<void> {
    await this.maker.adopt();
    this.timer = setInterval(() => this.tick(), TICK_MS);
    if (this.flow === undefined) return;
    for (let waitedMs = 0; waitedMs < FIRST_QUOTES_MS && !this.maker.hasQuotes; waitedMs += TICK_MS) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /** Sends nothing more and waits for what is under way. Orders stay on the book for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await Promise.all(this.underWay);
  }

  private tick(): void {
    const now = this.deps.clock.now();
    this.track(this.maker.advance(now));
    if (this.flow !== undefined) this.track(this.flow.advance(now));
  }

  private track(work: Promise<void>): void {
    const tracked = work
      // Commands answer for themselves; what arrives here is a bug and must not end the process.
      .catch((cause: unknown) => this.deps.log.error('liquidity.beat_failed', { cause }))
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}
