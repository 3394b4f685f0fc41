/**
 * chains: the networks on which coins arrive and leave; each network is reached through a channel. In demo mode, all
 * networks without a configured channel are simulated; in live mode, only configured networks exist.
 */
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import { DemoChannel } from './demo-channel.ts';
import { EvmChannel, type EvmSettings } from './evm-channel.ts';
import type { Channel } from './channel.ts';
import { Chains } from './service.ts';
import { WatchedTokens } from './watched-tokens.ts';
import { TronChannel, type TronSettings } from './tron-channel.ts';
import { UtxoChannel, type UtxoSettings } from './utxo-channel.ts';
import { originsOfTransactions, voidWithoutSender } from './void-repository.ts';
import { XrpChannel, type XrpSettings } from './xrp-channel.ts';

export interface ChainsModule {
  readonly name: 'chains';
  readonly chains: Chains;
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): ComponentHealth;
}

interface Deps {
  readonly mode: 'demo' | 'live';
  /** The networks that users and operators can choose; a demo simulates those without a configured channel. */
  readonly offered: OfferedNetworks;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  /** The exchange's deposit addresses whose deposits operators review by hand, by coin and network (`USDT/BEP20`). */
  readonly manualDeposits: ReadonlyMap<string, string>;
  /** Settings of the configured EVM chains (not simulated ones). */
  readonly evm: readonly EvmSettings[];
  /** Settings of the configured chains of the Bitcoin family (not simulated ones). */
  readonly utxo: readonly UtxoSettings[];
  /** Settings of the XRP Ledger; undefined if it is not configured. */
  readonly xrp: XrpSettings | undefined;
  /** URLs of block explorers' pages about transactions, by network; `{txid}` in a URL stands for the transaction id. */
  readonly explorers: ReadonlyMap<string, string>;
  /** Settings of TRON; undefined if it is not configured. */
  readonly tron: TronSettings | undefined;
  readonly log: Log;
}

/** Creates the module of the channels to blockchains; it connects to no node before `start`. */
export function createChains(deps: Deps): ChainsModule {
  const { mode, evm, utxo, xrp, tron } = deps;
  const real: Channel[] = evm.map((settings) => new EvmChannel({ ...deps, settings }));
  real.push(...utxo.map((settings) => new UtxoChannel({ ...deps, settings })));
  if (xrp !== undefined) real.push(new XrpChannel({ ...deps, settings: xrp }));
  if (tron !== undefined) real.push(new TronChannel({ ...deps, settings: tron }));
  const except = real.flatMap(({ networks }) => networks);
  const channels = mode === 'demo' ? [...real, new DemoChannel({ ...deps, except })] : real;
  const chains = new Chains({
    offered: deps.offered,
    channels,
    watched: new WatchedTokens({ ...deps, channels }),
    manualDeposits: deps.manualDeposits,
    explorers: deps.explorers,
    voidWithoutChannel: (origin) => voidWithoutSender(deps.database.store, origin, deps.clock.now()),
    originsOf: (transactions) => originsOfTransactions(deps.database.store, transactions),
  });
  return {
    name: 'chains',
    chains,
    start: () => chains.start(),
    stop: () => chains.stop(),
    health: () => chains.health(),
  };
}

export type { Chains } from './service.ts';
export { EvmNode } from './evm-node.ts';
export { TronNode } from './tron-node.ts';
export { UtxoNode } from './utxo-node.ts';
export { XrpNode } from './xrp-node.ts';
export { hasLedgers, SUCCESS as XRP_SUCCESS, XRP, XRP_DIGITS, XRP_LIFETIME_MAX } from './xrp-domain.ts';
export { PAID_MOST } from './domain.ts';
export { ChannelUnavailable as ChannelAway, PaymentQueued, PaymentRefused } from './channel.ts';
export type { Channel, DepositSweeps, HotWallet, Wallets } from './channel.ts';
export type { WatchedToken } from './watched-tokens-domain.ts';
export type { EvmSettings } from './evm-channel.ts';
export type { UtxoSettings } from './utxo-channel.ts';
export type { TronSettings } from './tron-channel.ts';
export type { XrpSettings } from './xrp-channel.ts';
export type {
  ChainPayment,
  ChainChild,
  ChainState,
  ChainTransfer,
  ChannelKind,
  PaymentCost,
  Destination,
  RealChannelKind,
  Sending,
  SendingStage,
  SendingStatus,
  SenderFacts,
  FeeRaise,
  SignedVariant,
  SweepableHolding,
  SweepTerms,
  WalletBounds,
} from './domain.ts';
