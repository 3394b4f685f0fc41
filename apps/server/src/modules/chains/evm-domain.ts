import { chainAddress } from '@exchange/core/chain-address.ts';
/** Topic of logs of the ERC-20 event `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const COIN_DIGITS = 18;

export interface EvmToken {
  /** Contract address of the token in lower case. */
  readonly contract: string;
  /** Number of decimals of the contract's units. */
  readonly digits: number;
}

export interface EvmBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: bigint;
    /** Call data of the transaction, in hexadecimal digits with the prefix `0x`; `0x` alone if it has none. */
    readonly input: string;
  }[];
}

export interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly index: number;
  readonly txid: string;
}

/** A transfer of the chain's own coin that a contract makes inside a transaction. */
export interface InternalTransfer {
  readonly txid: string;
  /**
   * Number of the call that transfers the coin; the calls within the transaction are numbered in the order of their
   * execution.
   */
  readonly call: number;
  readonly from: string;
  readonly to: string;
  /** Value in the smallest unit, 10^-18 of the coin; never 0. */
  readonly value: bigint;
}

export interface EvmReceipt {
  readonly isSuccess: boolean;
  /**
   * Gas cost that the sender paid, in the smallest unit, 10^-18 of the chain's coin; undefined if the node does not
   * report it.
   */
  readonly fee?: bigint | undefined;
  readonly block: number;
  readonly blockHash: string;
  readonly logs: readonly EvmLog[];
}

/**
 * A transfer in a block, to any receiver, that may be a payment to the exchange. `log` is the index of its event log in
 * the block; undefined for the chain's own coin.
 */
export interface Candidate {
  readonly txid: string;
  readonly log: number | undefined;
  /**
   * Number of the transferring call within the transaction, for a transfer of the chain's own coin by a contract;
   * otherwise undefined.
   */
  readonly call: number | undefined;
  readonly asset: string;
  readonly digits: number;
  /** Address of the receiver of the transfer, in lower case. */
  readonly address: string;
  /**
   * Address of the payer, in lower case: for the chain's own coin the sender of the transaction or the
   * contract that transfers the coin, for a token its previous holder.
   */
  readonly sender: string;
  /**
   * Call data of the transaction that itself transfers the chain's own coin; undefined for a token, and for a
   * transfer by a contract.
   */
  readonly input: string | undefined;
  readonly units: bigint;
}

/**
 * Fees of a transaction in wei per unit of gas: `maxFee` is the greatest total fee, `tip` the part for the block
 * producer.
 */
export interface EvmFees {
  readonly maxFee: bigint;
  readonly tip: bigint;
}

/**
 * Nodes replace a transaction only by one whose two fees are both a tenth higher. The exchange raises them by an
 * eighth, to leave room for rounding.
 */
const RAISE_TIMES = 9n;
const RAISE_PARTS = 8n;

/**
 * Returns the fees, in wei per unit of gas, of a transaction that replaces an earlier one: each is the
 * earlier fee raised by an eighth, or the suggested one if that is higher. `maxFee` is never below `tip`.
 */
export function raisedFees(earlier: EvmFees, suggested: EvmFees): EvmFees {
  const tip = higher(raised(earlier.tip), suggested.tip);
  return { maxFee: higher(higher(raised(earlier.maxFee), suggested.maxFee), tip), tip };
}

/**
 * Returns the fees of `raisedFees`, but each at most `bound` (wei per unit of gas). Undefined if the earlier
 * maximum fee raised by an eighth already exceeds `bound`, because nodes may refuse a replacement with less.
 */
export function boundedFees(earlier: EvmFees, suggested: EvmFees, bound: bigint): EvmFees | undefined {
  const least = raisedFees(earlier, { maxFee: 0n, tip: 0n });
  if (least.maxFee > bound) return undefined;
  const { maxFee, tip } = raisedFees(earlier, suggested);
  return { maxFee: maxFee < bound ? maxFee : bound, tip: tip < bound ? tip : bound };
}

function raised(fee: bigint): bigint {
  return (fee * RAISE_TIMES) / RAISE_PARTS + 1n;
}

