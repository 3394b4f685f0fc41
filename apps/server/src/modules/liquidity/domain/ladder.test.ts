import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { orderProblem } from '@exchange/core/spot.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssets } from '../../assets/index.ts';
import { simulatedCoin } from '../../market/domain/simulated-path.ts';
import {
  isThin,
  quoteCommands,
  targetTicks,
  type LadderInput,
  type OpenQuote,
  type QuoteCommand,
} from './ladder.ts';
import { profileOf } from './profile.ts';

const { pairs } = createAssets({ mode: 'demo' });
const PRICES: Readonly<Record<string, string>> = {
  btcusdt: '97000',
  shibusdt: '0.0000135',
  eosbtc: '0.00000876',
  ltcusdt: '98',
  orchusdt: '0.0128',
};

function inputFor(symbol: string, overrides: Partial<LadderInput> = {}): LadderInput {
  const listed = pairs.find(({ pair }) => pair.symbol === symbol);
  if (listed === undefined) throw new Error(`no pair ${symbol}`);
  return {
    pair: listed.pair,
    filters: listed.filters,
    profile: profileOf(listed.pair, listed.isToken),
    index: Decimal.parse(PRICES[symbol] ?? '1'),
    quoteValue: Decimal.parse(listed.pair.quote === 'USDT' ? '1' : '97000'),
    open: [],
    best: { buy: undefined, sell: undefined },
    draw: () => 0.5,
    ...overrides,
  };
}

/** The market maker's open orders after these commands were executed. */
function quotesAfter(
  open: readonly OpenQuote[],
  commands: readonly QuoteCommand[],
  round: number,
): OpenQuote[] {
  const cancelled = new Set(commands.flatMap((command) => (command.kind === 'cancel' ? [command.id] : [])));
  const placed = commands.flatMap((command, at) =>
    command.kind === 'place'
      ? [{ id: `${round}-${at}`, side: command.side, price: command.price, remaining: command.amount }]
      : [],
  );
  const moved = new Map(
    commands.flatMap((command) => (command.kind === 'move' ? [[command.id, command.price] as const] : [])),
  );
  const stay = open.filter(({ id }) => !cancelled.has(id));
  return [...stay.map((quote) => ({ ...quote, price: moved.get(quote.id) ?? quote.price })), ...placed];
}

function full(symbol: string): OpenQuote[] {
  return quotesAfter([], quoteCommands(inputFor(symbol)), 0);
}

const counted = (open: readonly OpenQuote[], side: Side) =>
  open.filter((quote) => quote.side === side).length;

