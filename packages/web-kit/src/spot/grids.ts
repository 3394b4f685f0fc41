import { Decimal } from '@exchange/core/decimal.ts';
import { gridResults } from '@exchange/core/spot-grid.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { cancelGrid, createGrid, gridOrders, type gridDetail } from '@exchange/wire/grid.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useWords } from '../i18n/words.ts';
import { useLastPrice } from '../market/live.ts';
import { SPOT } from '../market/spot-keys.ts';
import { notify } from '../notify.ts';
import { useCancelAlgo, usePlaceAlgo, type PlacingOptions } from './algo-calls.ts';
import type { GridPayload } from './grid-form.ts';
import { useSpotUpdates } from './live.ts';
import type { Order } from './shapes.ts';

/**
 * A trading grid in the form in which the server returns it. A grid has orders at fixed prices, each of which
 * is followed by one of the other side when it is filled.
 */
export type Grid = DataOf<typeof gridDetail>['grid'];

/**
 * Returns the results of a grid, of holding what the grid held at its start, and of buying the coin for the
 * whole investment, and the price at which they are calculated: the last price of the pair, or until that is
 * known the price in the server's response; for an ended grid, the price of its end.
 */
export function useGridResults(grid: Grid): ReturnType<typeof gridResults> & { readonly price: string } {
  const last = useLastPrice(grid.symbol);
  const price = grid.status === 'ended' ? grid.price : (last ?? grid.price);
  const holdings = {
    invested: Decimal.parse(grid.invested),
    base: Decimal.parse(grid.base),
    quote: Decimal.parse(grid.quote),
    startBase: Decimal.parse(grid.startBase),
    startQuote: Decimal.parse(grid.startQuote),
    allInBase: Decimal.parse(grid.allInBase),
  };
  const results = gridResults(holdings, Decimal.parse(price));
  return {
    grid: results.grid,
    holding: results.holding,
    allIn: results.allIn,
    price,
  };
}

/** All orders that a grid has placed, newest first; refetched when the private feed reports a change. */
export function useGridOrders(id: string) {
  useSpotUpdates();
  return useGrowingList<Order>(SPOT.use('grid', id), (page, signal) =>
    call(gridOrders, { ...page, id }, { signal }),
  );
}

/** Starts a new trading grid. */
export function useStartGrid({ onDone, refuse }: PlacingOptions) {
  const t = useWords('grid');
  return usePlaceAlgo({
    form: 'grid',
    title: t('title'),
    send: (payload: GridPayload, options) => call(createGrid, payload, options),
    onAnswered: () => notify.success(t('started')),
    onDone,
    refuse,
  });
}

/** Cancels a trading grid and all its open orders, and sells its coins if the user chose that. */
export function useCancelGrid() {
  return useCancelAlgo(({ id, sells }: { readonly id: string; readonly sells: boolean }) =>
    call(cancelGrid, { id, sell: sells ? '1' : undefined }),
  );
}
