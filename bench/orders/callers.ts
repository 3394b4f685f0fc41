import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import type { Spot } from '../../apps/server/src/modules/spot/index.ts';
import { userOf } from './fixtures.ts';
import { SYMBOL, Trader } from './workload.ts';
import { Submission } from '../../apps/server/src/platform/sequencer/submission.ts';

/** The numbers of accepted and refused commands since the last reset, and the latencies of the accepted commands. */
export interface Tally {
  accepted: number;
  refused: number;
  latenciesMs: number[];
}

/**
 * Simulated traders. All of them run at the same time; each sends a command, waits for its result and then sends the
 * next command, until `end` is called.
 */
export class Callers {
  tally: Tally = { accepted: 0, refused: 0, latenciesMs: [] };
  private readonly spot: Spot;
  private isEnding = false;
  private readonly running: Promise<unknown>;

  constructor(spot: Spot, count: number) {
    this.spot = spot;
    const traders = Array.from({ length: count }, (_, index) => new Trader(index));
    this.running = Promise.all(traders.map((trader) => this.keepTrading(trader)));
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  private async keepTrading(trader: Trader): Promise<void> {
    while (!this.isEnding) {
      const startMs = performance.now();
      try {
        await this.trade(trader);
        this.tally.accepted += 1;
        this.tally.latenciesMs.push(performance.now() - startMs);
      } catch (cause) {
        // Refused commands are only counted. For example, the order to cancel may already be filled.
        if (!(cause instanceof Refused)) throw cause;
        this.tally.refused += 1;
      }
    }
  }

  private async trade(trader: Trader): Promise<void> {
    const command = trader.next();
    const user = userOf(trader.index);
    if (command.kind === 'cancel') {
      await this.spot.cancel(user, command.id as OrderId);
      return;
    }
    const order = await this.spot.place(
      user,
      {
        symbol: SYMBOL,
        side: trader.isBuyer ? 'buy' : 'sell',
        type: 'limit',
        price: Decimal.parse(command.price),
        amount: Decimal.parse(command.amount),
        total: undefined,
      },
      Submission.create({
        actor: user,
        operation: 'spot.place',
        key: command.clientId,
        sent: { ...command },
      }),
    );
    if (order.status === ORDER_STATUS.open || order.status === ORDER_STATUS.partlyFilled)
      trader.addOpenOrder(order.id);
  }
}
