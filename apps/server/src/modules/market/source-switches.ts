import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { isSourceOn, SWITCH_WAIT_MS, type SourceState } from './domain/source-states.ts';
import { changesInForceFrom, storeChange, type SourceChange } from './source-repository.ts';

export { SWITCH_WAIT_MS } from './domain/source-states.ts';

const TEXT_MAX = 500;
interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  /** Called after each change was stored. */
  readonly onChange?: (states: readonly SourceState[]) => void;
}

/** Who switches a source, and why. */
export interface Why {
  readonly by: string;
  readonly reason: string;
}

/** A source, and its last switch if there was any. */
export interface SwitchedSource {
  readonly id: string;
  /** Whether it counts now. */
  readonly isOn: boolean;
  /** Whether it counts once its last switch is in force. */
  readonly willBeOn: boolean;
  readonly change: SourceChange | undefined;
  /** From when its last switch is in force. */
  readonly from: Instant | undefined;
}

/** Which sources operators have switched off, in force some time after they did. It is kept, so that a restart changes nothing. */
export class SourceSwitches {
  private readonly parts: Parts;
  /** By source, oldest first: the last that is in force, and what waits behind it. */
  private changes = new Map<string, SourceChange[]>();
  private ids: readonly string[] = [];

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Reads what was switched; `ids` are the sources that there are. */
  async load(ids: readonly string[]): Promise<void> {
    const { clock, database } = this.parts;
    this.ids = ids;
    this.changes = new Map();
    for (const change of await changesInForceFrom(database.reader, later(clock.now(), -SWITCH_WAIT_MS)))
      this.remember(change);
  }

  /** Whether a source counts at a moment. */
  isOn(source: string, at: Instant): boolean {
    return isSourceOn(this.changes.get(source) ?? [], at);
  }

  /** The changes that decide which sources count, as the thread that makes the index needs them. */
  states(): readonly SourceState[] {
    return [...this.changes.values()].flat().map(({ source, isOn, at }) => ({ source, isOn, at }));
  }

  list(): readonly SwitchedSource[] {
    const now = this.parts.clock.now();
    return this.ids.map((id) => {
      const change = this.changes.get(id)?.at(-1);
      const from = change && later(change.at, SWITCH_WAIT_MS);
      return { id, isOn: this.isOn(id, now), willBeOn: change?.isOn ?? true, change, from };
    });
  }

  /** How many would be left on without this one, once all switches are in force. */
  leftWithout(source: string): number {
    return this.list().filter(({ id, willBeOn }) => id !== source && willBeOn).length;
  }

  /** Its quotes do not count from the moment given; `note` is what everybody is told, at once. */
  async switchOff(source: string, note: TextByLocale, why: Why): Promise<Instant> {
    for (const text of Object.values(note)) if (text !== undefined) requireText('note', text, TEXT_MAX);
    return this.change(source, { isOn: false, note }, why);
  }

  /** Its quotes count again from the moment given. */
  async switchOn(source: string, why: Why): Promise<Instant> {
    return this.change(source, { isOn: true, note: undefined }, why);
  }

  private async change(
    source: string,
    state: Pick<SourceChange, 'isOn' | 'note'>,
    why: Why,
  ): Promise<Instant> {
    const { clock, log, database } = this.parts;
    if (!this.ids.includes(source))
      throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'source', value: source }));
    requireText('reason', why.reason, TEXT_MAX);
    const change = { source, ...state, ...why, at: clock.now() };
    await storeChange(database.store, change);
    this.remember(change);
    this.parts.onChange?.(this.states());
    const from = later(change.at, SWITCH_WAIT_MS);
    log.warn('market.source_switched', { source, isOn: state.isOn, from, ...why });
    return from;
  }

  private remember(change: SourceChange): void {
    const before = this.changes.get(change.source) ?? [];
    const made = later(this.parts.clock.now(), -2 * SWITCH_WAIT_MS);
    const inForce = Math.max(
      0,
      before.findLastIndex(({ at }) => at <= made),
    );
    this.changes.set(change.source, [...before.slice(inForce), change]);
  }
}
