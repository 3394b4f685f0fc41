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
  /** Called after a switch of a price source was stored, with the switches of all price sources. */
  readonly onChange?: (states: readonly SourceState[]) => void;
}

/** The operator who switches a price source, and the reason. */
export interface SwitchReason {
  readonly by: string;
  readonly reason: string;
}

/** A price source with its last switch, if any. */
export interface SwitchedSource {
  readonly id: string;
  /** Whether the price source is part of the index now; a switch counts only once it has taken effect. */
  readonly isOn: boolean;
  /** Whether the price source is part of the index once its last switch has taken effect. */
  readonly willBeOn: boolean;
  readonly change: SourceChange | undefined;
  /** Instant at which the price source's last switch takes effect or took effect; undefined without a switch. */
  readonly effectiveFrom: Instant | undefined;
}

/**
 * The switches of price sources, off and on, by operators. A switch takes effect after a delay and is stored,
 * so that a restart changes nothing.
 */
export class SourceSwitches {
  private readonly parts: Parts;
  /**
   * Switches by price source, oldest first: those that decide about recent seconds, and those that are not in effect
   * yet.
   */
  private changes = new Map<string, SourceChange[]>();
  private ids: readonly string[] = [];

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Loads the stored switches of price sources; `ids` are the configured sources. */
  async load(ids: readonly string[]): Promise<void> {
    const { clock, database } = this.parts;
    this.ids = ids;
    this.changes = new Map();
    for (const change of await changesInForceFrom(database.reader, later(clock.now(), -SWITCH_WAIT_MS)))
      this.addChange(change);
  }

  /** Whether a price source is part of the index at an instant, by the switches that are in effect then. */
  isOn(source: string, at: Instant): boolean {
    return isSourceOn(this.changes.get(source) ?? [], at);
  }

  /**
   * The switches that decide which price sources count, in the form that the index thread needs.
   */
  states(): readonly SourceState[] {
    return [...this.changes.values()].flat().map(({ source, isOn, at }) => ({ source, isOn, at }));
  }

  list(): readonly SwitchedSource[] {
    const now = this.parts.clock.now();
    return this.ids.map((id): SwitchedSource => {
      const change = this.changes.get(id)?.at(-1);
      const from = change && later(change.at, SWITCH_WAIT_MS);
      return { id, isOn: this.isOn(id, now), willBeOn: change?.isOn ?? true, change, effectiveFrom: from };
    });
  }

  /**
   * Number of price sources that remain on without this one after all switches have taken effect.
   */
  remainingCountWithout(source: string): number {
    return this.list().filter(({ id, willBeOn }) => id !== source && willBeOn).length;
  }

  /**
   * Switches a price source off and returns the time from which its quotes no longer count. `note` is public
   * at once. Refuses an unknown source, and a note or reason that is empty or too long.
   */
  async switchOff(source: string, note: TextByLocale, why: SwitchReason): Promise<Instant> {
    for (const text of Object.values(note)) if (text !== undefined) requireText('note', text, TEXT_MAX);
    return this.change(source, { isOn: false, note }, why);
  }

  /**
   * Switches a price source on and returns the time from which its quotes count again. Refuses an unknown
   * source, and a reason that is empty or too long.
   */
  async switchOn(source: string, why: SwitchReason): Promise<Instant> {
    return this.change(source, { isOn: true, note: undefined }, why);
  }

  private async change(
    source: string,
    state: Pick<SourceChange, 'isOn' | 'note'>,
    why: SwitchReason,
  ): Promise<Instant> {
    const { clock, log, database } = this.parts;
    if (!this.ids.includes(source))
      throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'source', value: source }));
    requireText('reason', why.reason, TEXT_MAX);
    const change = { source, ...state, ...why, at: clock.now() };
    await storeChange(database.store, change);
    this.addChange(change);
    this.parts.onChange?.(this.states());
    const from = later(change.at, SWITCH_WAIT_MS);
    log.warn('market.source_switched', { source, isOn: state.isOn, from, ...why });
    return from;
  }

  private addChange(change: SourceChange): void {
    const previous = this.changes.get(change.source) ?? [];
    const latestObsolete = later(this.parts.clock.now(), -2 * SWITCH_WAIT_MS);
    const inForce = Math.max(
      0,
      previous.findLastIndex(({ at }) => at <= latestObsolete),
    );
    this.changes.set(change.source, [...previous.slice(inForce), change]);
  }
}
