import { LEVELS_PER_CHUNK, type Ladder } from './ladder.ts';
import type { BookOrder, Level } from './level.ts';
import type { RestingOrders } from './resting-orders.ts';
import { searchKey } from './search-key.ts';

/**
 * Describes every violated structural rule of a book; empty when the book is consistent. Reads every order
 * once.
 */
export function validate(orders: RestingOrders): string[] {
  const problems: string[] = [];
  const { bids, asks, index } = orders;
  const queued = ladderProblems(bids, orders, problems) + ladderProblems(asks, orders, problems);
  if (queued !== index.size) problems.push(`${queued} orders queue, ${index.size} are indexed`);
  const sharded = index.shardSizes().reduce((sum, size) => sum + size, 0);
  if (sharded !== index.size) problems.push(`the shards hold ${sharded} orders, not ${index.size}`);
  if (bids.best !== null && asks.best !== null && bids.best.price >= asks.best.price) {
    problems.push(`the book is crossed: bid ${bids.best.price}, ask ${asks.best.price}`);
  }
  return problems;
}

/**
 * Checks the structure of one side of the book and adds each problem to `problems`; returns the number of
 * orders found.
 */
function ladderProblems(ladder: Ladder, orders: RestingOrders, problems: string[]): number {
  let seen = 0;
  let levels = 0;
  let previous: Level | null = null;
  for (const chunk of ladder.chunks) {
    if (chunk.levels.length === 0 || chunk.levels.length > LEVELS_PER_CHUNK) {
      problems.push(`a ${ladder.side} chunk holds ${chunk.levels.length} levels`);
    }
    if (chunk.keys.length !== chunk.levels.length) problems.push(`a ${ladder.side} chunk has other keys`);
    for (const [at, level] of chunk.levels.entries()) {
      if (chunk.keys[at] !== searchKey(level.price)) problems.push(`level ${level.price} has a wrong key`);
      levels += 1;
      if (previous !== null && !ladder.isWorse(previous.price, level.price)) {
        problems.push(`${ladder.side} level ${level.price} does not improve on ${previous.price}`);
      }
      if (level.side !== ladder.side) problems.push(`level ${level.price} points to the other side`);
      seen += levelProblems(level, orders, problems);
      previous = level;
    }
  }
  if (ladder.best !== previous) problems.push(`the best ${ladder.side} level is not the last one`);
  if (levels !== ladder.levelCount)
    problems.push(`${levels} ${ladder.side} levels, not ${ladder.levelCount}`);
  return seen;
}

/**
 * Checks one price level's queue and sums, and adds what is wrong to `problems`; returns the number of orders found.
 */
function levelProblems(level: Level, orders: RestingOrders, problems: string[]): number {
  let amount = 0n;
  let seen = 0;
  let previous: BookOrder | null = null;
  for (let order = level.first; order !== null; order = order.next) {
    amount += order.amount;
    seen += 1;
    if (order.amount <= 0n) problems.push(`order ${order.id} rests with ${order.amount} lots`);
    if (order.previous !== previous) problems.push(`order ${order.id} is linked wrongly`);
    if (order.level !== level) problems.push(`order ${order.id} points to another level`);
    if (orders.index.get(order.id) !== order) problems.push(`order ${order.id} is not indexed`);
    previous = order;
  }
  if (seen === 0) problems.push(`level ${level.price} is empty`);
  if (level.last !== previous) problems.push(`level ${level.price} does not know its last order`);
  if (seen !== level.orders) problems.push(`level ${level.price} counts ${level.orders} orders, not ${seen}`);
  if (amount !== level.amount) problems.push(`level ${level.price} sums ${level.amount} lots, not ${amount}`);
  return seen;
}
