import {
  PERIOD_DECISIONS,
  PERIOD_MINUTES,
  PERIOD_VALUE,
  isRoutine,
  type RoutineCall,
} from '@exchange/core/operator-period.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConfirmationPeriod, SessionMark } from '../../platform/console/gate.ts';
import type { Database } from '../../platform/database/database.ts';
import { digestOf } from './accounts.ts';
import type { Confirmed } from './confirmations.ts';
import * as rows from './periods-repository.ts';

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
}

/**
 * Confirmation periods. With one authenticator code an operator opens a period of ten minutes, in which the session
 * confirms routine decisions from the same network address without further codes. The number of these decisions and
 * their total value in USDT are limited. A period ends with its session.
 */
export class Periods {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Opens a period of `PERIOD_MINUTES` in which the session confirms routine decisions without further codes.
   * The caller has checked an authenticator code before.
   */
  async open(session: SessionMark): Promise<ConfirmationPeriod> {
    const { clock, database } = this.parts;
    const rest = {
      until: later(clock.now(), PERIOD_MINUTES * MINUTE_MS),
      decisionsLeft: PERIOD_DECISIONS,
      valueLeft: PERIOD_VALUE,
    };
    await rows.openPeriod(database.store, keyOf(session), rest);
    return periodOf(rest);
  }

  /** Ends the confirmation period of a session. Returns false if the session has none. */
  end({ token }: SessionMark): Promise<boolean> {
    return rows.endPeriod(this.parts.database.store, digestOf(token));
  }

  /**
   * Number and value of the decisions that the session's confirmation period can still confirm; undefined if none is
   * open for the session's network address, or if its decisions are used up.
   */
  async find(session: SessionMark): Promise<ConfirmationPeriod | undefined> {
    const { clock, database } = this.parts;
    const rest = await rows.periodRest(database.store, keyOf(session), clock.now());
    return rest && periodOf(rest);
  }

  /**
   * True if the session has an open confirmation period whose remaining decisions and value suffice for the
   * call, and no decision of the call exceeds `PERIOD_DECISION_VALUE`. Changes nothing.
   */
  async covers(session: SessionMark, call: RoutineCall): Promise<boolean> {
    const { clock, database } = this.parts;
    const rest = isRoutine(call)
      ? await rows.periodRest(database.store, keyOf(session), clock.now())
      : undefined;
    return rest !== undefined && rest.decisionsLeft >= call.decisions && !rest.valueLeft.isLess(call.value);
  }

  /**
   * Confirms a call by the confirmation period of its session, and subtracts the call's decisions and value
   * from the period. Returns undefined if no open period covers the call, or a decision of the call exceeds
   * `PERIOD_DECISION_VALUE`.
   */
  async confirm(session: SessionMark, call: RoutineCall): Promise<Confirmed | undefined> {
    if (!isRoutine(call)) return undefined;
    const { clock, database } = this.parts;
    const { decisions, value } = call;
    const key = keyOf(session);
    const until = await rows.takeFromPeriod(database.store, key, { decisions, value, now: clock.now() });
    if (until === undefined) return undefined;
    return { undo: () => rows.returnToPeriod(database.store, key.token, { decisions, value, until }) };
  }
}

function keyOf({ token, address }: SessionMark): rows.PeriodKey {
  return { token: digestOf(token), address };
}

function periodOf({ until, decisionsLeft, valueLeft }: rows.PeriodRest): ConfirmationPeriod {
  return { until, decisionsLeft, valueLeft: valueLeft.toString() };
}
