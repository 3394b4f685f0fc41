import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { LIMIT_DAY_MS, WITHDRAWALS_PER_DAY, type RefusalReason } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { AccountContext, Identity } from '../identity/index.ts';
import type { Screening } from '../screening/index.ts';
import { addressesOf, placeOf } from './addresses-repository.ts';
import { requireStatus, type WithdrawalCommands } from './commands.ts';
import type { ConfirmedDigests } from './confirmed-digests.ts';
import {
  onePersonProblem,
  unknownProblem,
  waitReasons,
  type WaitReason,
  type Withdrawal,
  type WithdrawalContext,
} from './domain.ts';
import {
  approvedByOneSince,
  contextsOf,
  finishedCount,
  openTotals,
  openWithdrawals,
  ownersWithFinished,
} from './repository.ts';
import { type SendingPause, withdrawalAccountProblem, withdrawalAccountStatus } from './sending-stops.ts';
import type { Withdrawals } from './service.ts';
import type { TravelRule } from './travel-rule.ts';

export interface ReviewParts {
  readonly clock: Clock;
  readonly commands: WithdrawalCommands;
  readonly database: Pick<Database, 'reader'>;
  readonly digests: ConfirmedDigests;
  readonly identity: Pick<Identity, 'accountContexts' | 'prepare' | 'withdrawalHold'>;
  readonly pause: Pick<SendingPause, 'requireReleasable'>;
  readonly screening: Pick<Screening, 'screen' | 'requireClear' | 'blockedAmong'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly travelRule: Pick<TravelRule, 'read' | 'screened'>;
  readonly withdrawals: Pick<Withdrawals, 'require' | 'detail'>;
  /**
   * When the latest deposit of each account was credited, if that was after `since`; accounts without such a deposit
   * are left out.
   */
  readonly lastCreditedSince: (
    owners: readonly UserId[],
    since: Instant,
  ) => Promise<ReadonlyMap<UserId, Instant>>;
}

const OPEN_MOST = 200;
/**
 * Reasons for a review that permit an operator to approve several withdrawals together, if a withdrawal has
 * no other reasons.
 */
const LOW_RISK: ReadonlySet<WaitReason> = new Set<WaitReason>(['first withdrawal', 'new address']);

/**
 * What the operator who approves a withdrawal sees about its address and account, and whether a stored field
 * differs from what the owner confirmed (`isChanged`).
 */
export interface ApprovalContext extends Partial<WithdrawalContext>, Partial<AccountContext> {
  /**
   * The first hex digits of the digest of the fields that the owner confirmed; undefined for old withdrawals
   * without a digest.
   */
  readonly confirmedDigest: string | undefined;
  readonly isChanged: boolean;
}

