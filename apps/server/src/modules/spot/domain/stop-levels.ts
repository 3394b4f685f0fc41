import type { Decimal } from '@exchange/core/decimal.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import { meetsStop } from '@exchange/core/stop.ts';
import { isDormant, type SpotOrder } from './order.ts';

interface Node {
  readonly order: SpotOrder;
  readonly price: Decimal;
  readonly rank: number;
  /** Balances the tree: a node is heavier than all below it. Made from the rank, so that a replay builds the same tree. */
  readonly weight: number;
  left: Node | undefined;
  right: Node | undefined;
  /** The node with the lowest rank among this one and all below it. */
  lowest: Node;
}

/**
 * Waiting stops of one direction, sorted by price and rank. A treap whose nodes know the lowest rank below them, so that
 * the stop with the lowest rank among those that a price meets is found in logarithmic time, and any number of them is
 * taken out in the order of their rank without the others being looked at.
 */
export class StopLevels {
  private readonly direction: StopDirection;
  private root: Node | undefined;

  constructor(direction: StopDirection) {
    this.direction = direction;
  }

  /** Adds a stop. Its price, rank and activation must not change until it is removed. */
  add(order: SpotOrder): void {
    const { rank } = order;
    const price = waitsFor(order);
    const node: Node = {
      order,
      price,
      rank,
      weight: weightOf(rank),
      left: undefined,
      right: undefined,
      lowest: undefined!,
    };
    this.root = inserted(this.root, refreshed(node));
  }

  /** Removes a stop; does nothing when it is not there. */
  remove(order: SpotOrder): void {
    this.root = removed(this.root, { order, price: waitsFor(order), rank: order.rank });
  }

  /** The stop with the lowest rank among those that a last price meets; undefined when it meets none. */
  lowestMet(last: Decimal): SpotOrder | undefined {
    let lowest: Node | undefined;
    let node = this.root;
    while (node !== undefined) {
      const [nearer, further] = this.direction === 'gte' ? [node.left, node.right] : [node.right, node.left];
      if (meetsStop(this.direction, node.price, last)) {
        // Whatever is nearer to the market is met too.
        lowest = lowerOf(lowerOf(lowest, nearer?.lowest), node);
        node = further;
      } else {
        node = nearer;
      }
    }
    return lowest?.order;
  }

  clear(): void {
    this.root = undefined;
  }
}

/** What a stop waits for: its activation price first, if it has one. */
function waitsFor({ stop }: SpotOrder): Decimal {
  return isDormant(stop!) ? stop!.activation! : stop!.price;
}

type Place = Pick<Node, 'order' | 'price' | 'rank'>;

function isBefore(one: Place, other: Place): boolean {
  if (one.price.isLess(other.price)) return true;
  if (one.price.isMore(other.price)) return false;
  return one.rank < other.rank || (one.rank === other.rank && one.order.id < other.order.id);
}

function lowerOf(one: Node | undefined, other: Node | undefined): Node | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.rank < one.rank ? other : one;
}

/** Brings what a node knows of those below it up to date. */
function refreshed(node: Node): Node {
  node.lowest = lowerOf(lowerOf(node, node.left?.lowest), node.right?.lowest)!;
  return node;
}

function inserted(node: Node | undefined, added: Node): Node {
  if (node === undefined) return added;
  if (added.weight > node.weight) {
    [added.left, added.right] = split(node, added);
    return refreshed(added);
  }
  if (isBefore(added, node)) node.left = inserted(node.left, added);
  else node.right = inserted(node.right, added);
  return refreshed(node);
}

/** The nodes before a place, and those behind it. */
function split(node: Node | undefined, at: Place): [Node | undefined, Node | undefined] {
  if (node === undefined) return [undefined, undefined];
  if (isBefore(node, at)) {
    const [before, behind] = split(node.right, at);
    node.right = before;
    return [refreshed(node), behind];
  }
  const [before, behind] = split(node.left, at);
  node.left = behind;
  return [before, refreshed(node)];
}

function removed(node: Node | undefined, place: Place): Node | undefined {
  if (node === undefined) return undefined;
  if (node.order === place.order) return joined(node.left, node.right);
  if (isBefore(place, node)) node.left = removed(node.left, place);
  else node.right = removed(node.right, place);
  return refreshed(node);
}

/** One tree of two, all nodes of `before` being before those of `behind`. */
function joined(before: Node | undefined, behind: Node | undefined): Node | undefined {
  if (before === undefined || behind === undefined) return before ?? behind;
  if (before.weight > behind.weight) {
    before.right = joined(before.right, behind);
    return refreshed(before);
  }
  behind.left = joined(before, behind.left);
  return refreshed(behind);
}

/** Scatters ranks, which come in order (the finalizer of MurmurHash3). */
function weightOf(rank: number): number {
  let mixed = (rank % 2 ** 32) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
