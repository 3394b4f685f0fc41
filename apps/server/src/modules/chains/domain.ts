import { chainAddress } from '@exchange/core/chain-address.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { sha256 } from '@exchange/core/digests.ts';
import type { Network } from '@exchange/core/network.ts';
import type { Instant } from '@exchange/core/time.ts';

/** What stands behind a coin's network: a pretended chain, an address of the house whose income people review, a real chain, or nothing. */
export type ChannelKind = 'demo' | 'manual' | 'evm' | 'none';

/** On a pretended network a block comes every so often, so that the whole way of a transfer is seen. */
export const DEMO_BLOCK_MS = 4_000;

/** Coins on their way on a network. */
export interface Sending {
  /** The sender's own name for it: sent once, however often it is asked for. */
  readonly origin: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly remark?: string | undefined;
  /** Who let it go. */
  readonly approvedBy?: string;
}

/** What a network has seen of a transfer to one of our addresses; later entries have greater positions. */
export interface ChainTransfer extends Omit<Sending, 'origin'> {
  readonly position: number;
  readonly txid: string;
  /** Which of its transaction's payments. */
  readonly output: number;
  readonly block: number;
  /** The network has dropped the block that had it; a later entry says so where it comes back. */
  readonly isGone: boolean;
}

/** A transfer that was handed over; its block is known once it is in one. */
export interface Sent {
  readonly txid: string;
  readonly block: number | undefined;
}

/** How a sending stands: in no block yet, in one, or in one for good and refused by the chain. */
export type SendingStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting'; readonly txid: string }
  | { readonly state: 'mined' | 'failed'; readonly txid: string; readonly block: number };

export interface Destination {
  readonly address: string;
  readonly memo: string | undefined;
}

/** The number of the newest block. */
export function demoHeight(now: Instant): number {
  return Math.floor(now / DEMO_BLOCK_MS);
}

/** Blocks from the one with a transfer on, that one included; 0 while it waits for its block. */
export function confirmationsOf(block: number, height: number): number {
  return Math.max(0, height - block + 1);
}

/** The name of a transfer on a pretended network, e.g. `0x…` where EVM networks have that. */
export function demoTxid(origin: string, network: string): string {
  const hex = [...sha256(new TextEncoder().encode(origin))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${network === 'ERC20' || network === 'BEP20' ? '0x' : ''}${hex.join('')}`;
}

/** Where a pretended network takes somebody's coins; `attempt` tells memos apart that would be the same. */
export function demoDestination(network: Network, owner: string, attempt: number): Destination {
  const digest = (text: string) => sha256(new TextEncoder().encode(text));
  if (!network.memo) {
    const address = chainAddress(network.addressKind, digest(`${network.addressKind} ${owner}`).slice(0, 20));
    return { address, memo: undefined };
  }
  const address = chainAddress(network.addressKind, digest(`${network.code} house`).slice(0, 20));
  const memo = new DataView(digest(`${network.code} ${owner} ${attempt}`).buffer).getUint32(0);
  return { address, memo: String(memo) };
}
