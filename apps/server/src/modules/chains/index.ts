/**
 * chains: the networks that coins come in and go out on, behind channels. In demo mode every network is a pretended
 * one, whose blocks follow the clock; in live mode none is connected, and nothing pretends to be.
 */
export { Chains } from './service.ts';
export type { ChainTransfer, ChannelKind, Destination, Sending } from './domain.ts';
