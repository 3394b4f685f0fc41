import { Decimal } from '@exchange/core/decimal.ts';
import type * as coreExits from '@exchange/core/spot-exits.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Step } from '../../../../platform/sequencer/step.ts';
import type * as amending from '../../amending.ts';
import type { AmendInput, CancelAllInput, CancelInput, TriggerInput } from '../../command-inputs.ts';
import type * as exits from '../../exits.ts';
import type { ExchangeState, SpotMarket } from '../../exchange-state.ts';
import type * as exchange from '../../exchange.ts';
import type * as cancellation from '../../cancellation.ts';
import type * as loading from '../../loading.ts';
import type * as open from '../../domain/open-orders.ts';
import { isOffBook, type SpotOrder } from '../../domain/order.ts';
import type * as tables from '../../tables.ts';
import { planted, type PlantedBug } from './plant.ts';

/** Planted bugs in how orders end, are amended, and are restored after a restart. */
export const LIFE_BUGS: readonly PlantedBug[] = [
  planted<typeof cancellation>('a fill of one leg leaves the other leg of an OCO', 'cancellation.ts', () => ({
    endPartner: () => undefined,
  })),
  planted<typeof cancellation>('an order trades after its time', 'cancellation.ts', () => ({
    expireDue: () => 0,
  })),
  planted<typeof cancellation>(
    'what expired in a refused step stays ended',
    'cancellation.ts',
    ({ expireDue }) => ({
      expireDue: (state: ExchangeState, step: Step, market: SpotMarket) => {
        const lasting = Object.create(step) as Step;
        lasting.onUndo = () => undefined;
        return expireDue(state, lasting, market);
      },
    }),
  ),
  planted<typeof open>('an order ends a millisecond late', 'domain/open-orders.ts', ({ ExpiryQueue }) => ({
    ExpiryQueue: class extends ExpiryQueue {
      override get nextAt(): number {
        return super.nextAt + 1;
      }
    },
  })),
  planted<typeof exchange>('cancelling all misses the stops', 'exchange.ts', ({ SpotExchange }) => ({
    SpotExchange: class extends SpotExchange {
      override cancelAll(step: Step, input: CancelAllInput): { count: number; entries: number } {
        const { orders } = this;
        const owned = orders.ofOwner(input.owner).filter((order) => !isOffBook(order));
        const all = orders.ofOwner.bind(orders);
        orders.ofOwner = () => owned;
        const result = super.cancelAll(step, input);
        orders.ofOwner = all;
        return result;
      }
    },
  })),
  planted<typeof exchange>('anybody may cancel an order', 'exchange.ts', ({ SpotExchange }) => ({
    SpotExchange: class extends SpotExchange {
      override cancel(step: Step, input: CancelInput): SpotOrder {
        const owner = this.orders.get(input.order)?.owner ?? input.owner;
        return super.cancel(step, { owner, order: input.order });
      }
    },
  })),
  planted<typeof exchange>('orders leave a closed pair', 'exchange.ts', ({ SpotExchange }) => ({
    SpotExchange: class extends SpotExchange {
      override mayCancel(): boolean {
        return true;
      }
    },
  })),
  planted<typeof open>(
    'waiting stops count as orders on the book',
    'domain/open-orders.ts',
    ({ OpenOrders }) => ({
      OpenOrders: class extends OpenOrders {
        override countsOf(owner: UserId, symbol: string) {
          const { resting, waiting } = super.countsOf(owner, symbol);
          return { resting: resting + waiting, waiting };
        }
      },
    }),
  ),
  planted<typeof amending>('an amended order keeps its rank', 'amending.ts', ({ amend }) => ({
    amend: (state: ExchangeState, step: Step, input: AmendInput) => {
      const rank = state.orders.get(input.order)?.rank;
      const order = amend(state, step, input);
      if (rank !== undefined) order.rank = rank;
      return order;
    },
  })),
  planted<typeof amending>(
    'changing exits alone costs the place in the queue',
    'amending.ts',
    ({ amend }) => ({
      amend: (state: ExchangeState, step: Step, input: AmendInput) => {
        const order = amend(state, step, input);
        if (input.exits !== undefined && order.state === 'open') order.rank = step.sequence;
        return order;
      },
    }),
  ),
  planted<typeof coreExits>(
    'an exit that is taken away stays',
    '@exchange/core/spot-exits.ts',
    ({ amendedExits }) => ({
      amendedExits: (exits: ExitsRequest | undefined, wish: ExitsRequest | undefined) =>
        amendedExits(exits, wish) ?? exits,
    }),
  ),
  planted<typeof loading>('a restart forgets which stops are due', 'loading.ts', ({ loadExchange }) => ({
    loadExchange: async (...parts: Parameters<typeof loadExchange>) => {
      await loadExchange(...parts);
      parts[0].due.clear();
    },
  })),
  planted<typeof loading>('a restart forgets which exits are owed', 'loading.ts', ({ loadExchange }) => ({
    loadExchange: async (...parts: Parameters<typeof loadExchange>) => {
      await loadExchange(...parts);
      parts[0].owedExits.clear();
    },
  })),
  planted<typeof loading>(
    'a restart forgets which pending orders are owed',
    'loading.ts',
    ({ loadExchange }) => ({
      loadExchange: async (...parts: Parameters<typeof loadExchange>) => {
        await loadExchange(...parts);
        parts[0].owedOtos.clear();
      },
    }),
  ),
  planted<typeof cancellation>(
    'pending orders stay when their working order ends',
    'cancellation.ts',
    () => ({
      followEndOfOto: () => undefined,
    }),
  ),
  planted<typeof exits>('exits sell what went as the fee, too', 'exits.ts', ({ placeExits }) => ({
    placeExits: (state: ExchangeState, step: Step, input: TriggerInput) => {
      const entry = state.owedExits.get(input.order);
      const fee = entry?.fee ?? Decimal.zero;
      if (entry !== undefined) entry.fee = Decimal.zero;
      const placed = placeExits(state, step, input);
      if (entry !== undefined) entry.fee = fee;
      return placed;
    },
  })),
  planted<typeof loading>(
    'a restart forgets how far trailing stops had come',
    'loading.ts',
    ({ loadExchange }) => ({
      loadExchange: async (...parts: Parameters<typeof loadExchange>) => {
        const [shipped, database, ledger] = parts;
        const reader = database.store.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            const isPrices = result.rows.some((row) => 'taker_side' in row);
            return isPrices ? { ...result, rows: [] } : result;
          },
        });
        await loadExchange(shipped, { ...database, reader }, ledger);
      },
    }),
  ),
  planted<typeof exchange>('a restart unties the legs of OCOs', 'exchange.ts', ({ SpotExchange }) => ({
    SpotExchange: class extends SpotExchange {
      override restoreGroups(): void {}
    },
  })),
  planted<typeof tables>(
    'the terms of an order that does not wait are not stored',
    'tables.ts',
    ({ hasTerms }) => ({
      hasTerms: (order: SpotOrder) => order.stop !== undefined && hasTerms(order),
    }),
  ),
];
