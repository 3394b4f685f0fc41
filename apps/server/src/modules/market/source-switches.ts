import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { newestChanges, storeChange, type SourceChange } from './source-repository.ts';

const TEXT_MAX = 500;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
}

/** Who switches a source, and why. */
export interface Why {
  readonly by: string;
  readonly reason: string;
}

/** Which sources operators have switched off. It is kept, so that a restart changes nothing. */
export class SourceSwitches {
  private readonly parts: Parts;
  private changes = new Map<string, SourceChange>();
  private ids: readonly string[] = [];

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Reads what was switched; `ids` are the sources that there are. */
  async load(ids: readonly string[]): Promise<void> {
    this.ids = ids;
    const stored = await newestChanges(this.parts.database.reader);
    this.changes = new Map(stored.map((change) => [change.source, change]));
  }

  isOn(source: string): boolean {
    return this.changes.get(source)?.isOn ?? true;
  }

  /** Every source with its last change, if there was any. */
  list(): readonly {
    readonly id: string;
    readonly isOn: boolean;
    readonly change: SourceChange | undefined;
  }[] {
    return this.ids.map((id) => ({ id, isOn: this.isOn(id), change: this.changes.get(id) }));
  }

  /** How many would be left on without this one. */
  leftWithout(source: string): number {
    return this.ids.filter((id) => id !== source && this.isOn(id)).length;
  }

  /** From the next second on its quotes do not count; `note` is what everybody is told. */
  async switchOff(source: string, note: TextByLocale, why: Why): Promise<void> {
    for (const text of Object.values(note)) if (text !== undefined) requireText('note', text, TEXT_MAX);
    await this.change(source, { isOn: false, note }, why);
  }

  async switchOn(source: string, why: Why): Promise<void> {
    await this.change(source, { isOn: true, note: undefined }, why);
  }

  private async change(source: string, state: Pick<SourceChange, 'isOn' | 'note'>, why: Why): Promise<void> {
    const { clock, log, database } = this.parts;
    if (!this.ids.includes(source))
      throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'source', value: source }));
    requireText('reason', why.reason, TEXT_MAX);
    const change = { source, ...state, ...why, at: clock.now() };
    await storeChange(database.store, change);
    this.changes.set(source, change);
    log.warn('market.source_switched', { source, isOn: state.isOn, ...why });
  }
}
