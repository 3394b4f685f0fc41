import type { OrderId } from '@exchange/core/ids.ts';
import type { SpotOrder } from './order-domain.ts';

interface Legs {
  readonly limit: OrderId;
  readonly stop: OrderId;
}

/** The OCOs of which both legs are open. */
export class OcoGroups {
  private readonly groups = new Map<string, Legs>();

  add(groupId: string, limit: SpotOrder, stop: SpotOrder): void {
    this.groups.set(groupId, { limit: limit.id, stop: stop.id });
  }

  /** Whether the order's other leg is open too. */
  has({ groupId }: SpotOrder): boolean {
    return groupId !== '' && this.groups.has(groupId);
  }

  /** Forgets the order's group and gives its other leg; undefined when that had ended before. */
  dissolve({ id, groupId }: SpotOrder): OrderId | undefined {
    const legs = this.groups.get(groupId);
    if (legs === undefined) return undefined;
    this.groups.delete(groupId);
    return legs.limit === id ? legs.stop : legs.limit;
  }

  clear(): void {
    this.groups.clear();
  }
}
