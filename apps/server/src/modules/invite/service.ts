import type { UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { invitations } from '../identity/index.ts';
import type { InviteCommands } from './commands.ts';
import { marksOf } from './marks-repository.ts';
import { broughtBy, rewardsOf, sharesOf, totalsOf } from './repository.ts';

export interface InviteParts {
  readonly database: Pick<Database, 'reader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
}

/** One method per use case of invitations. */
export class Invite {
  private readonly parts: InviteParts;

  constructor(parts: InviteParts) {
    this.parts = parts;
  }

  /** What a user's code has brought, and how the points are shared. */
  async info(owner: UserId) {
    const { reader } = this.parts.database;
    const [code, found, income, inviter] = await Promise.all([
      invitations.codeOf(reader, owner),
      invitations.inviteesCount(reader, owner),
      totalsOf(reader, owner),
      invitations.inviterOf(reader, owner),
    ]);
    const shares = await sharesOf(reader, [owner, ...(inviter === undefined ? [] : [inviter])]);
    return {
      code,
      income,
      count: found.total,
      verified: found.verified,
      share: shares.get(owner) ?? 0,
      /** What whoever invited this user passes on. */
      discount: inviter === undefined ? 0 : (shares.get(inviter) ?? 0),
    };
  }

  /** Whom a user has invited, with what each has brought. */
  async invitees(owner: UserId, page: AskedPage) {
    const { reader } = this.parts.database;
    const found = await invitations.inviteesOf(reader, owner, rowsOfPage(page));
    const ids = found.list.map(({ id }) => id);
    const [brought, marks] = await Promise.all([broughtBy(reader, ids), marksOf(reader, ids)]);
    return mapPage(found, (invitee) => ({
      ...invitee,
      isHeld: (marks.get(invitee.id)?.holding.length ?? 0) > 0,
      income: brought.get(invitee.id) ?? [],
    }));
  }

  /** A user's rewards, with the short numbers of those who brought them. */
  async rewards(
    owner: UserId,
    period: { readonly from: number | undefined; readonly to: number | undefined },
    page: AskedPage,
  ) {
    const { reader } = this.parts.database;
    const found = await rewardsOf(reader, owner, period, rowsOfPage(page));
    const uids = await invitations.uidsOf(
      reader,
      found.list.map(({ invitee }) => invitee),
    );
    return mapPage(found, (reward) => ({ ...reward, uid: uids.get(reward.invitee) ?? '' }));
  }

  /** Sets what a user passes on. */
  setShare(owner: UserId, points: number, submission?: Submission) {
    return this.parts.sequencer.execute(
      this.parts.commands.share,
      { owner, points },
      { actor: owner, submission },
    );
  }
}
