/** Maximum number of slots in use in total (`all`) and per group, and of waiting requests for slots per group. */
export interface PlaceLimits {
  readonly all: number;
  readonly perGroup: number;
  readonly waitingPerGroup: number;
}

interface Group {
  present: number;
  readonly waiting: ((release: Release) => void)[];
}

/** Type of functions that free an occupied slot. Further calls have no effect. */
export type Release = () => void;

/**
 * Limits concurrent work by slots. Groups with waiting work get slots in turn, so that a group need not wait until all
 * waiting work of another group is done.
 */
export class Slots {
  readonly #limits: PlaceLimits;
  readonly #groups = new Map<string, Group>();
  /** Groups of callers with waiting work, next group first. */
  readonly #queue = new Set<string>();
  #present = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get present(): number {
    return this.#present;
  }

  /**
   * Requests a slot for work of `group`. Returns the function that releases the slot, or a promise of it if the work
   * must wait. Returns undefined if too much work of the group is waiting.
   */
  enter(group: string): Release | Promise<Release> | undefined {
    const existing = this.#groups.get(group) ?? this.#newGroup(group);
    if (this.#hasPlace(existing)) return this.#occupy(group, existing);
    if (existing.waiting.length >= this.#limits.waitingPerGroup) return undefined;
    this.#queue.add(group);
    return new Promise((resolve) => existing.waiting.push(resolve));
  }

  #newGroup(name: string): Group {
    const group: Group = { present: 0, waiting: [] };
    this.#groups.set(name, group);
    return group;
  }

  #hasPlace({ present }: Group): boolean {
    return this.#present < this.#limits.all && present < this.#limits.perGroup;
  }

  #occupy(name: string, group: Group): Release {
    group.present += 1;
    this.#present += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      group.present -= 1;
      this.#present -= 1;
      this.#admitWaiting();
      if (group.present === 0 && group.waiting.length === 0) this.#groups.delete(name);
    };
  }

  #admitWaiting(): void {
    for (const name of this.#queue) {
      if (this.#present >= this.#limits.all) return;
      const group = this.#groups.get(name);
      if (group === undefined || group.present >= this.#limits.perGroup) continue;
      const next = group.waiting.shift();
      this.#queue.delete(name);
      if (next === undefined) continue;
      // If the group has more waiting work, it moves to the end of the queue of groups.
      if (group.waiting.length > 0) this.#queue.add(name);
      next(this.#occupy(name, group));
    }
  }
}
