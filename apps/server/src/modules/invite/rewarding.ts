import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { REWARD_WINDOW_MS, REWARDED_AFTER_MS } from '@exchange/core/invite.ts';
import { DAY_MS, later, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { throughAll } from '../../platform/jobs/due-work.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { invitations, type Identity } from '../identity/index.ts';
import { deliverNotices, type AddressedMessage, type Messages, type NoticeParts } from '../messages/index.ts';
import type { InviteCommands, PaidFee } from './commands.ts';
import { markAndFindHeld, type MarkingParts, type Pair } from './marking.ts';
import {
  lastRewardedDay,
  owedRewards,
  rewardNotices,
  saveRewardedDay,
  type OwedReward,
  type RewardNotice,
} from './repository.ts';
import { inviteMessages } from './words/messages.ts';

const INVITEES_AT_A_TIME = 500;
/** Number of invitation rewards that one step pays; each reward writes a row and a ledger entry. */
const CHUNK = 40;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface RewardingParts extends MarkingParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
  readonly bulkheads: Bulkheads;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  /**
   * Returns the trading fees that the users `owners` paid from `from` on and before `to`, by user and coin.
   */
  readonly feesPaid: (
    owners: readonly UserId[],
    from: Instant,
    to: Instant,
  ) => Promise<readonly { readonly owner: UserId; readonly asset: string; readonly fee: Decimal }[]>;
}

/**
 * Rewards, oldest first, each UTC day after the last rewarded one that ended at least `REWARDED_AFTER_MS` ago (at the
 * first run only the newest such day); then pays owed rewards and notifies the inviters.
 */
export async function rewardDays(parts: RewardingParts): Promise<void> {
  const { clock, database } = parts;
  const newest = later(startOfDay(later(clock.now(), -REWARDED_AFTER_MS)), -DAY_MS);
  const lastDay = await lastRewardedDay(database.store);
  for (
    let day = lastDay === undefined ? newest : later(lastDay, DAY_MS);
    day <= newest;
    day = later(day, DAY_MS)
  ) {
    await rewardDay(parts, day);
    await saveRewardedDay(database.store, day);
  }
  await payOwedRewards(parts);
  await notifyInviters(parts);
}

/**
 * Pays the invitation rewards that are stored as owed. Rewards that are held, and those that still cannot be paid, stay
 * owed.
 */
export async function payOwedRewards(parts: RewardingParts): Promise<void> {
  await throughAll<OwedReward>(
    (behind) => owedRewards(parts.database.store, behind, CHUNK),
    async (owed) => {
      const heldInvitees = await markAndFindHeld(parts, pairsOf(owed));
      let paidCount = 0;
      for (const day of new Set(owed.map((reward) => reward.day))) {
        const rows = owed.filter((reward) => reward.day === day);
        paidCount += await payRows(
          parts,
          day,
          rows.map(({ invitee, inviter, asset, fee }) => ({
            invitee,
            inviter,
            asset,
            fee,
            held: heldInvitees.has(invitee),
          })),
        );
      }
      return { done: paidCount };
    },
  );
}

/** The pairs of inviter and invitee that occur in a list of rewards, each once. */
function pairsOf(rewards: readonly Pair[]): Pair[] {
  return [...new Map(rewards.map(({ invitee, inviter }) => [invitee, { invitee, inviter }])).values()];
}

async function payRows(
  { sequencer, commands, bulkheads }: Pick<RewardingParts, 'sequencer' | 'commands' | 'bulkheads'>,
  day: Instant,
  rows: readonly PaidFee[],
): Promise<number> {
  const { done: paidCount } = await bulkheads.bulkheadOf('invitation rewards').together(
    rows,
    ({ invitee, asset }) => `${day} ${invitee} ${asset}`,
    (dueRows, actor) =>
      sequencer.execute(
        commands.pay,
        {
          day,
          rows: [...dueRows],
          owes: true,
        },
        { actor },
      ),
  );
  return paidCount;
}

/** Notifies inviters of their paid rewards: one inbox message per inviter and day. */
export async function notifyInviters(parts: NoticeParts): Promise<void> {
  await deliverNotices(parts, 'invitation notices', rewardNotices, (notices) => notices.map(messageOf));
}

function messageOf({ inviter, day, people, income }: RewardNotice): AddressedMessage {
  const amounts = income.map(({ asset, amount }) => `${amount.toString()} ${asset}`).join(' + ');
  return {
    userId: inviter,
    message: {
      type: 'activity',
      kind: inviteMessages.kinds.inviteRewarded,
      parameters: { amounts, people: String(people), day: new Date(day).toISOString().slice(0, 10) },
    },
  };
}

/**
 * Pays the invitation rewards of a day, or stores them as owed. If the call is repeated, for example after a crash, no
 * reward is paid or stored twice.
 */
async function rewardDay(parts: RewardingParts, day: Instant): Promise<void> {
  const { database, feesPaid } = parts;
  for (let behind: string = NOBODY; ;) {
    const since = later(day, -REWARD_WINDOW_MS);
    const people = await invitations.invitedSince(database.store, since, behind, INVITEES_AT_A_TIME);
    const inviters = new Map(people.map(({ id, inviter }) => [id, inviter]));
    const fees = await feesPaid([...inviters.keys()], day, later(day, DAY_MS));
    const earned = fees
      .filter(({ fee }) => fee.isPositive())
      .map(({ owner, asset, fee }) => ({ invitee: owner, inviter: inviters.get(owner)!, asset, fee }));
    const heldInvitees = await markAndFindHeld(parts, pairsOf(earned));
    const rows: PaidFee[] = earned.map((row) => ({ ...row, held: heldInvitees.has(row.invitee) }));
    for (let index = 0; index < rows.length; index += CHUNK) {
      const chunk = rows.slice(index, index + CHUNK);
      const paidCount = await payRows(parts, day, chunk);
      // Rewards whose payment failed are stored as owed, because the fees of an ended day are not read again.
      if (paidCount < chunk.length)
        await parts.sequencer.execute(parts.commands.owe, { day, rows: [...chunk] });
    }
    if (people.length < INVITEES_AT_A_TIME) return;
    behind = people.at(-1)!.id;
  }
}
