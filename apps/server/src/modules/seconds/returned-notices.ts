import { DAY_MS, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { Outcome, Position } from './domain.ts';
import { refundedSince, returnedSince, type ReturnedAt } from './records-repository.ts';

/** How far back a server that starts looks for what was not told. */
const LOOKED_BACK_MS = 7 * DAY_MS;

interface Deps {
  readonly clock: Clock;
  readonly database: Pick<Database, 'transaction'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/**
 * Tells owners which positions were given back, and why. There is one message about a position, however often it is sent;
 * so what a crash kept from being written is simply sent again.
 */
export class ReturnedNotices {
  private readonly deps: Deps;
  private told: Instant | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  async tell(): Promise<void> {
    const now = this.deps.clock.now();
    let behind: ReturnedAt = { at: this.told ?? later(now, -LOOKED_BACK_MS), id: undefined };
    await tellNotices(this.deps, async (tx, limit) => {
      const found = await returnedSince(tx, behind, limit);
      const last = found.at(-1);
      if (last !== undefined) behind = { at: last.outcome!.finishedAt, id: last.id };
      return found.map(messageOf);
    });
    let refundedBehind: ReturnedAt = { at: this.told ?? later(now, -LOOKED_BACK_MS), id: undefined };
    await tellNotices(this.deps, async (tx, limit) => {
      const found = await refundedSince(tx, refundedBehind, limit);
      const last = found.at(-1);
      if (last !== undefined) refundedBehind = { at: last.outcome!.refund!.at, id: last.id };
      return found.map(messageOf);
    });
    this.told = later(now, -MINUTE_MS);
  }
}

function kindOf({ refund, reason }: Outcome): 'secondsRefunded' | 'secondsIntervalVoid' | 'secondsNoPrice' {
  if (refund !== undefined) return 'secondsRefunded';
  return reason === 'interval' ? 'secondsIntervalVoid' : 'secondsNoPrice';
}

function messageOf(position: Position): AddressedMessage {
  const { id, owner, symbol, asset, stake, fee, seconds, acceptedAt, outcome } = position;
  return {
    ...{ userId: owner, about: id },
    message: {
      type: 'trade',
      kind: kindOf(outcome!),
      parameters: {
        ...{ pair: symbol.toUpperCase(), seconds: String(seconds), coin: asset, order: id },
        ...{ amount: stake.plus(fee).toString(), stake: stake.toString(), fee: fee.toString() },
        time: timeText(acceptedAt),
      },
    },
  };
}
