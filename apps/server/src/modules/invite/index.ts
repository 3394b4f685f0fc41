import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import { inviteCommands, inviteReplay } from './commands.ts';
import { inviteOperations } from './operations.ts';
import { owedRewards } from './repository.ts';
import { seedInvite } from './demo.ts';
import { payOwedRewards, rewardDays, notifyInviters, type RewardingParts } from './rewarding.ts';
import { inviteRoutes } from './routes.ts';
import { Invite } from './service.ts';
import { inviteMessages } from './words/messages.ts';

/**
 * invite: an inviter receives a share of the spot trading fees that an invitee pays within a year of the invitee's
 * registration, and may pass a part of it on to the invitee. The fees of each day are rewarded once, at 00:30 UTC of
 * the next day, from the collected fees; a reward that cannot be paid then is owed and paid later.
 */

/** Declaration of the module invite for audit, reconciliation, checkpoints and replay. */
export const inviteMoney: MoneyModule = {
  name: 'invite',
  tables: ['invite_share', 'invite_reward', 'invite_owed', 'invite_release', 'invite_total'],
  replay: inviteReplay,
};

interface Deps extends Omit<RewardingParts, 'commands' | 'sequencer' | 'database'> {
  readonly log: Log;
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'define'>;
  readonly ledger: Ledger;
  readonly sequencer: Sequencer;
}

/** Creates the module; it reads and writes nothing before `start` or the first call. */
export function createInvite(deps: Deps) {
  const commands = inviteCommands(deps.ledger);
  deps.sequencer.register(Object.values(commands));
  const parts = { ...deps, commands };
  const reward = () => rewardDays(parts);
  deps.jobs.define('invite.reward', reward, { cron: '30 0 * * *' });
  deps.jobs.define('invite.payOwed', () => payOwedRewards(parts).then(() => notifyInviters(parts)), {
    cron: '*/10 * * * *',
  });
  return {
    name: 'invite',
    messages: inviteMessages,
    routes: inviteRoutes(new Invite(parts)),
    operations: inviteOperations(parts),
    reward,
    seed: (demo) => seedInvite(parts, demo),
    health: async () => {
      const [oldest] = await owedRewards(deps.database.store, undefined, 1);
      const owed = oldest === undefined ? 'none' : `since ${new Date(oldest.at).toISOString()}`;
      const facts = { owed };
      return oldest === undefined
        ? { isUp: true, facts }
        : { isUp: false, reason: `invitation rewards in ${oldest.asset} are owed ${owed}`, facts };
    },
    start: () => void reward().catch((cause: unknown) => deps.log.warn('invite.not_rewarded', { cause })),
  } satisfies ProductManifest;
}
