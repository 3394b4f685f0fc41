import type { UserId } from '@exchange/core/ids.ts';

/** Running algo orders of one kind (e.g. icebergs) in memory, by id, and their number per owner. */
export class OpenParents<Parent extends { readonly id: string; readonly owner: UserId }> {
  private readonly byId = new Map<string, Parent>();
  private readonly counts = new Map<UserId, number>();

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Parent | undefined {
    return this.byId.get(id);
  }

  /** The running algo order with this id if it belongs to this owner; otherwise undefined. */
  ofOwner({ owner, id }: { readonly owner: UserId; readonly id: string }): Parent | undefined {
    const parent = this.byId.get(id);
    return parent?.owner === owner ? parent : undefined;
  }

  countOf(owner: UserId): number {
    return this.counts.get(owner) ?? 0;
  }

  add(parent: Parent): void {
    this.byId.set(parent.id, parent);
    this.counts.set(parent.owner, this.countOf(parent.owner) + 1);
  }

  remove({ id, owner }: Parent): void {
    if (!this.byId.delete(id)) return;
    const count = this.countOf(owner) - 1;
    if (count === 0) this.counts.delete(owner);
    else this.counts.set(owner, count);
  }

  clear(): void {
    this.byId.clear();
    this.counts.clear();
  }

  [Symbol.iterator](): IterableIterator<Parent> {
    return this.byId.values();
  }
}
