import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { timeText } from '../../platform/time-text.ts';
import { deliverNotices, type AddressedMessage, type NoticeParts } from '../messages/index.ts';
import type { Position } from './domain.ts';
import { refundedSince, timeOfKey, unreportedResults, voidSince } from './records-repository.ts';
import { secondsMessages } from './words/messages.ts';

/**
 * A start of the server checks the void and refunded positions of this many milliseconds before it for missing
 * messages.
 */
const LOOKED_BACK_MS = 7 * DAY_MS;

interface Deps extends NoticeParts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sends owners messages about the results of their positions. Settlements queue won, lost and drawn positions;
 * void and refunded positions are found by their time. A repeated message about a position's result is dropped
 * by the inbox.
 */
export class ResultNotices {
  private readonly deps: Deps;
  private notifiedUntil: Instant | undefined;
  private readonly runs = new SerialRuns(() => this.notifySettled());

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Sends all missing messages; of void and refunded positions only those of the last seven days. Rejects when the
   * database fails; a later run sends the rest.
   */
  async notify(): Promise<void> {
    await this.notifySettled();
    await this.notifyReturned();
  }

  /**
   * Starts sending missing messages about won, lost and drawn positions in the background, unless a run is already
   * waiting to start. A failure is logged, and a later run sends them.
   */
  start(): void {
    if (this.runs.isWaiting) return;
    this.runs.run().catch((cause: unknown) => this.deps.log.error('seconds.results_not_notified', { cause }));
  }

  /** Waits for the sending that `start` began. */
  async stop(): Promise<void> {
    await this.runs.whenIdle();
  }

  private async notifySettled(): Promise<void> {
    await deliverNotices(this.deps, 'seconds results', unreportedResults, (positions) =>
      positions.map((position) => messageOf(position, position.outcome!.result)),
    );
  }

  private async notifyReturned(): Promise<void> {
    const now = this.deps.clock.now();
    const from = this.notifiedUntil ?? later(now, -LOOKED_BACK_MS);
    const failed = [
      ...(await deliverNotices(this.deps, 'seconds void results', voidSince(from), (positions) =>
        positions.map((position) => messageOf(position, 'void')),
      )),
      ...(await deliverNotices(this.deps, 'seconds refund results', refundedSince(from), (positions) =>
        positions.map((position) => messageOf(position, 'refund')),
      )),
    ];
    // The next run checks positions since one minute before this run or since the oldest failed message, but not
    // further back than `LOOKED_BACK_MS`.
    const oldest = Math.min(now - MINUTE_MS, ...failed.map(timeOfKey));
    this.notifiedUntil = instant(Math.max(oldest, now - LOOKED_BACK_MS));
  }
}

const { kinds: KINDS } = secondsMessages;
const SETTLED_KINDS = {
  win: KINDS.secondsWon,
  lose: KINDS.secondsLost,
  draw: KINDS.secondsDrawn,
  refund: KINDS.secondsRefunded,
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
        event === 'void'
          ? isByInterval
            ? KINDS.secondsIntervalVoid
            : KINDS.secondsNoPrice
          : SETTLED_KINDS[event],
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
