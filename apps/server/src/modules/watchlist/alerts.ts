import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { ALERT_LIMIT, alertProblem, type AlertChannel, type AskedAlert } from '@exchange/core/price-alert.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import type { AlertKeeper } from './alert-keeper.ts';
import { presentAlert } from './present.ts';
import type { AlertRepository } from './repository.ts';
import type { PriceAlert } from './domain/alert.ts';

const ENDED_KEPT_MS = 30 * DAY_MS;

export interface NewAlert extends AskedAlert {
  readonly symbol: string;
  readonly repeats: boolean;
  readonly channels: readonly AlertChannel[];
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly assets: Assets;
  readonly market: Pick<Market, 'lastPrice' | 'reference'>;
  readonly repository: AlertRepository;
  readonly keeper: AlertKeeper;
}

/** What users do with their price alerts. */
export class Alerts {
  private readonly deps: AlertsDeps;

  constructor(deps: AlertsDeps) {
    this.deps = deps;
  }

  /** The alerts that watch, newest first, of one pair when named; refuses an unknown one. */
  async list(owner: UserId, symbol: string | undefined): Promise<PriceAlert[]> {
    if (symbol !== undefined) this.pairOf(symbol);
    const alerts = await this.deps.repository.watchingOf(owner, symbol);
    return alerts.filter((alert) => this.deps.assets.findPair(alert.symbol) !== undefined);
  }

  /** The pair of a symbol; refuses an unknown one. */
  pairOf(symbol: string): Pair {
    const listed = this.deps.assets.findPair(symbol);
    if (listed !== undefined) return listed.pair;
    throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
  }

  /**
   * Sets an alert and watches from this very moment; the same submission again gives the first answer. Refuses a price that is reached already and a twenty-first alert.
   */
  async add(owner: UserId, asked: NewAlert, submission: Submission | undefined): Promise<PriceAlert> {
    if (submission !== undefined) {
      const known = await this.setBefore(owner, asked, submission.key);
      if (known !== undefined) return known;
    }
    const alert = this.newAlert(owner, asked);
    const stored = this.insert(alert, submission);
    // No deal passes between the look at the last price and this: the insert has not waited for anything yet.
    this.deps.keeper.begin(
      alert,
      stored.then(({ id }) => id === alert.id, isUncertain),
    );
    try {
      const { id } = await stored;
      if (id !== alert.id) this.deps.keeper.end(alert.id);
    } catch (cause) {
      // After a lost connection the alert may exist, so it stays watched: a notice will show it.
      if (!isUncertain(cause)) this.deps.keeper.end(alert.id);
      throw cause;
    }
    return stored;
  }

  /** Ends an alert. Gives how many that were, none when it had ended; refuses one that is not the user's. */
  async remove(owner: UserId, id: string): Promise<number> {
    const count = await this.deps.repository.end(owner, id, this.deps.clock.now());
    if (count === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    this.deps.keeper.end(id);
    return count;
  }

  /** Forgets alerts that ended a month ago. */
  async cleanUp(): Promise<void> {
    await this.deps.repository.removeEnded(later(this.deps.clock.now(), -ENDED_KEPT_MS));
  }

  private newAlert(owner: UserId, asked: NewAlert): PriceAlert {
    const { clock, random, keeper } = this.deps;
    const pair = this.pairOf(asked.symbol);
    const from = this.lastPrice(pair);
    const problem = alertProblem(pair, asked, from);
    if (problem !== undefined) throw new Refused(problem);
    const now = clock.now();
    const beginning = {
      from,
      createdAt: now,
      triggeredAt: undefined,
      isArmed: true,
      sequence: keeper.latestDeal,
    };
    return { id: newId(random, now), owner, ...asked, ...beginning };
  }

  /** Stores an alert and gives it, or the one that the same request has set a moment before. */
  private insert(alert: PriceAlert, submission: Submission | undefined): Promise<PriceAlert> {
    const { database, repository } = this.deps;
    return database.transaction(async (tx) => {
      const count = await repository.lockCount(tx, alert.owner);
      const known = submission && (await repository.byKey(tx, alert.owner, submission.key));
      if (known !== undefined) return requireSame(known.alert, alert);
      if (count >= ALERT_LIMIT) {
        throw new Refused(refusal('aboveMaximum', 'l.alerts_max', { limit: String(ALERT_LIMIT) }));
      }
      await repository.insert(tx, alert, submission?.key);
      if (submission !== undefined) {
        const answer = presentAlert(alert, this.pairOf(alert.symbol));
        await storeFirstAnswer(tx, submission, { answer, at: alert.createdAt });
      }
      return alert;
    });
  }

  private async setBefore(owner: UserId, asked: NewAlert, key: string): Promise<PriceAlert | undefined> {
    const { database, repository, keeper } = this.deps;
    const known = await repository.byKey(database.reader, owner, key);
    if (known === undefined) return undefined;
    // Its insert may have ended in a lost connection; one that is watched is not begun again.
    if (!known.hasEnded) keeper.begin(known.alert);
    return requireSame(known.alert, asked);
  }

  /** Before the first deal of a pair, the index stands for the last price. */
  private lastPrice({ symbol, priceDigits }: Pair): Decimal {
    const { market } = this.deps;
    const price = market.lastPrice(symbol) ?? market.reference(symbol)?.rounded(priceDigits, 'halfEven');
    if (price === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return price;
  }
}

function requireSame(known: PriceAlert, asked: NewAlert): PriceAlert {
  const isSame =
    known.symbol === asked.symbol &&
    known.condition === asked.condition &&
    known.price.equals(asked.price) &&
    known.repeats === asked.repeats &&
    known.channels.join() === asked.channels.join();
  if (isSame) return known;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

/** Whether an insert that failed may have happened all the same; a refusal is certain. */
function isUncertain(cause: unknown): boolean {
  return !(cause instanceof Refused);
}
