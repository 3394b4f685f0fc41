import { Decimal } from '@exchange/core/decimal.ts';
import { UTXO_DIGITS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { feeAt, inputVbytes, sumOf, vbytesOf } from '@exchange/core/utxo-transaction.ts';
import type { ConfirmationSteps } from './domain.ts';

/** Identifies an output on a chain: the id of its transaction, and its index there. */
export interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

export interface UtxoTransaction {
  readonly txid: string;
  /**
   * Origin of the coins that the transaction spends: earlier outputs, the reward of its block (`coinbase`), or
   * Litecoin's extension blocks. Outputs of a transaction with one of the last two origins can be spent only after a
   * number of blocks.
   */
  readonly source: 'outputs' | 'coinbase' | 'extension';
  readonly inputs: readonly Outpoint[];
  /** New outputs of the transaction: amounts in the smallest unit, scripts in lower-case hexadecimal digits. */
  readonly outputs: readonly { readonly vout: number; readonly units: bigint; readonly script: string }[];
}

export interface UtxoBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly UtxoTransaction[];
}

/**
 * Kind of owner of an address: a user (deposit address), the exchange itself in the same wallet account (one
 * extended public key), or another wallet of the exchange such as cold storage.
 */
export type UtxoHolder = 'user' | 'own' | 'reserve';

/** An address whose incoming payments are recorded. */
export interface WatchedPlace {
  readonly address: string;
  readonly holder: UtxoHolder;
  /**
   * Derivation index of an address of the wallet account (one extended public key); undefined for an address of another
   * wallet (`reserve`), whose key is elsewhere.
   */
  readonly index: number | undefined;
}

/** An output that pays to an address of a user or of the exchange. */
export interface UtxoArrival extends Outpoint, WatchedPlace {
  readonly units: bigint;
  /** Number of the first block in which the output can be spent. */
  readonly spendableFrom: number;
  readonly isDust: boolean;
  /**
   * Address of a user or of the exchange from which the transaction spends an output; undefined if it spends no such
   * output.
   */
  readonly sender: string | undefined;
  /**
   * Number of confirmations that the output needs as a deposit; it depends on the total that its transaction pays to
   * users, and on the total that its block pays to its address.
   */
  readonly confirmations: number;
}

/** Number of blocks after which an output from Litecoin's extension blocks can be spent. */
const EXTENSION_MATURITY = 6;

/** Returns the number of confirmations that a deposit of the amount needs; 1 if `steps` is empty. */
export function confirmationsFor(steps: ConfirmationSteps, amount: Decimal): number {
  return steps.findLast(({ from }) => !amount.isLess(from))?.confirmations ?? 1;
}

/** Returns the highest number of confirmations that a deposit of any amount needs. */
export function mostConfirmations(steps: ConfirmationSteps): number {
  return Math.max(1, ...steps.map(({ confirmations }) => confirmations));
}

/**
 * Lists the outputs of a block that pay to addresses of users or of the exchange. `watched` contains these
 * addresses by script; `senderOf` returns the address among them from which a transaction spends coins. The
 * confirmations of a deposit are those of the greater of two amounts: all that its transaction pays to users,
 * and all that the block pays to its address. So splitting an amount among users or among transactions of a
 * block does not lower the number of confirmations.
 */
export function arrivalsIn(
  { number, transactions }: UtxoBlock,
  {
    network,
    watched,
    senderOf,
    steps,
  }: {
    readonly network: UtxoNetwork;
    readonly watched: ReadonlyMap<string, WatchedPlace>;
    readonly senderOf: (transaction: UtxoTransaction) => string | undefined;
    readonly steps: ConfirmationSteps;
  },
): UtxoArrival[] {
  const paidTo = new Map<string, bigint>();
  for (const { units, script } of transactions.flatMap(({ outputs }) => outputs)) {
    const place = watched.get(script);
    if (place?.holder === 'user') paidTo.set(place.address, (paidTo.get(place.address) ?? 0n) + units);
  }
  return transactions.flatMap((transaction) => {
    const { txid, source, outputs } = transaction;
    const ours = outputs.flatMap(({ vout, units, script }) => {
      const place = watched.get(script);
      return place === undefined || units === 0n ? [] : [{ vout, units, place }];
    });
    if (ours.length === 0) return [];
    const deposited = ours.reduce(
      (total, { units, place }) => (place.holder === 'user' ? total + units : total),
      0n,
    );
    const wait = { outputs: 0, coinbase: network.maturity, extension: EXTENSION_MATURITY }[source];
    const confirmationsOf = (address: string): number => {
      const paid = paidTo.get(address) ?? 0n;
      const counted = paid > deposited ? paid : deposited;
      const confirmations = confirmationsFor(steps, Decimal.ofScaled(counted, UTXO_DIGITS));
      // If the block is dropped, its reward is gone for good, so a deposit from a reward is credited only once the
      // output can be spent.
      return source === 'coinbase' ? Math.max(confirmations, wait) : confirmations;
    };
    const sender = senderOf(transaction);
    return ours.map(({ vout, units, place }) => ({
      txid,
      vout,
      units,
      address: place.address,
      holder: place.holder,
      index: place.index,
      spendableFrom: number + wait,
      isDust: units < network.dust,
      sender,
      confirmations: confirmationsOf(place.address),
    }));
  });
}