/** Use cases of operators who review pending withdrawals: list, inspect, approve and reject. */
export class WithdrawalReview {
  private readonly parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.parts = parts;
  }

  /** Returns pending and approved withdrawals of all users: the oldest 200, and the number of all. */
  open(): Promise<BoundedRows<Withdrawal>> {
    return openWithdrawals(this.parts.database.reader, OPEN_MOST);
  }

  /** Returns the number of pending and approved withdrawals of all users, and their total value in USDT. */
  openTotals() {
    return openTotals(this.parts.database.reader);
  }

  /**
   * Returns the value in USDT of the withdrawals of the given accounts that single operators approved in the
   * last 24 hours, by owner; accounts without such a withdrawal are missing.
   */
  approvedByOne(owners: readonly UserId[]): Promise<ReadonlyMap<UserId, Decimal>> {
    const { clock, database } = this.parts;
    return approvedByOneSince(database.reader, owners, later(clock.now(), -LIMIT_DAY_MS));
  }

  /**
   * Returns when the owner of a withdrawal stored its destination in the address book (undefined if the book
   * lacks it), and the number of the account's finished withdrawals.
   */
  async destinationHistory(
    withdrawal: Withdrawal,
  ): Promise<{ readonly finishedOfAccount: number; readonly keptAt: Instant | undefined }> {
    const { reader } = this.parts.database;
    const place = placeOf(withdrawal);
    const [book, finishedOfAccount] = await Promise.all([
      addressesOf(reader, withdrawal.owner),
      finishedCount(reader, withdrawal.owner),
    ]);
    const stored = book.find((address) => placeOf(address) === place);
    return { finishedOfAccount, keptAt: stored?.createdAt };
  }

  /**
   * Refuses whatever `decide` would refuse. A withdrawal that is not pending is always refused. An approval is refused
   * if the account has a sanctions match that is not cleared or may not withdraw, the fields differ from those that the
   * owner confirmed, the address does not count as known yet, or a single operator may not approve so much for the
   * account within 24 hours. A rejection is refused while sending is paused after the restore of a backup.
   */
  async requireDecidable(id: string, verdict: 'approve' | RefusalReason, persons: 1 | 2): Promise<void> {
    const { clock, digests, identity } = this.parts;
    const withdrawal = await this.parts.withdrawals.require(id);
    requireStatus(withdrawal, 'pending');
    if (verdict !== 'approve') {
      this.parts.pause.requireReleasable();
      return;
    }
    await this.requireScreened(withdrawal);
    digests.requireUnchanged(withdrawal);
    const { owner, value } = withdrawal;
    const barred =
      withdrawalAccountProblem(await withdrawalAccountStatus(identity, owner), clock.now()) ??
      unknownProblem(withdrawal.knownAt, clock.now());
    if (barred !== undefined) throw new Refused(barred);
    if (persons === 2) return;
    const problem = onePersonProblem(value, (await this.approvedByOne([owner])).get(owner));
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * Applies an operator's decision on a withdrawal; refuses like `requireDecidable`. Returns the withdrawal after the
   * decision.
   */
  async decide(
    id: string,
    verdict: 'approve' | RefusalReason,
    { by, persons }: { readonly by: string; readonly persons: 1 | 2 },
  ): Promise<Withdrawal> {
    const { clock, digests, identity, sequencer, commands, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    if (verdict === 'approve') {
      await this.requireScreened(withdrawal);
      digests.requireUnchanged(withdrawal);
      const barred = withdrawalAccountProblem(
        await withdrawalAccountStatus(identity, withdrawal.owner),
        clock.now(),
      );
      if (barred !== undefined) throw new Refused(barred);
    } else this.parts.pause.requireReleasable();
    await sequencer.execute(commands.decide, { id, owner: withdrawal.owner, verdict, by, persons });
    return withdrawals.detail(withdrawal.owner, id);
  }

  /** Returns the `ApprovalContext` of each withdrawal, by its id. */
  async contexts(withdrawals: readonly Withdrawal[]): Promise<ReadonlyMap<string, ApprovalContext>> {
    const { clock, database, digests, identity } = this.parts;
    const since = later(clock.now(), -LIMIT_DAY_MS);
    const ids = withdrawals.map(({ id }) => id);
    // Events of the account count from 24 hours before the oldest request on, so that they remain a reason for review
    // however long the request has waited.
    const accountsSince = new Map<UserId, Instant>();
    for (const { owner, createdAt } of withdrawals) {
      const dayBefore = later(createdAt, -LIMIT_DAY_MS);
      accountsSince.set(owner, instant(Math.min(dayBefore, accountsSince.get(owner) ?? dayBefore)));
    }
    const [places, accounts] = await Promise.all([
      contextsOf(database.reader, ids, { since, most: WITHDRAWALS_PER_DAY }),
      identity.accountContexts(accountsSince),
    ]);
    return new Map(
      withdrawals.map((withdrawal) => [
        withdrawal.id,
        {
          confirmedDigest: digests.short(withdrawal),
          isChanged: digests.isChanged(withdrawal),
          ...places.get(withdrawal.id),
          ...accounts.get(withdrawal.owner),
        },
      ]),
    );
  }

  /**
   * Returns the reasons why each pending withdrawal waits for an operator, the most serious first, by the id
   * of the withdrawal.
   *
   * @param contexts the result of `contexts` for the same withdrawals
   */
  async waitReasons(
    pending: readonly Withdrawal[],
    contexts: ReadonlyMap<string, ApprovalContext>,
  ): Promise<ReadonlyMap<string, readonly WaitReason[]>> {
    const { clock, database, lastCreditedSince, screening } = this.parts;
    const owners = [...new Set(pending.map(({ owner }) => owner))];
    const oldest = Math.min(clock.now(), ...pending.map(({ createdAt }) => createdAt));
    const [blocked, withFinished, credited, approved] = await Promise.all([
      screening.blockedAmong(owners),
      ownersWithFinished(database.reader, owners),
      lastCreditedSince(owners, later(instant(oldest), -LIMIT_DAY_MS)),
      this.approvedByOne(owners),
    ]);
    return new Map(
      pending.map(({ id, owner, createdAt, value }) => {
        const context = contexts.get(id);
        const creditedAt = credited.get(owner);
        const reasons = waitReasons({
          hasSanctionsHit: blocked.has(owner),
          isChanged: context?.isChanged,
          needsSecondPerson: onePersonProblem(value, approved.get(owner)) !== undefined,
          hasWithdrawn: withFinished.has(owner),
          finishedToAddress: context?.finishedToAddress ?? 0,
          newDevices: context?.newDevices ?? 0,
          securityChanges: context?.securityChanges ?? 0,
          hasFreshDeposit: creditedAt !== undefined && creditedAt > later(createdAt, -LIMIT_DAY_MS),
        });
        return [id, reasons];
      }),
    );
  }

  /**
   * Refuses a withdrawal that waits for an operator for any reason except that it is the account's first one, or the
   * first one to its address.
   */
  async requireLowRisk(id: string): Promise<void> {
    const withdrawal = await this.parts.withdrawals.require(id);
    const reasons = await this.waitReasons([withdrawal], await this.contexts([withdrawal]));
    if (!(reasons.get(id) ?? []).every((reason) => LOW_RISK.has(reason)))
      throw new Refused(refusal('generic', 'l.several_alone'));
  }

  /** Returns the travel-rule record of a withdrawal. Refuses if the withdrawal has none. */
  async travelRuleRecord(id: string) {
    await this.parts.withdrawals.require(id);
    return this.parts.travelRule.read(id);
  }

  /**
   * Compares the withdrawal's address and recipient with the sanctions lists. Refuses if the account has a match that
   * operators have not cleared.
   */
  private async requireScreened(withdrawal: Withdrawal): Promise<void> {
    const { screening, travelRule } = this.parts;
    await screening.screen(await travelRule.screened(withdrawal));
    await screening.requireClear(withdrawal.owner);
  }
}
