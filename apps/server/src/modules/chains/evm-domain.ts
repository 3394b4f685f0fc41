import type { Decimal } from '@exchange/core/decimal.ts';

/** Chains that speak as Ethereum does: what a payment looks like on them. */

/** `Transfer(address,address,uint256)` of ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const COIN_DIGITS = 18;
/** The networks of this kind, each with the chain's own coin where the exchange has it. */
export const EVM_NETWORKS: ReadonlyMap<string, string | undefined> = new Map([
  ['ERC20', 'ETH'],
  ['BEP20', undefined],
]);

export interface EvmToken {
  /** In lower case. */
  readonly contract: string;
  /** Digits of the contract's units. */
  readonly digits: number;
}

export interface EvmBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly to: string | null;
    readonly value: bigint;
  }[];
}

export interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly index: number;
  readonly txid: string;
}

export interface EvmReceipt {
  readonly isSuccess: boolean;
  readonly block: number;
  readonly blockHash: string;
  readonly logs: readonly EvmLog[];
}

/** What may be a payment to one of us; `log` is its place in the block, none for the chain's own coin. */
export interface Candidate {
  readonly txid: string;
  readonly log: number | undefined;
  readonly asset: string;
  readonly digits: number;
  /** In lower case. */
  readonly address: string;
  readonly units: bigint;
}

/** A payment that a chain has in a block. */
export interface Sighting {
  readonly txid: string;
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  readonly amount: Decimal;
}

export interface EvmTerms {
  readonly network: string;
  readonly coin: string | undefined;
  readonly tokens: ReadonlyMap<string, EvmToken>;
}

/** Everything in a block that pays a coin of ours to anybody. */
export function candidatesIn(
  block: EvmBlock,
  logs: readonly EvmLog[],
  { coin, tokens }: EvmTerms,
): Candidate[] {
  const plain = block.transactions.flatMap(({ hash, to, value }) =>
    coin === undefined || to === null || value === 0n
      ? []
      : [
          {
            txid: hash,
            log: undefined,
            asset: coin,
            digits: COIN_DIGITS,
            address: to.toLowerCase(),
            units: value,
          },
        ],
  );
  const byContract = new Map([...tokens].map(([asset, token]) => [token.contract, { asset, ...token }]));
  const paid = logs.flatMap((log) => {
    const token = byContract.get(log.address.toLowerCase());
    const address = receiverOf(log);
    if (token === undefined || address === undefined) return [];
    const units = BigInt(log.data);
    if (units === 0n) return [];
    return [{ txid: log.txid, log: log.index, asset: token.asset, digits: token.digits, address, units }];
  });
  return [...plain, ...paid];
}

/**
 * Which of its transaction's payments it is, the same wherever the transaction is: 0 for the coin itself, else one more
 * than the place of its log in the transaction. Undefined where the transaction failed or has no such log.
 */
export function outputOf({ log }: Candidate, { isSuccess, logs }: EvmReceipt): number | undefined {
  if (!isSuccess) return undefined;
  if (log === undefined) return 0;
  const at = logs.findIndex(({ index }) => index === log);
  return at < 0 ? undefined : at + 1;
}

/** To whom an ERC-20 transfer pays, in lower case. */
function receiverOf({ topics, data }: EvmLog): string | undefined {
  const [kind, , to] = topics;
  if (kind !== TRANSFER_TOPIC || topics.length !== 3 || to?.length !== 66 || data.length !== 66)
    return undefined;
  return `0x${to.slice(26).toLowerCase()}`;
}
