import type { Decimal } from '@exchange/core/decimal.ts';
import { PROOFS_PENDING_MAX, type ProofReason } from '@exchange/core/deposit-proof.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { transactionId } from '@exchange/core/transaction-id.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AskedPage } from '../../platform/database/paged-rows.ts';
import type { TransferNames } from '../../platform/database/tracked-rows.ts';
import type { Chains } from '../chains/index.ts';
import type { Files } from '../files/index.ts';
import type { Messages } from '../messages/index.ts';
import type { NetworkPauses } from '../treasury/index.ts';
import type { DepositCommands } from './commands.ts';
import { depositsOfTransaction } from './repository.ts';
import {
  closeProof,
  findProof,
  insertProof,
  namedProofs,
  lockReporter,
  pendingProofsOf,
  proofByKey,
  proofsOf,
  waitingProofs,
  type Proof,
} from './proof-repository.ts';

const QUEUE = 200;
const VALUE_SHOWN = 100;
const PAYMENTS_SHOWN = 100;
/** Status number of a report that waits for a decision. */
const PENDING = 0;

export interface ProofParts {
  readonly chains: Pick<Chains, 'manualAddress'>;
  readonly networkPauses: Pick<NetworkPauses, 'requireOpen'>;
  readonly clock: Clock;
  readonly commands: DepositCommands;
  readonly database: Database;
  readonly files: Pick<Files, 'claim' | 'read'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
}

export interface DepositReport {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly remark: string;
  /** File id of the uploaded picture. */
  readonly picture: string;
}

/** A transfer to the exchange's address, as an operator found it on the network. */
export interface Arrival {
  readonly amount: Decimal;
  readonly txid: string;
  /**
   * Index of the payment within its transaction; undefined if the operator did not enter one. Any recorded payment of
   * the transaction then counts as this payment.
   */
  readonly output: number | undefined;
}

/** Deposits that users report with a picture as proof, and the operators' decisions about these reports. */
export class Proofs {
  private readonly parts: ProofParts;

  constructor(parts: ProofParts) {
    this.parts = parts;
  }

