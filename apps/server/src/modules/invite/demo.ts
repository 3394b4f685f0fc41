import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, startOfDay } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { invitations } from '../identity/index.ts';
import type { InviteCommands } from './commands.ts';
import { notifyInviters, type RewardingParts } from './rewarding.ts';

/** Users whom the demo trader invited: name, days since the invitation, and paid fees as days ago, coin and amount. */
const FRIENDS: readonly (readonly [
  name: string,
  daysAgo: number,
  fees: readonly (readonly [number, string, string])[],
])[] = [
  [
    'friend-1',
    41,
    [
      [1, 'USDT', '18.4206'],
      [2, 'USDT', '9.7315'],
      [4, 'BTC', '0.00042'],
      [6, 'USDT', '27.05'],
    ],
  ],
  [
    'friend-2',
    23,
    [
      [1, 'USDT', '4.118'],
      [3, 'ETH', '0.0061'],
    ],
  ],
  ['friend-3', 6, []],
];
const SHARED_POINTS = 5;

interface SeedParts extends Pick<RewardingParts, 'bulkheads' | 'identity' | 'messages'> {
  readonly database: Pick<Database, 'reader' | 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: InviteCommands;
}

/**
 * Creates, only once, the users whom the demo trader invited, and the rewards for past days, with the ordinary
 * commands.
 */
export async function seedInvite(parts: SeedParts, demo: Demo): Promise<void> {
  const { database, sequencer, commands } = parts;
  const { once, trader, systemUser, now } = demo;
  await once('invite share', () =>
    sequencer.execute(commands.share, { owner: trader, points: SHARED_POINTS }),
  );
  for (const [name, daysAgo, fees] of FRIENDS) {
    const invitee = await systemUser(name);
    await once(`invite ${name}`, () =>
      invitations.setInviter(database.store, invitee, trader, later(now, -daysAgo * DAY_MS)),
    );
    for (const [ago, asset, text] of fees)
      await once(`invite ${name} ${ago} ${asset}`, async () => {
        const fee = Decimal.parse(text);
        await sequencer.execute(commands.stock, { asset, amount: fee });
        const day = later(startOfDay(now), -ago * DAY_MS);
        await sequencer.execute(commands.pay, { day, rows: [{ invitee, inviter: trader, asset, fee }] });
      });
  }
  await notifyInviters(parts);
}
