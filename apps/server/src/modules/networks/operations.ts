import * as described from '@exchange/wire/console/networks.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { stateOfView, type NetworkPause } from '../treasury/index.ts';
import { paymentState, testedOn } from './domain.ts';
import type { NetworkOverview, Networks } from './service.ts';

const NOTE_MAX = 500;

/**
 * Console operations on networks. One operator alone can pause a network, and the pause is
 * published at once.
 */
export function networkOperations(networks: Networks): Operation[] {
  const { pauses } = networks;
  return [
    serveList(described.networks, async () => ({ list: (await networks.overview()).map(rowOf) })),
    serveList(described.networkWallets, (call) =>
      Promise.resolve({
        list: networks.wallets(networkOf(call)).map((coin) => ({
          asset: coin.asset,
          state: stateOfView(coin),
          balance: coin.balance,
          needed: coin.needed,
          least: coin.bounds.least,
          target: coin.bounds.target,
          most: coin.bounds.most,
          wallet: coin.hot.address,
          cold: coin.hot.cold,
        })),
      }),
    ),
    serveList(described.networkFees, (call) =>
      Promise.resolve({
        list: networks.fees(networkOf(call)).map((fee) => ({
          asset: fee.asset,
          fee: fee.fee,
          source: fee.isLive ? ('live' as const) : ('table' as const),
          tableFee: fee.tableFee,
          least: fee.least,
          most: fee.most,
          cost: fee.cost,
          readAt: fee.readAt,
        })),
      }),
    ),
    serveList(described.networkPayments, async (call) => {
      const before = networks.stuckBefore;
      return {
        list: (await networks.payments(networkOf(call))).map((payment) => ({
          id: payment.id,
          owner: payment.owner,
          asset: payment.asset,
          amount: payment.amount.minus(payment.fee),
          address: payment.address,
          state: paymentState(
            {
              txid: payment.txid,
              block: payment.block,
              leavesAt: Math.max(payment.createdAt, payment.knownAt ?? 0),
            },
            before,
          ),
          txid: payment.txid,
          confirmations: payment.confirmed,
          needed: payment.confirmations,
          createdAt: payment.createdAt,
        })),
      };
    }),
    serveList(described.networkChildren, async (call) => {
      const before = networks.stuckBefore;
      return mapBounded(await networks.children(networkOf(call)), (child) => ({
        id: child.id,
        state: child.state === 'inFlight' && child.createdAt < before ? ('stuck' as const) : child.state,
        asset: child.coin,
        fee: child.fee,
        txid: child.txid,
        spends: child.spends,
        transactions: child.transactions,
        createdAt: child.createdAt,
      }));
    }),
    serveAction(described.fixFees, {
      run: async (call) => {
        await networks.withdrawalFees.choose(networkOf(call), true, whyOf(call));
        return {};
      },
    }),
    serveAction(described.followFees, {
      run: async (call) => {
        await networks.withdrawalFees.choose(networkOf(call), false, whyOf(call));
        return {};
      },
    }),
    serveAction(described.pauseDeposits, {
      check: (call) => {
        const { note, expectedAt } = noteOn('deposits', call);
        pauses.check(networkOf(call), expectedAt);
        return note;
      },
      run: async (call) => {
        await pauses.pause(networkOf(call), 'deposits', Object.assign(noteOn('deposits', call), whyOf(call)));
        return {};
      },
    }),
    serveAction(described.resumeDeposits, {
      run: async (call) => {
        await pauses.resume(networkOf(call), 'deposits', whyOf(call));
        return {};
      },
    }),
    serveAction(described.pauseWithdrawals, {
      check: (call) => {
        const { note, expectedAt } = noteOn('withdrawals', call);
        pauses.check(networkOf(call), expectedAt);
        return note;
      },
      run: async (call) => {
        await pauses.pause(
          networkOf(call),
          'withdrawals',
          Object.assign(noteOn('withdrawals', call), whyOf(call)),
        );
        return {};
      },
    }),
    serveAction(described.resumeWithdrawals, {
      run: async (call) => {
        await pauses.resume(networkOf(call), 'withdrawals', whyOf(call));
        return {};
      },
    }),
  ];
}

function rowOf({
  network,
  chain,
  load,
  sweeps,
  depositPause,
  withdrawalPause,
  ...overview
}: NetworkOverview) {
  return {
    network: network.code,
    name: network.name,
    channel: overview.channel,
    state: overview.state,
    statusPage: overview.isDelayed ? ('delayed' as const) : ('normal' as const),
    testedOn: chain && testedOn(chain),
    problem: chain?.problem,
    height: chain?.height,
    head: chain?.head,
    behind: chain && Math.max(0, chain.head - chain.height),
    deposits: directionOf(overview.canDeposit, depositPause),
    depositsNote: depositPause?.note,
    depositsExpectedAt: depositPause?.expectedAt,
    depositsPausedAt: depositPause?.since,
    depositsPausedBy: depositPause?.by,
    withdrawals: directionOf(overview.canWithdraw, withdrawalPause),
    withdrawalsNote: withdrawalPause?.note,
    withdrawalsExpectedAt: withdrawalPause?.expectedAt,
    withdrawalsPausedAt: withdrawalPause?.since,
    withdrawalsPausedBy: withdrawalPause?.by,
    waiting: load.waiting,
    inFlight: load.inFlight,
    stuck: load.stuck,
    late: load.late,
    sweepsOpen: sweeps.open,
    sweepsStuck: sweeps.stuck,
    refills: overview.refills,
    fees: overview.fees,
    feeSource: overview.feeSource,
  };
}

function directionOf(isServed: boolean, pause: NetworkPause | undefined): 'open' | 'paused' | 'none' {
  if (pause !== undefined) return 'paused';
  return isServed ? 'open' : 'none';
}

/** The note for users and the expected end of a pause, from the fields of the operator's call. */
function noteOn(direction: 'deposits' | 'withdrawals', { fields }: OperatorCall) {
  const values = new FieldValues(fields);
  const time = `${direction}ExpectedAt`;
  return {
    note: values.byLocale(`${direction}Note`, NOTE_MAX),
    expectedAt: values.isSet(time) ? values.time(time) : undefined,
  };
}

function networkOf({ parameters }: OperatorCall): string {
  return (parameters['network'] ?? '').toUpperCase();
}
