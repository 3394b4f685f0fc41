import type { UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { invitations } from '../identity/index.ts';
import type { InviteCommands } from './commands.ts';
import { marksOf } from './marks-repository.ts';
import { incomeOfInvitees, rewardsOf, sharesOf, totalsOf } from './repository.ts';

export interface InviteParts {
  readonly database: Pick<Database, 'reader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
}

/** Invitations: the summary, invitees and rewards of an inviter, and the share that the inviter passes on. */
export class Invite {
  private readonly parts: InviteParts;

  constructor(parts: InviteParts) {
    this.parts = parts;
  }

  /**
   * Summary of a user's invitations, with the percentage points of the fees that the user passes on to invitees and
   * receives as an invitee.
   */
  async info(owner: UserId) {
    const { reader } = this.parts.database;
    const [code, counts, income, inviter] = await Promise.all([
      invitations.invitationCodeOf(reader, owner),
      invitations.inviteesCount(reader, owner),
      totalsOf(reader, owner),
      invitations.inviterOf(reader, owner),
    ]);
    const shares = await sharesOf(reader, [owner, ...(inviter === undefined ? [] : [inviter])]);
    return {
      code,
      income,
      count: counts.total,
      verified: counts.verified,
      share: shares.get(owner) ?? 0,
      /** Percentage points of the fees that the user's inviter passes on to the user; 0 if nobody invited the user. */
      discount: inviter === undefined ? 0 : (shares.get(inviter) ?? 0),
    };
  }

  /**
   * A page of the users whom `owner` invited, newest first, with the rewards paid to `owner` for each, and
   * whether the rewards for that invited user's fees are held.
   */
  async invitees(owner: UserId, page: AskedPage) {
    const { reader } = this.parts.database;
    const invitees = await invitations.inviteesOf(reader, owner, rowsOfPage(page));
    const ids = invitees.list.map(({ id }) => id);
    const [incomeByInvitee, marks] = await Promise.all([incomeOfInvitees(reader, ids), marksOf(reader, ids)]);
    return mapPage(invitees, (invitee) => ({
      ...invitee,
      isHeld: (marks.get(invitee.id)?.holding.length ?? 0) > 0,
      income: incomeByInvitee.get(invitee.id) ?? [],
    }));
  }

  /**
   * A page of the rewards paid to a user at times from `from` to `to` (milliseconds, both included; undefined
   * if the period is open on that side), newest day first, with the invitees' account numbers.
   */
  async rewards(
    owner: UserId,
    period: { readonly from: number | undefined; readonly to: number | undefined },
    page: AskedPage,
  ) {
    const { reader } = this.parts.database;
    const rewards = await rewardsOf(reader, owner, period, rowsOfPage(page));
    const uids = await invitations.uidsOf(
      reader,
      rewards.list.map(({ invitee }) => invitee),
    );
    return mapPage(rewards, (reward) => ({ ...reward, uid: uids.get(reward.invitee) ?? '' }));
  }

  /**
   * Sets how many percentage points of the fees a user passes on to invitees, limited to the range from 0 to
   * `SHARED_PERCENT_MAX`. Returns the number that was set.
   */
  setShare(owner: UserId, points: number, submission?: Submission) {
    return this.parts.sequencer.execute(
      this.parts.commands.share,
      { owner, points },
      { actor: owner, submission },
    );
  }
}
