/** How many may be inside at once, in all and of one group, and how many of a group may wait for it. */
export interface PlaceLimits {
  readonly all: number;
  readonly perGroup: number;
  readonly waitingPerGroup: number;
}

interface Group {
  present: number;
  readonly waiting: ((release: Release) => void)[];
}

/** Frees a place; calling it again changes nothing. */
export type Release = () => void;

/**
 * Places for work that only a few may do at once. Groups with waiting work are admitted in turn, so that one group
 * never delays another by more than the work that is already inside.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #groups = new Map<string, Group>();
  /** Groups with waiting work, the next one to be admitted first. */
  readonly #queue = new Set<string>();
  #present = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get present(): number {
    return this.#present;
  }

  /**
   * Enters as a member of `group`: gives the release at once where there is a place, a promise of it where the group
   * has to wait, and undefined where too much of the group waits already.
   */
  enter(group: string): Release | Promise<Release> | undefined {
    const known = this.#groups.get(group) ?? this.#newGroup(group);
    if (this.#hasPlace(known)) return this.#occupied(group, known);
    if (known.waiting.length >= this.#limits.waitingPerGroup) return undefined;
    this.#queue.add(group);
    return new Promise((resolve) => known.waiting.push(resolve));
  }

  #newGroup(name: string): Group {
    const group: Group = { present: 0, waiting: [] };
    this.#groups.set(name, group);
    return group;
  }

  #hasPlace({ present }: Group): boolean {
    return this.#present < this.#limits.all && present < this.#limits.perGroup;
  }

  #occupied(name: string, group: Group): Release {
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
      // Behind the other groups that wait.
      if (group.waiting.length > 0) this.#queue.add(name);
      next(this.#occupied(name, group));
    }
  }
}
