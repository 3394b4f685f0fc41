import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { REWARD_WINDOW_MS, REWARDED_AFTER_MS } from '@exchange/core/invite.ts';
import { DAY_MS, later, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { invitations } from '../identity/index.ts';
import type { InviteCommands, PaidFee } from './commands.ts';
import { lastRewardedDay, saveRewardedDay } from './repository.ts';

const INVITEES_AT_A_TIME = 500;
/** Rewards of one step: each is a row and an entry. */
const CHUNK = 40;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface RewardingParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'replica' | 'store'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
  /** The fees that people paid on trades of a period, its end not included, by coin. */
  readonly feesPaid: (
    owners: readonly UserId[],
    from: Instant,
    to: Instant,
  ) => Promise<readonly { readonly owner: UserId; readonly asset: string; readonly fee: Decimal }[]>;
}

/** Rewards every day that has ended and has not been rewarded, the oldest first. */
export async function rewardDays(parts: RewardingParts): Promise<void> {
  const { clock, database } = parts;
  const newest = later(startOfDay(later(clock.now(), -REWARDED_AFTER_MS)), -DAY_MS);
  const last = await lastRewardedDay(database.store);
  for (let day = last === undefined ? newest : later(last, DAY_MS); day <= newest; day = later(day, DAY_MS)) {
    await rewardDay(parts, day);
    await saveRewardedDay(database.store, day);
  }
}

/** Rewards a day; done again, as after a crash, it changes nothing. */
async function rewardDay(
  { database, sequencer, commands, feesPaid }: RewardingParts,
  day: Instant,
): Promise<void> {
  for (let behind: string = NOBODY; ;) {
    const since = later(day, -REWARD_WINDOW_MS);
    const people = await invitations.invitedSince(database.replica, since, behind, INVITEES_AT_A_TIME);
    const earning = new Map(people.filter((one) => !one.sharesDevice).map((one) => [one.id, one.inviter]));
    const fees = await feesPaid([...earning.keys()], day, later(day, DAY_MS));
    const rows: PaidFee[] = fees
      .filter(({ fee }) => fee.isPositive())
      .map(({ owner, asset, fee }) => ({ invitee: owner, inviter: earning.get(owner)!, asset, fee }));
    for (let at = 0; at < rows.length; at += CHUNK)
      await sequencer.execute(commands.pay, { day, rows: rows.slice(at, at + CHUNK) });
    if (people.length < INVITEES_AT_A_TIME) return;
    behind = people.at(-1)!.id;
  }
}
