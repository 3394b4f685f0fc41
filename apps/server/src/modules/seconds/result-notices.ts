import { DAY_MS, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { Position } from './domain.ts';
import { dequeueResults, refundedSince, returnedSince, type ReturnedAt } from './records-repository.ts';

/** After a start, void and refunded positions of this period are checked for missing messages. */
const LOOKED_BACK_MS = 7 * DAY_MS;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'transaction'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Sends owners messages about the results of their positions: won, lost and drawn positions from a queue that
 * settlements fill, void and refunded positions by time. Repeated messages about the same result of a
 * position are stored once.
 */
export class ResultNotices {
  private readonly deps: Deps;
  private notifiedUntil: Instant | undefined;
  private running: Promise<void> | undefined;
  private isRequestedAgain = false;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Sends all missing messages. Rejects when the database fails; the rest stays queued. */
  async notify(): Promise<void> {
    await this.notifySettled();
    await this.notifyReturned();
  }

  /**
   * Starts sending the messages about new results; a failure is logged and retried by the next minute's job.
   */
  start(): void {
    this.isRequestedAgain = this.running !== undefined;
    this.running ??= this.notifySettled()
      .catch((cause: unknown) => this.deps.log.error('seconds.results_not_notified', { cause }))
      .finally(() => {
        this.running = undefined;
        if (this.isRequestedAgain) this.start();
      });
  }

  /** Resolves when no message is being written. */
  async stop(): Promise<void> {
    this.isRequestedAgain = false;
    await this.running;
  }

  private notifySettled(): Promise<void> {
    return tellNotices(this.deps, async (tx, limit) =>
      (await dequeueResults(tx, limit)).map((position) => messageOf(position, position.outcome!.result)),
    );
  }

  private async notifyReturned(): Promise<void> {
    const now = this.deps.clock.now();
    const start: ReturnedAt = { at: this.notifiedUntil ?? later(now, -LOOKED_BACK_MS), id: undefined };
    let returnedBehind = start;
    await tellNotices(this.deps, async (tx, limit) => {
      const returned = await returnedSince(tx, returnedBehind, limit);
      const last = returned.at(-1);
      if (last !== undefined) returnedBehind = { at: last.outcome!.finishedAt, id: last.id };
      return returned.map((position) => messageOf(position, 'void'));
    });
    let refundedBehind = start;
    await tellNotices(this.deps, async (tx, limit) => {
      const refunded = await refundedSince(tx, refundedBehind, limit);
      const last = refunded.at(-1);
      if (last !== undefined) refundedBehind = { at: last.outcome!.refund!.at, id: last.id };
      return refunded.map((position) => messageOf(position, 'refund'));
    });
    this.notifiedUntil = later(now, -MINUTE_MS);
  }
}

const SETTLED_KINDS = {
  win: 'secondsWon',
  lose: 'secondsLost',
  draw: 'secondsDrawn',
  refund: 'secondsRefunded',
} as const;

function messageOf(position: Position, event: keyof typeof SETTLED_KINDS | 'void'): AddressedMessage {
  const { id, owner, symbol, asset, stake, fee, profit, seconds, digits, direction, acceptedAt, outcome } =
    position;
  const { reason, entryPrice, settlePrice, net } = outcome!;
  const isByInterval = reason === 'interval';
  const price = (value: typeof entryPrice) => value?.toPlaces(digits) ?? '';
  return {
    userId: owner,
    about: id,
    message: {
      type: 'trade',
      kind:
        event === 'void' ? (isByInterval ? 'secondsIntervalVoid' : 'secondsNoPrice') : SETTLED_KINDS[event],
      parameters: {
        pair: `${symbol.slice(0, -asset.length).toUpperCase()}/${asset}`,
        arrow: direction === 'up' ? '▲' : '▼',
        seconds: String(seconds),
        coin: asset,
        order: id,
        amount: stake.plus(fee).toString(),
        stake: stake.toString(),
        fee: fee.toString(),
        payout: stake.plus(profit).toString(),
        net: net.absolute().toString(),
        entry: price(entryPrice),
        settlement: price(settlePrice),
        time: timeText(acceptedAt),
      },
    },
  };
}
