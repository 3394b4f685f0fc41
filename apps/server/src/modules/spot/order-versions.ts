import type { OrderId } from '@exchange/core/ids.ts';
import type { CopyRows } from '../../platform/database/database.ts';
import { openOrderDigests, openOrderVersions } from './repository.ts';

/**
 * If the digests of at least this fraction of all buckets have changed, the versions of all buckets are read in one
 * query.
 */
const MANY = 0.5;

/** The versions of the stored open orders in buckets that have changed. */
export interface ChangedVersions {
  /** The ids of the open orders that are new or have another version than before. */
  readonly ids: readonly OrderId[];
  /** Number of all open orders. */
  readonly size: number;
  readonly digests: ReadonlyMap<number, string>;
  /** The versions of the open orders by order id, for each bucket; a bucket without open orders is empty. */
  readonly buckets: ReadonlyMap<number, ReadonlyMap<OrderId, string>>;
}

const NO_VERSIONS: ReadonlyMap<OrderId, string> = new Map();

/**
 * The versions of all stored open orders, by which a standby finds changed orders. Orders are grouped into buckets. The
 * digests of all buckets are compared, and then the orders' versions in buckets with a changed digest.
 */
export class OrderVersions {
  private digests: ReadonlyMap<number, string> = new Map();
  private readonly buckets = new Map<number, ReadonlyMap<OrderId, string>>();
  private readonly ids = new Set<OrderId>();

  /** Whether an order was open in the snapshot that was applied last. */
  has(id: OrderId): boolean {
    return this.ids.has(id);
  }

  /** Number of orders that were open in the snapshot that was applied last. */
  get size(): number {
    return this.ids.size;
  }

  /** Reads the changed versions; `apply` must be called to make them the current ones. */
  async read(copy: CopyRows): Promise<ChangedVersions> {
    const digests = await openOrderDigests(copy);
    const numbers = [...new Set([...this.digests.keys(), ...digests.keys()])];
    const changed = numbers.filter((number) => digests.get(number) !== this.digests.get(number));
    const isPart = changed.length < numbers.length * MANY;
    const read =
      changed.length === 0 ? new Map() : await openOrderVersions(copy, isPart ? changed : undefined);
    const buckets = new Map<number, ReadonlyMap<OrderId, string>>();
    for (const number of changed) buckets.set(number, read.get(number) ?? NO_VERSIONS);
    const ids: OrderId[] = [];
    let { size } = this.ids;
    for (const [number, versions] of buckets) {
      const known = this.buckets.get(number) ?? NO_VERSIONS;
      size += versions.size - known.size;
      for (const [id, version] of versions) if (known.get(id) !== version) ids.push(id);
    }
    return {
      ids,
      size,
      digests,
      buckets,
    };
  }

  apply({ digests, buckets }: ChangedVersions): void {
    for (const [number, versions] of buckets) {
      for (const id of this.buckets.get(number)?.keys() ?? []) this.ids.delete(id);
      for (const id of versions.keys()) this.ids.add(id);
      if (versions.size === 0) this.buckets.delete(number);
      else this.buckets.set(number, versions);
    }
    this.digests = digests;
  }
}
