import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import type * as stop from '@exchange/core/stop.ts';
import type { Step } from '../../../../platform/sequencer/step.ts';
import type { TriggerInput } from '../../command-inputs.ts';
import type { ExchangeState, SpotMarket } from '../../exchange-state.ts';
import type * as cancellation from '../../cancellation.ts';
import type { SpotOrder } from '../../domain/order.ts';
import type * as marking from '../../trading.ts';
import type * as watch from '../../domain/stop-watch.ts';
import type * as triggers from '../../triggers.ts';
import { planted, type PlantedBug } from './plant.ts';

const CORE = '@exchange/core/stop.ts';

/** Planted bugs in the triggering and the execution of stop orders. */
export const STOP_BUGS: readonly PlantedBug[] = [
  planted<typeof stop>('a stop is not met by exactly its price', CORE, () => ({
    triggersStop: (direction: StopDirection, price: Decimal, last: Decimal) =>
      direction === 'gte' ? last.isMore(price) : last.isLess(price),
  })),
  planted<typeof stop>('a take-profit waits on the side of a stop', CORE, () => ({
    defaultDirection: (_type: string, side: Side) => (side === 'buy' ? 'gte' : 'lte'),
  })),
  planted<typeof stop>('a trailing stop is rounded toward the market', CORE, () => ({
    trailingStopPrice: (pair: Pair, side: Side, extreme: Decimal, trail: Decimal) =>
      side === 'sell'
        ? extreme.minus(extreme.times(trail, 'up', pair.priceDigits))
        : extreme.plus(extreme.times(trail, 'up', pair.priceDigits)),
  })),
  planted<typeof watch>('a trailing stop does not follow', 'domain/stop-watch.ts', ({ TrailingStops }) => ({
    TrailingStops: class extends TrailingStops {
      override removeTriggered(last: Decimal, met: SpotOrder[], moved: Set<SpotOrder>): void {
        for (const { side, stop: waiting } of this.orders()) {
          const extreme = waiting!.extreme!;
          if (side === 'sell' ? last.isMore(extreme) : last.isLess(extreme)) return;
        }
        super.removeTriggered(last, met, moved);
      }
    },
  })),
  planted<typeof watch>(
    'stops that one trade meets become due in any order',
    'domain/stop-watch.ts',
    ({ StopWatch }) => ({
      StopWatch: class extends StopWatch {
        override removeTriggered(
          ...given: Parameters<watch.StopWatch['removeTriggered']>
        ): SpotOrder[] | undefined {
          return super.removeTriggered(...given)?.reverse();
        }
      },
    }),
  ),
  planted<typeof marking>('only the last trade of a step is looked at', 'trading.ts', ({ watchTrades }) => ({
    watchTrades: (...[state, step, market, { fills, firstTrade }]: Parameters<typeof watchTrades>) =>
      watchTrades(state, step, market, {
        fills: fills.slice(-1),
        firstTrade: firstTrade + fills.length - 1,
      }),
  })),
  planted<typeof cancellation>(
    'a stop leg that is met does not get the hold of its limit leg',
    'cancellation.ts',
    ({ cancelOrder }) => ({
      moveHoldToStop: (state: ExchangeState, step: Step, triggered: SpotOrder) => {
        const partner = state.groups.dissolve(triggered);
        if (partner !== undefined) cancelOrder(state, step, state.orders.get(partner)!, 'oco');
      },
    }),
  ),
  planted<typeof cancellation>(
    'a stop leg that is met leaves its limit leg on the book',
    'cancellation.ts',
    () => ({
      moveHoldToStop: (state: ExchangeState, _step: Step, triggered: SpotOrder) => {
        const limit = state.orders.get(state.groups.dissolve(triggered)!)!;
        [triggered.held, limit.held] = [limit.held, triggered.held];
      },
    }),
  ),
  planted<typeof triggers>('a due stop is executed twice', 'triggers.ts', ({ trigger }) => ({
    trigger: (state: ExchangeState, step: Step, input: TriggerInput) => {
      const executed = trigger(state, step, input);
      if (executed?.state === 'open') state.due.add(executed, 0);
      return executed;
    },
  })),
  planted<typeof triggers>('an executed stop keeps its old place in time', 'triggers.ts', ({ trigger }) => ({
    trigger: (state: ExchangeState, step: Step, input: TriggerInput) => {
      const rank = state.orders.get(input.order)?.rank;
      const executed = trigger(state, step, input);
      if (executed !== undefined && rank !== undefined) executed.rank = rank;
      return executed;
    },
  })),
  planted<typeof triggers>('a due stop executes in a halted pair', 'triggers.ts', ({ trigger }) => ({
    trigger: (state: ExchangeState, step: Step, input: TriggerInput) => {
      const market = state.markets.get(state.orders.get(input.order)?.pair.symbol ?? '') as SpotMarket;
      const { status } = market;
      market.status = 'open';
      const executed = trigger(state, step, input);
      market.status = status;
      return executed;
    },
  })),
];
