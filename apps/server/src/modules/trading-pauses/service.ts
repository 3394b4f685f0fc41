import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { PauseNotice, PauseScope } from '@exchange/core/trading-pause.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import { endTradingPause, openTradingPauses, storeTradingPause, type TradingPause } from './repository.ts';

export interface TradingPausesParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

/**
 * Name of the operator who publishes or ends a notice, and the operator's reason; both are stored and not
 * published.
 */
interface Author {
  readonly by: string;
  readonly reason: string;
}

/**
 * Public notices about pauses of trading. A notice stops nothing by itself: the statuses of pairs, the halts of coins
 * and the terms of the seconds contract do. Callers publish a notice after a stop and end it before they open trading
 * again. So a crash in between leaves trading stopped without a notice, but never an old notice that the next stop
 * would show.
 */
export class TradingPauses implements Participant {
  readonly name = 'notices of trading pauses';
  private readonly parts: TradingPausesParts;
  private readonly listeners: ((scope: PauseScope, subject: string) => void)[] = [];
  private readonly decisions = new OnePerKey();
  private notices: ReadonlyMap<string, TradingPause> = new Map();

  constructor(parts: TradingPausesParts) {
    this.parts = parts;
  }

  async load(): Promise<void> {
    const open = await openTradingPauses(this.parts.database.store);
    this.notices = new Map(open.map((notice) => [keyOf(notice.scope, notice.subject), notice]));
  }

  /**
   * Returns the published notice about a pair, a coin, or the seconds contract (subject `seconds`); undefined
   * if there is none.
   */
  find(scope: PauseScope, subject: string): TradingPause | undefined {
    return this.notices.get(keyOf(scope, subject));
  }

  /** Calls `listener` after every publication, replacement and end of a notice. */
  onChange(listener: (scope: PauseScope, subject: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Runs a decision about a subject (a pair, a coin or a contract) when earlier decisions about the same subject have
   * ended. Otherwise a stop and an opening by two operators at the same time could leave the notice of one decision
   * with the state of the other.
   */
  decide<Result>(scope: PauseScope, subject: string, decision: () => Promise<Result>): Promise<Result> {
    return this.decisions.run(keyOf(scope, subject), decision);
  }

  /** Refuses a notice whose time of the next news has already passed. */
  requirePublishable({ newsAt }: PauseNotice): void {
    if (newsAt !== undefined && newsAt <= this.parts.clock.now())
      throw new Refused(
        refusal('invalidField', 'l.field_invalid', { field: 'newsAt', value: String(newsAt) }),
      );
  }

  /**
   * Publishes a notice about a pause of trading, and replaces an earlier notice about the same pause. Must be called
   * within `decide`.
   */
  async publish(scope: PauseScope, subject: string, notice: PauseNotice, author: Author): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    const id = newId(systemRandom, now);
    const { cause, newsAt, note } = notice;
    const stored = await database.transaction((tx) =>
      storeTradingPause(tx, id, { scope, subject, cause, newsAt, note }, { ...author, now }),
    );
    this.notices = new Map([...this.notices, [keyOf(scope, subject), stored]]);
    log.info('trading.pause_published', { scope, subject, cause, newsAt, by: author.by });
    this.emit(scope, subject);
  }

  /** Ends the published notice about a pause of trading, if there is one. Must be called within `decide`. */
  async end(scope: PauseScope, subject: string, author: Author): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    const ended = await database.transaction((tx) =>
      endTradingPause(tx, { scope, subject }, { ...author, now }),
    );
    if (ended === undefined) return;
    const key = keyOf(scope, subject);
    this.notices = new Map([...this.notices].filter(([name]) => name !== key));
    log.info('trading.pause_ended', { scope, subject, by: author.by });
    this.emit(scope, subject);
  }

  private emit(scope: PauseScope, subject: string): void {
    for (const listener of this.listeners) listener(scope, subject);
  }
}

function keyOf(scope: PauseScope, subject: string): string {
  return `${scope} ${subject}`;
}