function higher(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

export interface EvmTerms {
  readonly network: string;
  readonly coin: string | undefined;
  readonly tokens: ReadonlyMap<string, EvmToken>;
}

/**
 * Returns the terms with the watched tokens added to the listed ones; the coin code of a watched token is the
 * address of its contract.
 */
export function withWatched(
  terms: EvmTerms,
  watched: readonly { readonly contract: string; readonly digits: number }[],
): EvmTerms {
  const listed = new Set([...terms.tokens.values()].map(({ contract }) => contract));
  const further = watched
    .filter(({ contract }) => !listed.has(contract))
    .map(({ contract, digits }) => [contract, { contract, digits }] as const);
  return { network: terms.network, coin: terms.coin, tokens: new Map([...terms.tokens, ...further]) };
}

/**
 * Lists all transfers of the given coins in a block, to any receiver, without those of zero units; whether
 * their transactions succeeded is not checked. `internal` contains the transfers of the chain's own coin by
 * contracts; empty if the node does not trace calls.
 */
export function candidatesIn(
  block: EvmBlock,
  logs: readonly EvmLog[],
  { coin, tokens }: EvmTerms,
  internal: readonly InternalTransfer[] = [],
): Candidate[] {
  const nativePayments = block.transactions.flatMap(({ hash, from, to, value, input }) =>
    coin === undefined || to === null || value === 0n
      ? []
      : [
          {
            txid: hash,
            log: undefined,
            call: undefined,
            asset: coin,
            digits: COIN_DIGITS,
            address: to.toLowerCase(),
            sender: from.toLowerCase(),
            input,
            units: value,
          },
        ],
  );
  const byContract = new Map([...tokens].map(([asset, token]) => [token.contract, { asset, ...token }]));
  const tokenPayments = logs.flatMap((log) => {
    const token = byContract.get(log.address.toLowerCase());
    const parties = partiesOf(log);
    if (token === undefined || parties === undefined) return [];
    const units = BigInt(log.data);
    if (units === 0n) return [];
    return [
      {
        txid: log.txid,
        log: log.index,
        call: undefined,
        asset: token.asset,
        digits: token.digits,
        address: parties.receiver,
        sender: parties.sender,
        input: undefined,
        units,
      },
    ];
  });
  const contractPayments = internal.flatMap(({ txid, call, from, to, value }) =>
    coin === undefined
      ? []
      : [
          {
            txid,
            log: undefined,
            call,
            asset: coin,
            digits: COIN_DIGITS,
            address: to.toLowerCase(),
            sender: from.toLowerCase(),
            input: undefined,
            units: value,
          },
        ],
  );
  return [...nativePayments, ...tokenPayments, ...contractPayments];
}

/** Lowest output index of transfers of the chain's own coin by contracts; it is above all indices of event logs. */
const CALL_OUTPUTS = 1_000_000;

/**
 * Returns the index of the payment within its transaction, which stays the same after a re-org: 0 for a
 * transfer of the chain's own coin by the transaction itself, `CALL_OUTPUTS` plus the number of the call for
 * a transfer by a contract, and for a token one more than the position of its log in the transaction.
 * Undefined if the transaction failed or does not contain the log.
 */
export function outputOf({ log, call }: Candidate, { isSuccess, logs }: EvmReceipt): number | undefined {
  if (!isSuccess) return undefined;
  if (call !== undefined) return CALL_OUTPUTS + call;
  if (log === undefined) return 0;
  const position = logs.findIndex(({ index }) => index === log);
  return position < 0 ? undefined : position + 1;
}

/**
 * Returns the sender and receiver of an ERC-20 transfer, in lower case; undefined for the log of another
 * event.
 */
function partiesOf({
  topics,
  data,
}: EvmLog): { readonly sender: string; readonly receiver: string } | undefined {
  const [kind, from, to] = topics;
  if (kind !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== 66) return undefined;
  if (from?.length !== 66 || to?.length !== 66) return undefined;
  return { sender: addressIn(from), receiver: addressIn(to) };
}

/** Reads the address from a 32-byte topic of a log, in lower case. */
function addressIn(topic: string): string {
  return `0x${topic.slice(26).toLowerCase()}`;
}

/** A contract call inside a transaction, as the node traces it. */
export interface TracedCall {
  readonly type: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly value: bigint;
  /** True if the call was reverted, which also reverts all calls inside it. */
  readonly isReverted: boolean;
  readonly calls: readonly TracedCall[];
}

/**
 * Kinds of calls that can transfer the chain's own coin to a deposit address; delegated and static calls transfer
 * nothing themselves.
 */
const PAYING_CALLS: ReadonlySet<string> = new Set(['CALL', 'SELFDESTRUCT']);

/**
 * Lists transfers of the chain's own coin by contracts inside a transaction, without those that were
 * reverted; the transfer of the transaction itself is not included.
 */
export function internalTransfers(txid: string, transaction: TracedCall): InternalTransfer[] {
  const transfers: InternalTransfer[] = [];
  let call = 0;
  const visit = (parent: TracedCall, isReverted: boolean): void => {
    for (const child of parent.calls) {
      call += 1;
      const isLost = isReverted || child.isReverted;
      const { type, from, to, value } = child;
      if (!isLost && to !== undefined && value > 0n && PAYING_CALLS.has(type))
        transfers.push({ txid, call, from, to, value });
      visit(child, isLost);
    }
  };
  visit(transaction, transaction.isReverted);
  return transfers;
}

/** Converts an address to the form with a checksum (EIP-55), which users see. */
export function checksummed(address: string): string {
  return chainAddress('evm', Buffer.from(address.slice(2), 'hex'));
}
