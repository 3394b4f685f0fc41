import * as described from '@exchange/wire/console/treasury.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Sweep } from './sweep-domain.ts';
import type { Sweeps } from './sweeps.ts';

/** Returns the console operations on the sweeps of deposit addresses. */
export function sweepOperations(sweeps: Sweeps): Operation[] {
  return [
    serveList(described.sweepNetworks, async () => ({
      list: (await sweeps.networks()).map(({ network, coin, wallet, pause, trouble, counts, day }) => ({
        network,
        coin,
        state: sweepState({ isPaused: pause !== undefined, trouble, stuck: counts?.stuck ?? 0 }),
        planned: counts?.planned ?? 0,
        inFlight: counts?.inFlight ?? 0,
        stuck: counts?.stuck ?? 0,
        sweptDay: day.confirmed,
        failedDay: day.failed,
        gasDay: day.fee,
        wallet,
        pausedBy: pause?.by,
        reason: pause?.reason ?? trouble,
      })),
    })),
    serveList(described.sweeps, async () =>
      mapBounded(await sweeps.open(), (sweep) => ({
        ...sweepRow(sweep, sweeps.feeCoinOf(sweep.network)),
        waitsFor: sweeps.reasonOf(sweep.id),
        createdAt: sweep.createdAt,
      })),
    ),
    serveList(described.closedSweeps, async () =>
      mapBounded(await sweeps.closed(), (sweep) => ({
        ...sweepRow(sweep, sweeps.feeCoinOf(sweep.network)),
        reason: sweep.reason,
        createdAt: sweep.createdAt,
        closedAt: sweep.closedAt,
      })),
    ),
    serveAction(described.pauseSweeps, {
      check: (call) => sweeps.requireNetwork(networkOf(call)),
      run: async (call) => {
        await sweeps.pause(networkOf(call), whyOf(call));
        return {};
      },
    }),
    serveAction(described.resumeSweeps, {
      check: (call) => sweeps.requireNetwork(networkOf(call)),
      run: async (call) => {
        await sweeps.resume(networkOf(call), whyOf(call));
        return {};
      },
    }),
  ];
}

function sweepState({
  isPaused,
  trouble,
  stuck,
}: {
  readonly isPaused: boolean;
  readonly trouble: string | undefined;
  readonly stuck: number;
}): 'paused' | 'stuck' | 'unread' | 'running' {
  if (isPaused) return 'paused';
  if (stuck > 0) return 'stuck';
  return trouble === undefined ? 'running' : 'unread';
}

/**
 * Returns the values of a sweep in the columns that the list of open sweeps and the list of closed ones have
 * in common; `coin` is the coin in which the network takes fees.
 */
function sweepRow(sweep: Sweep, coin: string | undefined) {
  return {
    id: sweep.id,
    network: sweep.network,
    asset: sweep.asset,
    amount: sweep.amount,
    address: sweep.address,
    destination: sweep.destination,
    state: sweep.state,
    coin,
    gas: sweep.gas,
    fee: sweep.fee,
    gasTxid: sweep.gasTxid,
    txid: sweep.txid,
  };
}

function networkOf({ parameters }: OperatorCall): string {
  return (parameters['network'] ?? '').toUpperCase();
}
