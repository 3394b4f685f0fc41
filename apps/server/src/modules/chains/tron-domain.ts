import { chainAddress } from '@exchange/core/chain-address.ts';
import type { EvmToken } from './evm-domain.ts';

/** Topic of the event `Transfer(address,address,uint256)`; TRON writes hex without `0x`. */
export const TRON_TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Hex digits of a topic, and of the data of a transfer. */
const WORD_LENGTH = 64;
/** Digits before the address in a topic. */
const ADDRESS_START = 24;

/** An event of a contract; `address` has 40 hex digits, without the byte 41 that begins addresses of TRON elsewhere. */
interface TronLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A transaction with its result. */
export interface TronTransaction {
  readonly txid: string;
  readonly isSuccess: boolean;
  readonly logs: readonly TronLog[];
}

/** A block that is solidified: more than two thirds of the block producers have built on it, and it is never replaced. */
export interface TronBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly TronTransaction[];
}

/** A transfer of a listed token. Addresses in base 58. */
interface TronTransfer {
  readonly txid: string;
  /** One more than the position of its event in the transaction. */
  readonly output: number;
  readonly asset: string;
  readonly digits: number;
  readonly sender: string;
  readonly receiver: string;
  readonly units: bigint;
}

/** Transfers of listed tokens in successful transactions. `tokens` by coin, with contracts in base 58. */
export function transfersIn(
  transactions: readonly TronTransaction[],
  tokens: ReadonlyMap<string, EvmToken>,
): TronTransfer[] {
  const byContract = new Map(
    [...tokens].map(([asset, { contract, digits }]) => [contract, { asset, digits }] as const),
  );
  const contracts = new Map<string, string>();
  const contractOf = (hex: string) => {
    const known = contracts.get(hex) ?? tronAddress(hex);
    contracts.set(hex, known);
    return known;
  };
  return transactions.flatMap(({ txid, isSuccess, logs }) =>
    logs.flatMap(({ address, topics, data }, at) => {
      const token = isSuccess ? byContract.get(contractOf(address)) : undefined;
      const [kind, from, to] = topics;
      const isTransfer =
        kind === TRON_TRANSFER_TOPIC &&
        topics.length === 3 &&
        from?.length === WORD_LENGTH &&
        to?.length === WORD_LENGTH &&
        data.length === WORD_LENGTH;
      if (token === undefined || !isTransfer) return [];
      const units = BigInt(`0x${data}`);
      if (units === 0n) return [];
      const sender = tronAddress(from.slice(ADDRESS_START));
      const receiver = tronAddress(to.slice(ADDRESS_START));
      return [{ txid, output: at + 1, asset: token.asset, digits: token.digits, sender, receiver, units }];
    }),
  );
}

/**
 * Change of the total balance of all own addresses by transfers, in the smallest units, by coin;
 * coins without a change are left out.
 */
export function flowsOf(
  transfers: readonly TronTransfer[],
  isOwn: (address: string) => boolean,
): ReadonlyMap<string, bigint> {
  const flows = new Map<string, bigint>();
  for (const { asset, sender, receiver, units } of transfers) {
    const change = (isOwn(receiver) ? units : 0n) - (isOwn(sender) ? units : 0n);
    if (change !== 0n) flows.set(asset, (flows.get(asset) ?? 0n) + change);
  }
  return flows;
}

/** The address in base 58 for 40 hex digits. */
export function tronAddress(hex: string): string {
  return chainAddress('tron', Buffer.from(hex, 'hex'));
}
