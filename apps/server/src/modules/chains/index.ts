/**
 * chains: the networks that coins come in and go out on, behind channels. In demo mode every network is a pretended
 * one, whose blocks follow the clock; in live mode only what is configured is connected, and nothing else pretends to be.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import { DemoChannel } from './demo-channel.ts';
import { EvmChannel, type EvmSettings } from './evm-channel.ts';
import { Chains } from './service.ts';

/** The module as the house puts it together. */
export interface ChainsModule {
  readonly name: 'chains';
  readonly chains: Chains;
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): ComponentHealth;
}

interface Deps {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  /** Addresses of the house by coin and network (`USDT/BEP20`) whose income is reviewed by hand. */
  readonly manualDeposits: ReadonlyMap<string, string>;
  /** A real chain, where one is configured. */
  readonly evm: EvmSettings | undefined;
  readonly log: Log;
}

/** Builds the module; nothing is asked of a network before its start. */
export function createChains(deps: Deps): ChainsModule {
  const { mode, evm } = deps;
  const real = evm === undefined ? [] : [new EvmChannel({ ...deps, settings: evm })];
  const except = real.flatMap(({ networks }) => networks);
  const channels = mode === 'demo' ? [...real, new DemoChannel({ ...deps, except })] : real;
  const chains = new Chains({ channels, manualDeposits: deps.manualDeposits });
  return {
    name: 'chains',
    chains,
    start: () => chains.start(),
    stop: () => chains.stop(),
    health: () => chains.health(),
  };
}

export type { Chains } from './service.ts';
export { ChannelAway } from './channel.ts';
export type { Channel, Wallets } from './channel.ts';
export type { EvmSettings } from './evm-channel.ts';
export type { ChainTransfer, ChannelKind, Destination, Sending, SendingStatus } from './domain.ts';
