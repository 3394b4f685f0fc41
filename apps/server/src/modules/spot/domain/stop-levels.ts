import type { Decimal } from '@exchange/core/decimal.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import { triggersStop } from '@exchange/core/stop.ts';
import { isDormant, type SpotOrder } from './order.ts';

interface Node {
  readonly order: SpotOrder;
  readonly price: Decimal;
  readonly rank: number;
  /**
   * The heap priority of a node in the treap: a parent's is not lower than its children's. It is derived from the
   * stop's rank, so a replay builds the same tree.
   */
  readonly weight: number;
  left: Node | undefined;
  right: Node | undefined;
  /** The node with the lowest rank (oldest stop) in this node's subtree. */
  lowest: Node;
}

/**
 * Waiting stops of one trigger direction, sorted by price and rank. A treap in which each node
 * stores the lowest rank of its subtree, so finding the triggered stop with the lowest rank takes
 * logarithmic time.
 */
export class StopLevels {
  private readonly direction: StopDirection;
  private root: Node | undefined;

  constructor(direction: StopDirection) {
    this.direction = direction;
  }

  /**
   * Adds a waiting stop order. Its price, rank and activation must not change until it is removed.
   */
  add(order: SpotOrder): void {
    const { rank } = order;
    const price = awaitedPrice(order);
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

  /** Removes a waiting stop order; does nothing if it is absent. */
  remove(order: SpotOrder): void {
    this.root = removed(this.root, { order, price: awaitedPrice(order), rank: order.rank });
  }

  /**
   * The waiting stop order with the lowest rank among those that the last trade price triggers; undefined
   * if it triggers none.
   */
  lowestTriggered(last: Decimal): SpotOrder | undefined {
    let lowest: Node | undefined;
    let node = this.root;
    while (node !== undefined) {
      const [nearer, further] = this.direction === 'gte' ? [node.left, node.right] : [node.right, node.left];
      if (triggersStop(this.direction, node.price, last)) {
        // The price triggers this stop order, and so every stop order that is nearer to the market.
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

/**
 * The price that a stop order waits for: the activation price of an inactive trailing stop,
 * otherwise the trigger price.
 */
function awaitedPrice({ stop }: SpotOrder): Decimal {
  return isDormant(stop!) ? stop!.activation! : stop!.price;
}

type Position = Pick<Node, 'order' | 'price' | 'rank'>;

function isBefore(first: Position, second: Position): boolean {
  if (first.price.isLess(second.price)) return true;
  if (first.price.isMore(second.price)) return false;
  return first.rank < second.rank || (first.rank === second.rank && first.order.id < second.order.id);
}

function lowerOf(first: Node | undefined, second: Node | undefined): Node | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return second.rank < first.rank ? second : first;
}

/** Recomputes a treap node's `lowest` from its children and returns the node. */
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

/** Splits a treap into the nodes before a position and the nodes behind it. */
function split(node: Node | undefined, at: Position): [Node | undefined, Node | undefined] {
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

function removed(node: Node | undefined, place: Position): Node | undefined {
  if (node === undefined) return undefined;
  if (node.order === place.order) return joined(node.left, node.right);
  if (isBefore(place, node)) node.left = removed(node.left, place);
  else node.right = removed(node.right, place);
  return refreshed(node);
}

/** Joins two treaps; every node of `before` sorts before every node of `behind`. */
function joined(before: Node | undefined, behind: Node | undefined): Node | undefined {
  if (before === undefined || behind === undefined) return before ?? behind;
  if (before.weight > behind.weight) {
    before.right = joined(before.right, behind);
    return refreshed(before);
  }
  behind.left = joined(before, behind.left);
  return refreshed(behind);
}

/**
 * The treap priority of a rank: a hash by the finalizer of MurmurHash3, because increasing priorities
 * would degenerate the tree.
 */
function weightOf(rank: number): number {
  let mixed = (rank % 2 ** 32) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
