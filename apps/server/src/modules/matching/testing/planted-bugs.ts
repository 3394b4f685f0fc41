/** A bug as a change of one source line; `find` must occur exactly once in the file. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Plausible programming errors. The comparison with the naive book must detect each of them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'the newest order of a level trades first',
    file: 'sweep.ts',
    find: 'let maker = level.first;',
    replace: 'let maker = level.last;',
  },
  {
    name: 'bids are ranked as asks',
    file: 'ladder.ts',
    find: 'this.isBuy ? price < other : price > other',
    replace: 'price > other',
  },
  {
    name: 'trades happen at the price of the taker',
    file: 'sweep.ts',
    find: 'effects?.fill(maker, price, lots);',
    replace: 'effects?.fill(maker, this.limit ?? price, lots);',
  },
  {
    name: 'an emptied level stays',
    file: 'resting-orders.ts',
    find: 'if (level.first === null) this.ladder(level.side).remove(level);',
    replace: '',
  },
  {
    name: 'fill-or-kill fills in part',
    file: 'price-time-book.ts',
    find: "if (stop !== 'complete') return 'cannotFill';",
    replace: '',
  },
  {
    name: 'fill-or-kill trades up to its own order',
    file: 'price-time-book.ts',
    find: "if (stop === 'ownOrder') return 'selfTrade';",
    replace: "if (stop === 'ownOrder') return null;",
  },
  {
    name: 'post-only crosses',
    file: 'price-time-book.ts',
    find: 'if (order.postOnly && order.price',
    replace: 'if (false && order.price',
  },
  {
    name: 'a larger amount keeps its place',
    file: 'price-time-book.ts',
    find: 'price === level.price && amount <= order.amount',
    replace: 'price === level.price',
  },
  {
    name: 'a smaller amount loses its place',
    file: 'price-time-book.ts',
    find: 'price === level.price && amount <= order.amount',
    replace: 'price === level.price && amount === order.amount',
  },
  {
    name: 'self-trades are not prevented',
    file: 'sweep.ts',
    find: 'if (maker.owner !== this.owner)',
    replace: 'if (true)',
  },
  {
    name: 'cancelBoth spares the maker',
    file: 'sweep.ts',
    find: "this.selfTrade !== 'cancelTaker'",
    replace: "this.selfTrade === 'cancelMaker'",
  },
  {
    name: 'a cancel leaves its lots in the level',
    file: 'level.ts',
    find: 'this.orders -= 1;\n    this.amount -= order.amount;',
    replace: 'this.orders -= 1;',
  },
  {
    name: 'a part fill leaves its lots in the level',
    file: 'level.ts',
    find: 'order.amount -= lots;\n    this.amount -= lots;',
    replace: 'order.amount -= lots;',
  },
  {
    name: 'a cancelled order is still found by its id',
    file: 'resting-orders.ts',
    find: 'this.index.delete(order.id);',
    replace: '',
  },
  {
    name: 'a market order ignores its guard price',
    file: 'price-time-book.ts',
    find: 'order.price ?? order.guardPrice ?? null',
    replace: 'order.price ?? null',
  },
  {
    name: 'a total buys one lot too many',
    file: 'sweep.ts',
    find: 'const affordable = this.totalLeft / price;',
    replace: 'const affordable = this.totalLeft / price + 1n;',
  },
  {
    name: 'the rest of an immediate-or-cancel order stays',
    file: 'conclude.ts',
    find: "return order.timeInForce === 'GTC' && (stop",
    replace: 'return order.price !== null && (stop',
  },
  {
    name: 'a limit trades one level too far',
    file: 'sweep.ts',
    find: 'makers.isWorse(level.price, this.limit)',
    replace: 'makers.isWorse(level.price, this.limit) && level.orders > 1',
  },
  {
    name: 'a split chunk loses a level',
    file: 'ladder.ts',
    find: 'levels: levels.splice(half), keys: keys.splice(half)',
    replace: 'levels: levels.splice(half).slice(1), keys: keys.splice(half).slice(1)',
  },
  {
    name: 'chunks merge in the wrong order',
    file: 'ladder.ts',
    find: 'for (const level of next.levels) chunk.levels.push(level);',
    replace: 'for (const level of next.levels) chunk.levels.unshift(level);',
  },
  {
    name: 'the amount of a removed level is read after another level has replaced it',
    file: 'ladder.ts',
    find: 'this.recent = level;\n    if (isPresent) return level;',
    replace: 'if (isPresent) return level;',
  },
  {
    name: 'a quote leaves out the slices of icebergs',
    file: 'sweep.ts',
    find: 'if (lots === maker.amount) slices?.replace(maker);',
    replace: '',
  },
  {
    name: 'a slice has one lot too many',
    file: 'sweep.ts',
    find: 'level.price, slice.amount);',
    replace: 'level.price, slice.amount + 1n);',
  },
  {
    name: 'a partly filled order is followed by its next slice',
    file: 'sweep.ts',
    find: 'if (makerRemaining === 0n && this.hidden',
    replace: 'if (this.hidden',
  },
];
