import type { CapitalAccount } from '@exchange/core/capital.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { findNetwork, type Network } from '@exchange/core/network-table.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { transactionId } from '@exchange/core/transaction-id.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Database } from '../../platform/database/database.ts';
import { rowsOfPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import type { Log } from '../../platform/log.ts';
import type { Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { ChainPayment, Chains, ChainTransfer } from '../chains/index.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Ceilings } from './ceilings.ts';
import type { TreasuryCommands } from './commands.ts';
import {
  chainSentence,
  isUnlistedToken,
  pauses,
  waitsWhilePaused,
  type Arrival,
  type PaymentIdentity,
  type SoughtPayment,
} from './domain.ts';
import {
  acceptedShortages,
  creditedOwners,
  debtsOf,
  findArrival,
  findDebt,
  hasCorrection,
  isPaidOut,
  newestCorrections,
  newestPayments,
  openArrivals,
  openDebts,
  openPauses,
  openTokenArrivals,
  type Correction,
  type Pause,
} from './repository.ts';

export interface TreasuryParts {
  readonly ceilings: Ceilings;
  readonly chains: Pick<
    Chains,
    | 'channels'
    | 'isHouseAddress'
    | 'manualAddress'
    | 'offered'
    | 'confirmations'
    | 'confirmationsNeeded'
    | 'paymentsIn'
    | 'serves'
    | 'watched'
  >;
  readonly clock: Clock;
  readonly commands: TreasuryCommands;
  readonly database: Pick<Database, 'store' | 'reader'>;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  /** Whether a payment is recorded as a deposit of a user. */
  readonly isDeposit: (payment: PaymentIdentity) => Promise<boolean>;
}

/** The result of comparing what the exchange owns of a coin with what it owes. */
export interface CoinShortage {
  readonly asset: string;
  /**
   * The amount that the exchange owes minus the amount that it owns, in the coin; negative if the exchange owns more
   * than it owes.
   */
  readonly missing: Decimal;
}

const LIST_SIZE = 200;
const TEXT_MAX = 200;
const OUTPUT_MAX = 999_999;
/** Maximum number of network fees that one run books per channel (connection to a network). */
const FEES_PAGE = 50;

/**
 * A payment that an operator entered. `output` is the payment's index within its transaction; 0 for the only payment of
 * a transaction.
 */
export interface FoundPayment extends PaymentIdentity {
  readonly amount: Decimal;
}

/**
 * Use cases of the exchange's own money: arrivals that belong to no user, capital, fees, corrections, debts and pauses
 * of coins.
 */
export class Treasury implements Participant {
  readonly name = 'treasury';
  private readonly parts: TreasuryParts;
  private paused: ReadonlyMap<string, Pause> = new Map();
  /**
   * For each coin, the amount that the exchange owes minus the amount that it owns, as found by the latest comparison;
   * negative if it owns more.
   */
  private missing: ReadonlyMap<string, Decimal> = new Map();
  private unpaidFees = 0;

  constructor(parts: TreasuryParts) {
    this.parts = parts;
  }

  async load(): Promise<void> {
    const list = await openPauses(this.parts.database.store);
    this.paused = new Map(list.map((pause) => [pause.asset, pause]));
  }

  /** Pauses by coin, of the coins that are paused now because the exchange owns less of them than it owes. */
  get pausedCoins(): ReadonlyMap<string, Pause> {
    return this.paused;
  }

  /** Number of network fees that the last run left unbooked because the fees account has too little of the coin. */
  get unbookedFees(): number {
    return this.unpaidFees;
  }

  /**
   * Returns whether a confirmed deposit must wait: its coin is paused, and its value is above `WAITING_USDT`
   * or unknown.
   */
  isWaiting({ asset, amount }: { readonly asset: string; readonly amount: Decimal }): boolean {
    return this.paused.has(asset) && waitsWhilePaused(amount, this.parts.market.usdtPrice(asset));
  }

  /**
   * Returns, for each transfer, the user to whom operators credited it, in the order of `transfers`;
   * undefined for a transfer that was credited to nobody.
   */
  creditedOwners(transfers: readonly PaymentIdentity[]): Promise<(UserId | undefined)[]> {
    return creditedOwners(this.parts.database.store, transfers);
  }

  /**
   * Stores incoming transfers to the exchange's own wallets, and incoming transfers of unlisted tokens to any
   * of its addresses. Ignores all other transfers. Logs arrivals that their network has dropped although they
   * were booked as capital, are being sent back, or were sent back.
   */
  async see(transfers: readonly ChainTransfer[]): Promise<void> {
    const { chains, sequencer, commands, log } = this.parts;
    const arrivals = transfers.filter(
      (transfer) => isUnlistedToken(transfer) || chains.isHouseAddress(transfer.network, transfer.address),
    );
    if (arrivals.length === 0) return;
    const { alarming } = await sequencer.execute(commands.see, { arrivals });
    for (const arrival of alarming) log.error('treasury.assigned_and_gone', { arrival });
  }

  /**
   * Stores an incoming payment that no connection to a network (channel) reports, e.g. a payment from inside a
   * contract, of an unlisted token, or to an address that operators review. Returns the id of the stored arrival.
   * Refuses a payment that is recorded as an arrival or as a deposit.
   */
  async register(
    found: FoundPayment & { readonly remark: string; readonly by: string },
  ): Promise<{ id: string }> {
    const payment = this.checkedPayment(found);
    await this.requireNoDeposit(payment);
    requireText('remark', found.remark, TEXT_MAX);
    const { sequencer, commands, chains } = this.parts;
    return sequencer.execute(commands.register, {
      ...payment,
      amount: found.amount,
      address: chains.manualAddress(found.asset, found.network) ?? '',
      remark: found.remark,
      by: found.by,
    });
  }

  /**
   * Changes the asset of confirmed arrivals of formerly unlisted tokens from the token's contract to the coin under
   * which the token is now listed, so that operators can book them, and rounds their amounts down. Checks the
   * `LIST_SIZE` oldest ones of each listed token. No tokens move on the chain; they have counted as the exchange's
   * holdings since the listing. Skips an arrival that an operator registered if the network's holdings are only the sum
   * of the transfers that the exchange has read, because these do not contain it.
   */
  async adoptListed(): Promise<void> {
    const { chains, sequencer, commands, database } = this.parts;
    for (const { network, contract, asset, holdsUnread } of chains.watched.listed()) {
      const coin = findCoinNetwork(asset, network);
      if (coin === undefined) continue;
      for (const arrival of await openTokenArrivals(database.store, { network, contract }, LIST_SIZE)) {
        const { id, amount, registeredBy } = arrival;
        if (!this.isConfirmed(arrival) || (registeredBy !== undefined && !holdsUnread)) continue;
        // The amount is rounded down to the ledger's decimal places of the coin. The exchange owns the remaining
        // fraction.
        const booked = amount.rounded(coin.digits, 'down');
        if (booked.isPositive()) await sequencer.execute(commands.adopt, { id, asset, amount: booked });
      }
    }
  }

  /**
   * Returns the unlisted tokens that operators watch: `symbol (name)` by `network contract`, parted by a
   * space.
   */
  async tokenNames(): Promise<ReadonlyMap<string, string>> {
    const tokens = await this.parts.chains.watched.list();
    return new Map(
      tokens.map(({ network, contract, symbol, name }) => [`${network} ${contract}`, `${symbol} (${name})`]),
    );
  }

  /** Returns the user to whom a deposit address belongs; undefined for an address that belongs to no user. */
  async depositOwner(network: string, address: string): Promise<string | undefined> {
    return this.parts.chains.watched.ownerOf(network, address);
  }

  /**
   * Returns an arrival (an incoming transfer that is no user's deposit) that operators can decide about now. Refuses if
   * it is unknown, decided already, unconfirmed or dropped by its network.
   */
  async requireOpen(id: string): Promise<Arrival> {
    const arrival = await findArrival(this.parts.database.store, id);
    if (arrival === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (arrival.state !== 'open') throw new Refused(refusal('closed', 'l.arrival_decided'));
    if (!this.isConfirmed(arrival)) throw new Refused(refusal('closed', 'l.arrival_unconfirmed'));
    return arrival;
  }

  /**
   * Returns whether an arrival exists, has enough confirmations (or was registered by an operator) and was
   * not dropped by its network, whatever operators have decided about it.
   */
  async isUsable(id: string): Promise<boolean> {
    const arrival = await findArrival(this.parts.database.store, id);
    return arrival !== undefined && this.isConfirmed(arrival);
  }

  /**
   * Returns whether an arrival was not dropped by its network, and either has all confirmations that its
   * amount requires or was registered by an operator.
   */
  private isConfirmed({ network, amount, block, goneAt, registeredBy }: Arrival): boolean {
    const { chains } = this.parts;
    const needed = chains.confirmationsNeeded(networkOf(network), amount);
    return (
      goneAt === undefined && (registeredBy !== undefined || chains.confirmations(network, block) >= needed)
    );
  }

  /**
   * Returns an arrival that can be booked: it can be decided now, its coin is listed on its network, and it is not a
   * user's deposit. Refuses it otherwise.
   */
  async requireBookable(id: string): Promise<Arrival> {
    const arrival = await this.requireOpen(id);
    if (findCoinNetwork(arrival.asset, arrival.network) === undefined)
      throw new Refused(refusal('closed', 'l.arrival_unlisted', { unit: arrival.asset }));
    await this.requireNoDeposit(arrival);
    return arrival;
  }

  /**
   * Returns a sentence for operators about whether the network's node has a payment. If no node of the
   * network is connected or the node does not answer, the sentence says so.
   */
  async seenOnChain(payment: SoughtPayment, direction: 'arrived' | 'left'): Promise<string> {
    const { chains, log } = this.parts;
    const { network, txid } = payment;
    if (!chains.serves(network)) return 'No node of this network is connected.';
    try {
      const payments = await chains.paymentsIn(network, txid);
      const own = direction === 'left' ? undefined : await this.ownAmong(network, payments ?? []);
      return chainSentence(payment, payments, own);
    } catch (cause) {
      log.warn('treasury.node_not_asked', { network, cause });
      return 'The node does not answer now.';
    }
  }

  /**
   * Returns the receivers of the payments that are addresses of the exchange; undefined if the addresses of
   * the exchange on the network are not readable.
   */
  private async ownAmong(
    network: string,
    payments: readonly ChainPayment[],
  ): Promise<ReadonlySet<string> | undefined> {
    const { chains } = this.parts;
    if (!chains.watched.knowsOwners(network)) return undefined;
    const own = new Set<string>();
    for (const { address } of payments)
      if (
        chains.isHouseAddress(network, address) ||
        (await this.depositOwner(network, address)) !== undefined
      )
        own.add(address);
    return own;
  }

  async assign(id: string, decision: { account: CapitalAccount; by: string; reason: string }): Promise<void> {
    await this.requireBookable(id);
    await this.parts.sequencer.execute(this.parts.commands.assign, { id, ...decision });
  }

  /**
   * Records that an arrival (an incoming transfer that is no user's deposit) is not booked: with `returnTxid`, because
   * this transaction has sent it back; otherwise it is dismissed. Sends nothing. Refuses an arrival that cannot be
   * decided now.
   */
  async close(
    id: string,
    { returnTxid, ...decision }: { returnTxid: string | undefined; by: string; reason: string },
  ): Promise<void> {
    const { network } = await this.requireOpen(id);
    await this.parts.sequencer.execute(this.parts.commands.close, {
      id,
      ...decision,
      ...(returnTxid === undefined ? {} : { returnTxid: transactionOf(network, returnTxid) }),
    });
  }

  /**
   * Validates a payment that left the exchange, and returns it with its canonical transaction id. Refuses a payment
   * that is booked already or that exceeds the balance of its house account.
   */
  async checkedPayOut(found: FoundPayment, account: CapitalAccount): Promise<FoundPayment> {
    const payment = this.checkedPayment(found);
    if (findCoinNetwork(found.asset, found.network) === undefined)
      throw invalidChoice('network', found.network);
    if (await isPaidOut(this.parts.database.store, payment))
      throw new Refused(refusal('duplicate', 'l.arrival_known', { value: payment.txid }));
    this.requireHouse(account, found);
    return { ...payment, amount: found.amount };
  }

  /**
   * Books a payment of capital or fees that left the exchange by a transaction. Refuses what `checkedPayOut` refuses.
   */
  async payOut(
    found: FoundPayment,
    { account, ...decision }: { account: CapitalAccount; by: string; reason: string },
  ): Promise<void> {
    const payment = await this.checkedPayOut(found, account);
    const isBooked = await this.parts.sequencer.execute(this.parts.commands.pay, {
      ...payment,
      ...decision,
      kind: 'paid' as const,
      account,
    });
    if (!isBooked) throw new Refused(refusal('duplicate', 'l.arrival_known', { value: payment.txid }));
  }

  /**
   * Books the network fees of mined transactions as payments of the fees account, oldest first, at most `FEES_PAGE` per
   * channel (connection to a network). Those that the account cannot pay stay unbooked.
   */
  async bookFees(): Promise<void> {
    const { chains, sequencer, commands, ledger } = this.parts;
    let unpaid = 0;
    for (const { fees } of chains.channels) {
      if (fees === undefined) continue;
      for (const fee of await fees.unbooked(FEES_PAGE)) {
        const { origin, ...payment } = fee;
        // A network fee above the balance of the fees account stays unbooked until the account has enough of the coin.
        if (fee.amount.isMore(ledger.balance(houseAddress('fees'), fee.asset))) {
          unpaid += 1;
          continue;
        }
        await sequencer.execute(commands.pay, {
          ...payment,
          kind: 'gas' as const,
          account: 'fees' as const,
          by: 'the network',
          reason: origin,
        });
        await fees.markBooked(origin);
      }
    }
    this.unpaidFees = unpaid;
  }

  /**
   * Refuses a correction without a valid case reference, of an unknown coin, or with the user, direction, coin and
   * amount of an earlier correction of its case. Refuses a credit to a user that exceeds the balance of the house
   * account.
   */
  async checkCorrection(correction: Omit<Correction, 'id' | 'by' | 'reason' | 'at'>): Promise<void> {
    requireText('caseRef', correction.caseRef, TEXT_MAX);
    if (!this.parts.ledger.isKnown(correction.asset)) throw invalidChoice('asset', correction.asset);
    if (await hasCorrection(this.parts.database.store, correction))
      throw new Refused(refusal('duplicate', 'l.correction_known', { value: correction.caseRef }));
    if (correction.isCredit) this.requireHouse(correction.account as CapitalAccount, correction);
  }

  async correct(
    correction: Omit<Correction, 'id' | 'at' | 'account'> & { readonly account: CapitalAccount },
  ): Promise<void> {
    await this.checkCorrection(correction);
    await this.parts.sequencer.execute(this.parts.commands.correct, correction);
  }

  async requireDebt(id: string) {
    const debt = await findDebt(this.parts.database.store, id);
    if (debt === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return debt;
  }

  async writeOff(
    id: string,
    decision: { account: CapitalAccount; by: string; reason: string },
  ): Promise<void> {
    await this.parts.sequencer.execute(this.parts.commands.writeOff, { id, ...decision });
  }

  async cancelDebt(id: string, decision: { by: string; reason: string }): Promise<void> {
    const { owner } = await this.requireDebt(id);
    await this.parts.sequencer.execute(this.parts.commands.cancelDebt, { id, owner, ...decision });
  }

  /**
   * Returns arrivals (incoming transfers that are no users' deposits) that wait for an operator's decision,
   * oldest first, at most `LIST_SIZE`.
   */
  arrivals() {
    return openArrivals(this.parts.database.store, LIST_SIZE);
  }

  debts() {
    return openDebts(this.parts.database.store, LIST_SIZE);
  }

  payments() {
    return newestPayments(this.parts.database.store, LIST_SIZE);
  }

  corrections() {
    return newestCorrections(this.parts.database.store, LIST_SIZE);
  }

  /** Returns a user's debts to the exchange, newest first; with `isOpen` only those without an outcome. */
  debtsOf(owner: UserId, isOpen: boolean, page: AskedPage) {
    return debtsOf(this.parts.database.reader, owner, isOpen, rowsOfPage(page));
  }

  /**
   * Pauses every coin of which the exchange owns less than it owes, unless operators have accepted the shortage or it
   * is worth too little (see `pauses`). A coin that is paused already stays paused.
   */
  async pauseShort(coins: readonly CoinShortage[]): Promise<void> {
    const { clock, database, market, sequencer, commands, log } = this.parts;
    this.missing = new Map(coins.map(({ asset, missing }) => [asset, missing]));
    const short = coins.filter(({ asset, missing }) => missing.isPositive() && !this.paused.has(asset));
    if (short.length === 0) return;
    const accepted = await acceptedShortages(
      database.store,
      short.map(({ asset }) => asset),
    );
    for (const { asset, missing } of short) {
      const known = {
        price: market.usdtPrice(asset),
        accepted: accepted.get(asset),
        now: clock.now(),
      };
      if (!pauses(missing, known)) continue;
      await sequencer.execute(commands.pause, { asset, missing });
      log.error('treasury.coin_paused', { asset, missing: missing.toString() });
    }
    await this.load();
  }

  /**
   * Returns the pause of a coin, with the shortage that the latest comparison found, or the one at the start
   * of the pause if none was made since the start of the process. Refuses a coin that is not paused.
   */
  requirePause(asset: string): Pause & { readonly missingNow: Decimal } {
    const pause = this.paused.get(asset);
    if (pause === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { ...pause, missingNow: this.missing.get(asset) ?? pause.missing };
  }

  async lift(asset: string, { by, reason }: { by: string; reason: string }): Promise<void> {
    const { missingNow } = this.requirePause(asset);
    const accepted = missingNow.isPositive() ? missingNow : Decimal.zero;
    const { sequencer, commands, log } = this.parts;
    await sequencer.execute(commands.lift, { asset, accepted, by, reason });
    await this.load();
    log.warn('treasury.pause_lifted', { asset, accepted: accepted.toString(), by, reason });
  }

  /** The ceilings of operators' roles for single operations that book or release money. */
  get ceilings(): Ceilings {
    return this.parts.ceilings;
  }

  private requireHouse(
    account: CapitalAccount,
    { asset, amount }: { readonly asset: string; readonly amount: Decimal },
  ): void {
    const balance = this.parts.ledger.balance(houseAddress(account), asset);
    if (!amount.isMore(balance)) return;
    const details = { field: 'amount', limit: balance.toString(), value: amount.toString(), unit: asset };
    throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
  }

  private async requireNoDeposit(payment: PaymentIdentity): Promise<void> {
    if (await this.parts.isDeposit(payment))
      throw new Refused(refusal('duplicate', 'l.deposit_known', { value: payment.txid }));
  }

  /**
   * Validates network, coin, amount and transaction, and returns the identity of the payment with the
   * canonical transaction id; refuses invalid values. Any text is accepted as transaction id if operators
   * review deposits of the coin on this network by hand.
   */
  private checkedPayment({ network, asset, amount, txid, output }: FoundPayment): PaymentIdentity {
    if (!this.parts.chains.offered.has(network)) throw invalidChoice('network', network);
    requireText('asset', asset, TEXT_MAX);
    const digits = findCoinNetwork(asset, network)?.digits;
    if (digits !== undefined && !amount.fits(digits))
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'amount' }));
    if (output > OUTPUT_MAX)
      throw new Refused(refusal('invalidField', 'l.field_number', { field: 'output' }));
    if (this.parts.chains.manualAddress(asset, network) === undefined)
      return { network, asset, txid: transactionOf(network, txid), output };
    requireText('txid', txid, TEXT_MAX);
    return { network, asset, txid: transactionId(networkOf(network), txid) ?? txid.trim(), output };
  }
}

function networkOf(code: string): Network {
  const network = findNetwork(code);
  if (network === undefined) throw invalidChoice('network', code);
  return network;
}

/** Returns the canonical form of a transaction id. Refuses text that is no transaction id of the network. */
function transactionOf(network: string, txid: string): string {
  const canonical = transactionId(networkOf(network), txid);
  if (canonical !== undefined) return canonical;
  const about = { field: 'txid', limit: networkOf(network).name, value: txid.slice(0, TEXT_MAX) };
  throw new Refused(refusal('invalidField', 'l.txid_format', about));
}
