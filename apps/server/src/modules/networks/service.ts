import { EVERY_COIN_NETWORK } from '@exchange/core/network.ts';
import { findNetwork, KNOWN_NETWORKS, type Network } from '@exchange/core/network-table.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { ChainChild, Chains, ChainState } from '../chains/index.ts';
import {
  networkFeesSince,
  type HotCoinView,
  type NetworkPause,
  type NetworkPauses,
  type TreasuryModule,
  type WithdrawalFees,
  type WithdrawalFeeView,
} from '../treasury/index.ts';
import type { NetworkLoad, Withdrawal, Withdrawals } from '../withdrawals/index.ts';
import { isDelayed, networkState, type NetworkState } from './domain.ts';

export interface NetworksParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly chains: Pick<
    Chains,
    'children' | 'confirmations' | 'offered' | 'receiving' | 'sending' | 'spentFees' | 'states'
  >;
  readonly treasury: Pick<TreasuryModule, 'hot' | 'sweeps' | 'networkPauses' | 'withdrawalFees'>;
  readonly withdrawals: Pick<Withdrawals, 'networkLoads' | 'onNetwork' | 'stuckBefore'>;
}

/**
 * State of a network for operators: its chain, its pauses, its open transfers, and what its withdrawal fees
 * follow.
 */
export interface NetworkOverview {
  readonly network: Network;
  readonly channel: string;
  readonly state: NetworkState;
  /** True if deposits or withdrawals of the network as a whole are delayed; see `isDelayed`. */
  readonly isDelayed: boolean;
  readonly chain: ChainState | undefined;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
  readonly depositPause: NetworkPause | undefined;
  readonly withdrawalPause: NetworkPause | undefined;
  readonly load: NetworkLoad;
  readonly sweeps: { readonly open: number; readonly stuck: number };
  /**
   * Number of refills of the hot wallet that are requested and not finished: transfers from the cold wallet,
   * which people have to make by hand.
   */
  readonly refills: number;
  /**
   * How the withdrawal fees of the network's coins are determined. `live`: the fee of at least one coin follows the
   * network's present cost. `table`: all fees come from the fixed table, because none can follow the cost now. `fixed`:
   * operators have switched to the table. `none`: the server sends no withdrawals to a real chain of this network.
   */
  readonly feeSource: 'live' | 'table' | 'fixed' | 'none';
  /**
   * Network fees that the exchange paid in the 24 hours before the call, such as `0.01 ETH`; undefined if there were
   * none.
   */
  readonly fees: string | undefined;
}

const PAYMENTS_SHOWN = 200;
const CHILDREN_SHOWN = 100;

/** The operators' view of each network, and the networks on the status page. */
export class Networks {
  private readonly parts: NetworksParts;

  constructor(parts: NetworksParts) {
    this.parts = parts;
  }

  get pauses(): NetworkPauses {
    return this.parts.treasury.networkPauses;
  }

  get withdrawalFees(): WithdrawalFees {
    return this.parts.treasury.withdrawalFees;
  }

  /** A signed withdrawal that is in no block counts as stuck if it could be sent before this time. */
  get stuckBefore() {
    return this.parts.withdrawals.stuckBefore;
  }

  /**
   * An overview of every offered network, in the order in which users see the networks, and of networks that
   * are no longer offered while they have withdrawals in processing.
   */
  async overview(): Promise<NetworkOverview[]> {
    const { clock, database, chains, treasury, withdrawals } = this.parts;
    const dayAgo = later(clock.now(), -DAY_MS);
    const [loads, booked, spent, transfers] = await Promise.all([
      withdrawals.networkLoads(),
      networkFeesSince(database.reader, dayAgo),
      chains.spentFees(dayAgo),
      treasury.hot.open(),
    ]);
    const fees = [...booked, ...spent];
    const loadOf = new Map(loads.map((load) => [load.network, load]));
    const chainOf = new Map(chains.states().map((chain) => [chain.network, chain]));
    const shown = KNOWN_NETWORKS.filter(({ code }) => chains.offered.has(code) || loadOf.has(code));
    return shown.map((network) => {
      const { code } = network;
      const assets = EVERY_COIN_NETWORK.filter((coin) => coin.network.code === code).map(
        ({ asset }) => asset,
      );
      const kinds = assets.map((asset) => chains.receiving(asset, code));
      const chain = chainOf.get(code);
      const counts = treasury.sweeps.overview.find((sweeps) => sweeps.network === code);
      const ofNetwork = fees.filter((fee) => fee.network === code);
      return {
        network,
        chain,
        channel: chain?.kind ?? kinds.find((kind) => kind !== 'none') ?? 'none',
        state: networkState(chain, kinds),
        isDelayed: isDelayed(chain, loadOf.get(code), this.pauses.find(code, 'withdrawals') !== undefined),
        canDeposit: kinds.some((kind) => kind !== 'none'),
        canWithdraw: assets.some((asset) => chains.sending(asset, code) !== 'none'),
        depositPause: this.pauses.find(code, 'deposits'),
        withdrawalPause: this.pauses.find(code, 'withdrawals'),
        feeSource: this.feeSourceOf(code, chain?.sends === true),
        load: loadOf.get(code) ?? { network: code, waiting: 0, inFlight: 0, stuck: 0, late: 0 },
        sweeps: { open: (counts?.planned ?? 0) + (counts?.inFlight ?? 0), stuck: counts?.stuck ?? 0 },
        refills: transfers.list.filter((transfer) => transfer.network === code && transfer.kind === 'refill')
          .length,
        fees:
          ofNetwork.length === 0
            ? undefined
            : ofNetwork.map(({ amount, asset }) => `${amount.toString()} ${asset}`).join(', '),
      };
    });
  }

  /**
   * The coins of a network's hot wallet that have bounds set by operators, with their balances at the last
   * check of the hot wallets. Refuses an unknown network.
   */
  wallets(network: string): readonly HotCoinView[] {
    this.require(network);
    return this.parts.treasury.hot.overview.filter((coin) => coin.network === network);
  }

  /** The withdrawal fees of the network's coins. Refuses an unknown network. */
  fees(network: string): readonly WithdrawalFeeView[] {
    this.require(network);
    return this.withdrawalFees.view(network);
  }

  /**
   * The oldest 200 withdrawals of a network that have not ended, oldest first, each with its present number
   * of confirmations. Refuses an unknown network.
   */
  async payments(network: string): Promise<readonly (Withdrawal & { readonly confirmed: number })[]> {
    this.require(network);
    const { chains, withdrawals } = this.parts;
    const payments = await withdrawals.onNetwork(network, PAYMENTS_SHOWN);
    return payments.map((payment) => {
      const confirmed = Math.min(payment.confirmations, chains.confirmations(network, payment.block));
      return Object.assign({}, payment, { confirmed });
    });
  }

  /**
   * The child transactions of a network that are not final: the oldest 100, oldest first. Refuses an unknown
   * network. A child spends the change output of a transaction that waits in no block and pays a fee for
   * both, so that both are mined sooner.
   */
  async children(network: string): Promise<BoundedRows<ChainChild>> {
    this.require(network);
    return this.parts.chains.children(network, CHILDREN_SHOWN);
  }

  private feeSourceOf(network: string, sends: boolean): NetworkOverview['feeSource'] {
    if (this.withdrawalFees.isTableOnly(network)) return 'fixed';
    if (!sends) return 'none';
    return this.withdrawalFees.view(network).some(({ isLive }) => isLive) ? 'live' : 'table';
  }

  private require(network: string): void {
    if (findNetwork(network) === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  }
}