  /**
   * Stores a user's report of a deposit; a repetition of the request returns the first answer. Refuses a
   * network whose deposits are not reviewed by hand, an amount with too many decimals or below the minimum, a
   * report when the user has too many pending ones, a picture that `files.claim` refuses, and every report
   * while deposits of the network are paused.
   */
  async submit(
    owner: UserId,
    report: DepositReport,
    submission: Submission | undefined,
  ): Promise<{ id: string }> {
    const { database, files, clock, chains, networkPauses } = this.parts;
    const { asset, network, amount, picture } = report;
    const [coin, address] = [findCoinNetwork(asset, network), chains.manualAddress(asset, network)];
    if (coin === undefined || address === undefined) throw invalidChoice('network', network);
    networkPauses.requireOpen(coin.network, 'deposits');
    const about = { field: 'amount', value: amount.toString(), unit: asset };
    if (!amount.fits(coin.digits))
      throw new Refused(
        refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(coin.digits) }),
      );
    if (amount.isLess(coin.minDeposit))
      throw new Refused(
        refusal('belowMinimum', 'l.amount_min', { ...about, limit: coin.minDeposit.toString() }),
      );
    return database.transaction(async (tx) => {
      await lockReporter(tx, owner);
      // A report of an older version is stored with the key of its request but without a stored answer, so a report
      // with the same key is returned as the answer.
      const earlier = submission && (await proofByKey(tx, owner, submission.key));
      if (earlier !== undefined) return { id: earlier.id };
      if ((await pendingProofsOf(tx, owner)) >= PROOFS_PENDING_MAX)
        throw new Refused(refusal('rateLimited', 'l.proofs_max', { limit: String(PROOFS_PENDING_MAX) }));
      const now = clock.now();
      const id = newId(systemRandom, now);
      await files.claim(tx, [picture], { owner, purpose: 'proof', about: `deposit ${id}` });
      await insertProof(tx, { ...report, id, owner, address, createdAt: now }, submission?.key);
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer: { id }, at: now });
      return { id };
    });
  }

  /**
   * Withdraws the user's own pending report. Repeating the call has no effect; a report that operators have
   * decided is refused with `l.proof_decided`, an unknown one or another user's with `l.not_found`.
   */
  async cancel(owner: UserId, id: string): Promise<void> {
    const { database, clock } = this.parts;
    const proof = await findProof(database.store, id);
    if (proof?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const closing = { reason: undefined, by: 'owner', now: clock.now() };
    const closed = await database.transaction((tx) => closeProof(tx, id, closing));
    if (closed !== undefined || (await findProof(database.store, id))?.status === 3) return;
    throw new Refused(refusal('duplicate', 'l.proof_decided'));
  }

  records(owner: UserId, page: AskedPage) {
    return proofsOf(this.parts.database.store, owner, page);
  }

  /**
   * A user's reports of deposits that `names` selects, newest first, at most `limit`: all undecided ones, those of the
   * newest 500 with a matching reported or credited amount, or the one with a matching id.
   */
  named(owner: UserId, names: TransferNames, limit: number): Promise<Proof[]> {
    return namedProofs(this.parts.database.store, owner, names, limit);
  }

  /** Reports that wait for a decision: the 200 oldest ones, oldest first, and their total number. */
  waiting(): Promise<BoundedRows<Proof>> {
    return waitingProofs(this.parts.database.store, QUEUE);
  }

  /**
   * The deposits of the transaction `txid` in the coin and on the network of a report, of all users: the first 100 and
   * their total number.
   */
  earlierPayments(proof: Proof, txid: string) {
    const { asset, network } = proof;
    return depositsOfTransaction(this.parts.database.store, { asset, network, txid }, PAYMENTS_SHOWN);
  }

  /** Id of the user who submitted the report with this id; undefined if there is no such report. */
  async ownerOf(id: string): Promise<UserId | undefined> {
    return (await findProof(this.parts.database.store, id))?.owner;
  }

  /** The picture of a report, as a JPEG file. Refuses an unknown report. */
  async picture(id: string): Promise<Buffer> {
    const proof = await findProof(this.parts.database.store, id);
    const picture = proof && (await this.parts.files.read(proof.picture));
    if (picture === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return picture;
  }

  /**
   * Checks what an operator found on the network, and returns it with the transaction id in canonical form and with the
   * report. Refuses an unknown report, an amount with too many decimals and a malformed transaction id.
   */
  async arrival(id: string, { amount, txid, output }: Arrival): Promise<Arrival & { readonly proof: Proof }> {
    const proof = await findProof(this.parts.database.store, id);
    if (proof === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const coin = findCoinNetwork(proof.asset, proof.network);
    if (coin === undefined || !amount.fits(coin.digits))
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'amount' }));
    const name = transactionId(coin.network, txid);
    if (name !== undefined) return { proof, amount, txid: name, output };
    const about = { field: 'txid', limit: coin.network.name, value: txid.slice(0, VALUE_SHOWN) };
    throw new Refused(refusal('invalidField', 'l.txid_format', about));
  }

  /**
   * Credits the transfer that an operator found, under its transaction id in canonical form. Refuses with
   * `l.proof_decided` if the report is decided already, and with `l.deposit_known` if the payment is recorded already
   * as a deposit or as an arrival (a payment that no user's deposit address received).
   */
  async approve(id: string, { by, ...findings }: Arrival & { readonly by: string }): Promise<void> {
    const { commands, sequencer } = this.parts;
    const { proof, amount, txid, output } = await this.arrival(id, findings);
    const { owner, asset, network, address, remark } = proof;
    const input = { proof: id, owner, asset, network, address, txid, output, amount, remark, by };
    await sequencer.execute(commands.creditReported, input);
  }

  /** Returns a report that waits for a decision. Refuses a report that is unknown, decided or withdrawn. */
  async requirePending(id: string): Promise<Proof> {
    const proof = await findProof(this.parts.database.store, id);
    if (proof === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (proof.status !== PENDING) throw new Refused(refusal('duplicate', 'l.proof_decided'));
    return proof;
  }

  /**
   * Rejects a report; refuses a report that is not pending. The owner receives a message that does not contain the
   * reason; the owner's list of reports shows it (`proofOwnerReason`).
   */
  async reject(id: string, reason: ProofReason, by: string): Promise<void> {
    const { database, messages, clock } = this.parts;
    const now = clock.now();
    const owner = await database.transaction(async (tx) => {
      const closed = await closeProof(tx, id, { reason, by, now });
      if (closed === undefined) throw new Refused(refusal('duplicate', 'l.proof_decided'));
      const { asset: coin, network, amount } = closed;
      const parameters = { coin, network, amount: amount.toString(), time: timeText(now) };
      await messages.send(tx, [
        {
          userId: closed.owner,
          about: id,
          message: { type: 'asset', kind: 'depositRejected', parameters },
        },
      ]);
      return closed.owner;
    });
    await messages.announce(owner);
  }
}