/** The outputs that a batch spends, the payments that it makes, and its fee in the smallest unit. */
export interface BatchChoice<Coin, Payment> {
  readonly inputs: readonly Coin[];
  readonly payments: readonly Payment[];
  readonly fee: bigint;
}

/**
 * Chooses the payments of a batch and the outputs that pay them. `coins` must be sorted from the largest to the
 * smallest, so that few outputs are spent. A payment that the coins cannot pay is left out, and smaller payments after
 * it are still made. `extra` are small outputs that the batch spends in addition, to merge them while fees are low;
 * those that are worth no more than the fee for spending them are left out. The fee is `rate` (smallest units per 1,000
 * virtual bytes) times the size of a transaction with a change output. Returns undefined if no payment can be made.
 */
export function chooseBatch<
  Coin extends { readonly units: bigint },
  Payment extends { readonly units: bigint; readonly script: string },
>({
  coins,
  extra,
  payments,
  rate,
  change,
  kind,
}: {
  readonly coins: readonly Coin[];
  readonly extra: readonly Coin[];
  readonly payments: readonly Payment[];
  readonly rate: bigint;
  /** Script of the address that receives the change. */
  readonly change: string;
  /** Kind of the scripts of `coins` and `extra`, which determines the size of inputs. */
  readonly kind: UtxoNetwork['script'];
}): BatchChoice<Coin, Payment> | undefined {
  const feeOf = (inputs: number, paid: readonly Payment[]) =>
    feeAt(rate, vbytesOf(inputs, [...paid.map(({ script }) => script), change], kind));
  const chosen: Payment[] = [];
  let count = 0;
  let available = 0n;
  for (const payment of payments) {
    const paid = [...chosen, payment];
    const total = sumOf(paid);
    let [inputs, sum] = [count, available];
    while (inputs < coins.length && (inputs === 0 || sum < total + feeOf(inputs, paid))) {
      sum += coins[inputs]!.units;
      inputs += 1;
    }
    if (inputs === 0 || sum < total + feeOf(inputs, paid)) continue;
    chosen.push(payment);
    [count, available] = [inputs, sum];
  }
  if (chosen.length === 0) return undefined;
  const used = new Set(coins.slice(0, count));
  const worthIt = extra.filter((coin) => !used.has(coin) && coin.units > feeAt(rate, inputVbytes(kind)));
  const inputs = [...used, ...worthIt];
  return { inputs, payments: chosen, fee: feeOf(inputs.length, chosen) };
}

/**
 * Returns those of the outputs that a batch cannot spend together with the ones before them, because their
 * previous transactions have too many bytes, or because the previous transaction is unknown. `sizes` contains
 * the size in bytes of each known previous transaction by id; one that made several of the outputs counts
 * once.
 */
export function beyondPrevious<Coin extends Outpoint>(
  inputs: readonly Coin[],
  sizes: ReadonlyMap<string, number>,
  { each, total }: { readonly each: number; readonly total: number },
): ReadonlySet<Coin> {
  const beyond = new Set<Coin>();
  const counted = new Set<string>();
  let sum = 0;
  for (const coin of inputs) {
    const { txid } = coin;
    if (counted.has(txid)) continue;
    const size = sizes.get(txid);
    if (size === undefined || size > each || sum + size > total) beyond.add(coin);
    else {
      counted.add(txid);
      sum += size;
    }
  }
  return beyond;
}

/**
 * Greatest number of unread blocks at which the balance at the newest block that was read is still compared with its
 * bounds.
 */
const BALANCE_BEHIND_MOST = 6;

/**
 * True if so many blocks are unread that the balance at the newest block that was read says nothing about the present
 * balance. For example, an account appears to be empty while its chain is read for the first time.
 */
export function isBalanceBehind(head: number, height: number): boolean {
  return head - height > BALANCE_BEHIND_MOST;
}

/** Converts an amount in units of the coin, such as 0.5 LTC, to the smallest units. */
export function unitsOf(amount: Decimal): bigint {
  return amount.toScaled(UTXO_DIGITS);
}

/** Returns a text that is equal for two values with the same contents, which can include big integers. */
export function comparableText(contents: unknown): string {
  return JSON.stringify(contents, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