describe('the ladder', () => {
  it('LIQ-001 is complete after its own commands and then needs no further command', () => {
    const open = full('btcusdt');
    expect([counted(open, 'buy'), counted(open, 'sell')]).toEqual([25, 25]);
    expect(quoteCommands(inputFor('btcusdt', { open }))).toEqual([]);
    expect([isThin(inputFor('btcusdt')), isThin(inputFor('btcusdt', { open }))]).toEqual([true, false]);
  });

  it('LIQ-001 LIQ-1035 quotes a tick from the centre of a major pair and a few ticks apart, larger amounts further out', () => {
    const open = full('btcusdt');
    const bids = open.filter(({ side }) => side === 'buy').map(({ price }) => price);
    const asks = open.filter(({ side }) => side === 'sell').map(({ price }) => price);
    expect([bids[0]?.toString(), asks[0]?.toString()]).toEqual(['96999.99', '97000.01']);
    const ticksOf = (price: Decimal) => Number(price.minus(Decimal.parse('97000')).toScaled(2));
    for (const side of [bids, asks]) {
      const ticks = side.slice(0, 6).map((price) => Math.abs(ticksOf(price)));
      expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
      expect(ticks[5]).toBeLessThan(100);
    }
    const [nearest, furthest] = [open[0], open.at(-1)];
    expect(furthest?.remaining.isMore(nearest?.remaining ?? Decimal.zero)).toBe(true);
  });

  it('LIQ-001 takes one tick per level where the grid is coarse, and stays inside the price band', () => {
    for (const symbol of ['shibusdt', 'eosbtc']) {
      const input = inputFor(symbol);
      const ticks = targetTicks(input, 'buy');
      expect(new Set(ticks).size).toBe(ticks.length);
      expect(ticks.length).toBeGreaterThanOrEqual(20);
      const problems = quoteCommands(input).map((command) =>
        command.kind === 'cancel' || command.kind === 'move'
          ? command
          : orderProblem(
              input.pair,
              input.filters,
              {
                side: command.side,
                type: 'limit',
                price: command.price,
                amount: command.amount,
                timeInForce: 'GTC',
                postOnly: true,
              },
              { status: 'open', reference: input.index },
            ),
      );
      expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    }
  });

  it.each(pairs.map(({ pair }) => pair.symbol))(
    'LIQ-030 quotes at least 20 prices per side on %s, all of them valid orders',
    (symbol) => {
      const { pair } = inputFor(symbol);
      const worth = (code: string) => (code === 'USDT' ? 1 : simulatedCoin(code).anchor);
      const digits = pair.priceDigits + 2;
      // The test is repeated at 80 per cent of the price, where a price tick is a larger fraction of the price.
      for (const part of [0.8, 1]) {
        const price = (part * worth(pair.base)) / worth(pair.quote);
        const index = Decimal.ofScaled(BigInt(Math.round(price * 10 ** digits)), digits);
        const quoteValue = Decimal.ofWhole(Math.round(worth(pair.quote)));
        const input = inputFor(symbol, { index, quoteValue });
        const placed = quotesAfter([], quoteCommands(input), 0);
        for (const side of ['buy', 'sell'] as const) {
          const quotes = placed.filter((quote) => quote.side === side);
          const prices = new Set(quotes.map((quote) => quote.price.toString()));
          expect([symbol, side, prices.size >= 20]).toEqual([symbol, side, true]);
          for (const { price, remaining } of quotes) {
            const order = { side, type: 'limit', price, amount: remaining } as const;
            const request = { ...order, timeInForce: 'GTC', postOnly: true } as const;
            const market = { status: 'open', reference: index } as const;
            expect(orderProblem(pair, input.filters, request, market)).toBeUndefined();
          }
        }
      }
    },
  );

  it('LIQ-002 first cancels or moves the quotes that the index has crossed, nearest first', () => {
    const open = full('btcusdt');
    const commands = quoteCommands(inputFor('btcusdt', { open, index: Decimal.parse('96900') }));
    const best = open.find(({ side }) => side === 'buy');
    expect(commands[0]).toEqual({
      kind: 'move',
      id: best?.id,
      side: 'buy',
      price: Decimal.parse('96899.99'),
    });
    // The index fell below the bids. All bids are moved away from it before an ask follows it downwards.
    const moves = commands.flatMap((command) => (command.kind === 'move' ? [command.side] : []));
    expect(moves.lastIndexOf('buy')).toBeLessThan(moves.indexOf('sell'));
    const minor = full('xrpusdt');
    const [first] = quoteCommands(inputFor('xrpusdt', { open: minor, index: Decimal.parse('0.99') }));
    expect(first).toMatchObject({ kind: 'cancel', reason: 'tooClose' });
  });

  it('LIQ-002 cancels crossed quotes that are nearly used up before it moves others towards the index', () => {
    const index = Decimal.parse('96900');
    const quotes = full('btcusdt');
    const outermost = quotes.findLast(({ side }) => side === 'buy')!;
    const spare = Array.from({ length: 3 }, (_, at) => ({
      id: `spare-${at}`,
      side: 'buy' as const,
      price: outermost.price,
      remaining: outermost.remaining,
    }));
    const used = quotes.map((quote) => {
      const isCrossed = quote.side === 'buy' && quote.price.isMore(index);
      return {
        id: quote.id,
        side: quote.side,
        price: quote.price,
        remaining: isCrossed ? Decimal.parse('0.00000001') : quote.remaining,
      };
    });
    const commands = quoteCommands(inputFor('btcusdt', { open: [...used, ...spare], index }));
    const kinds = commands.map((command) => command.kind);
    expect(commands[0]).toMatchObject({ kind: 'cancel', reason: 'tooClose' });
    expect(kinds.lastIndexOf('move')).toBeGreaterThan(0);
    const cancels = commands.flatMap((command, at) =>
      command.kind === 'cancel' && command.reason === 'tooClose' ? [at] : [],
    );
    expect(cancels.at(-1)).toBeLessThan(kinds.indexOf('move'));
  });

  it('LIQ-002 moves only the edges when the index moves a little', () => {
    const open = full('ltcusdt');
    const commands = quoteCommands(inputFor('ltcusdt', { open, index: Decimal.parse('98.04') }));
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.length).toBeLessThanOrEqual(5);
  });

  it('LIQ-004 takes offers of other traders that are better than the own best quote, and no others', () => {
    const open = full('btcusdt');
    const best = (sell: string) => ({ buy: undefined, sell: Decimal.parse(sell) });
    const [take] = quoteCommands(inputFor('btcusdt', { open, best: best('96980') }));
    expect(take).toMatchObject({ kind: 'take', side: 'buy' });
    expect(quoteCommands(inputFor('btcusdt', { open, best: best('97000.5') }))).toEqual([]);
  });

  it('LIQ-002 renews a level whose order is nearly used up', () => {
    const open = full('btcusdt').map((quote, at) =>
      at === 0 ? { ...quote, remaining: Decimal.parse('0.0001') } : quote,
    );
    expect(quoteCommands(inputFor('btcusdt', { open }))).toMatchObject([
      { kind: 'place', side: open[0]?.side },
    ]);
  });

  it('LIQ-002 reaches a stable ladder at any index from any earlier ladder, without quoting across the index', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('btcusdt', 'shibusdt', 'eosbtc', 'ltcbtc', 'xrpusdt'),
        fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (symbol, moves, luck) => {
          const start = inputFor(symbol, { draw: () => luck });
          let { index } = start;
          let open: OpenQuote[] = [];
          for (const [round, move] of moves.entries()) {
            index = index.times(
              Decimal.ofScaled(10_000n + BigInt(move), 4),
              'halfEven',
              start.pair.priceDigits + 2,
            );
            for (let pass = 0; pass < 3; pass += 1) {
              open = quotesAfter(open, quoteCommands({ ...start, index, open }), round * 10 + pass);
            }
            expect(quoteCommands({ ...start, index, open })).toEqual([]);
            const isAcross = (quote: OpenQuote) =>
              quote.side === 'buy' ? quote.price.isMore(index) : quote.price.isLess(index);
            expect(open.filter(isAcross)).toEqual([]);
          }
        },
      ),
    );
  });
});
