import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains } from '../chains/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Kyc } from '../kyc/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import type { Screening } from '../screening/index.ts';
import type { NetworkPauses, Treasury } from '../treasury/index.ts';
import { AddressBook, type AddressBookParts } from './address-book.ts';
import { withdrawalCommands, withdrawalsReplay } from './commands.ts';
import { ConfirmedDigests } from './confirmed-digests.ts';
import { seedWithdrawals } from './demo.ts';
import { WithdrawalExits } from './exits.ts';
import { withdrawalChanged } from './feed.ts';
import { WithdrawalJobs } from './jobs.ts';
import { withdrawalOperations } from './operations.ts';
import { WithdrawalReview, type ReviewParts } from './review.ts';
import { withdrawalIdOf } from './domain.ts';
import { PauseNotices } from './pause-notices.ts';
import { withdrawalRoutes } from './routes.ts';
import { withdrawalRecords, withdrawalHolds } from './repository.ts';
import { TravelRule, type TravelRuleSettings } from './travel-rule.ts';
import { RefusedPayments } from './refused-payments.ts';
import { SendingPause, SendingStops } from './sending-stops.ts';
import { Withdrawals, type WithdrawalParts } from './service.ts';

/**
 * withdrawals: payments of users' coins to outside addresses, and the users' address books. A request freezes the
 * amount. The withdrawal is then approved automatically or by an operator, sent once under its id, and settled when the
 * network has confirmed the transaction.
 */
export type { AddressBook } from './address-book.ts';
export { promisedAt, type Withdrawal } from './domain.ts';
export type { Withdrawals } from './service.ts';
export type { NetworkLoad } from './repository.ts';
export type { TravelRuleSettings } from './travel-rule.ts';
export { approvedNeeds, inFlightWithdrawals, networksWithUnseen, storedSetting } from './repository.ts';
export {
  compareWithChain,
  storeComparison,
  type Comparison,
  type SignedPayment,
  type SignedPaymentState,
} from './restore-repository.ts';
export { REMARKS as ADDRESS_REMARKS } from './words/demo-texts.ts';

/** Declaration of the module withdrawals for audit, reconciliation, checkpoints and replay. */
export const withdrawalsMoney: MoneyModule = {
  name: 'withdrawals',
  tables: ['withdrawal_address', 'withdrawal_whitelist', 'withdrawal', 'withdrawal_time'],
  holds: withdrawalHolds,
  replay: withdrawalsReplay,
};

/** Builds the module; nothing is read or written before `start`. */
export function createWithdrawals(
  deps: Omit<
    WithdrawalParts,
    | 'addressBook'
    | 'assets'
    | 'chains'
    | 'commands'
    | 'database'
    | 'digests'
    | 'ledger'
    | 'sequencer'
    | 'identity'
    | 'pause'
    | 'refusedPayments'
    | 'stops'
    | 'travelRule'
  > & {
    readonly assets: Pick<Assets, 'coins' | 'requireCoin'>;
    readonly chains: Chains;
    readonly depositAddresses: AddressBookParts['depositAddresses'];
    readonly lastCreditedSince: ReviewParts['lastCreditedSince'];
    readonly ledger: Ledger;
    readonly secret: Pick<ServerSecret, 'key' | 'encrypt' | 'decrypt'>;
    readonly bulkheads: Bulkheads;
    readonly database: Database;
    readonly demoTexts: DemoTexts;
    /**
     * Whether a signer sends on any network. A restored database is then compared with the signers and chains before
     * sending is resumed.
     */
    readonly hasSigner: boolean;
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly log: Log;
    readonly sequencer: Sequencer;
    readonly identity: Identity;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
    readonly treasury: Pick<Treasury, 'pausedCoins'>;
    readonly networkPauses: NetworkPauses;
    readonly screening: Screening;
    readonly kyc: Pick<Kyc, 'verifiedPerson'>;
    readonly travelRule: TravelRuleSettings;
  },
) {
  const { sequencer, clock, log } = deps;
  const commands = withdrawalCommands(deps.ledger);
  sequencer.register(Object.values(commands));
  const digests = new ConfirmedDigests(deps.secret);
  const travelRule = new TravelRule(deps);
  const addressBook = new AddressBook({ ...deps, commands });
  const pause = new SendingPause(deps);
  const stops = new SendingStops({ ...deps, pause });
  const pauseNotices = new PauseNotices({ ...deps, stops });
  deps.jobs.define('withdrawals.pauses', () => pauseNotices.check(), { cron: '* * * * *' });
  const refusedPayments = new RefusedPayments();
  const withdrawals = new Withdrawals({
    ...deps,
    addressBook,
    commands,
    digests,
    pause,
    refusedPayments,
    stops,
    travelRule,
  });
  const review = new WithdrawalReview({ ...deps, commands, digests, pause, travelRule, withdrawals });
  const exits = new WithdrawalExits({ ...deps, commands, withdrawals });
  deps.jobs.define('withdrawals.removeOrphanedRecords', () => travelRule.removeOrphans(), {
    cron: '23 4 * * *',
  });
  const jobs = new WithdrawalJobs({
    ...deps,
    commands,
    digests,
    exits,
    refusedPayments,
    stops,
    travelRule,
  });
  jobs.define(deps.jobs);
  const moveNow = () =>
    void jobs.advance().catch((cause: unknown) => log.warn('withdrawals.not_moved', { cause }));
  return {
    name: 'withdrawals',
    privateEvents: [withdrawalChanged],
    pause,
    travelRule,
    withdrawals,
    addressBook,
    review,
    exits,
    jobs,
    pauseNotices,
    operations: withdrawalOperations({
      ...deps,
      withdrawals,
      review,
      exits,
      pause,
      settleRestored: async (id, settlement, by) => {
        if (settlement === undefined) await sequencer.execute(commands.followPaid, { id, by });
        await pause.settle(id, { by, settlement: settlement ?? 'its withdrawal is followed to its end' });
      },
    }),
    routes: withdrawalRoutes(withdrawals, addressBook, {
      now: () => clock.now(),
      move: moveNow,
      demoTexts: deps.demoTexts,
    }),
    start: () => pause.load(),
    stop: () => jobs.stop(),
    seed: (demo) => seedWithdrawals({ withdrawals, addressBook, review }, demo),
    records: withdrawalRecords(deps.database.reader, async (transactions) =>
      (await deps.chains.originsOf(transactions)).flatMap((origin) => withdrawalIdOf(origin) ?? []),
    ),
    health: async () => {
      const [overdue, stuck] = await Promise.all([withdrawals.overdue(), withdrawals.stuckByNetwork()]);
      const stuckNetworks = countsText(stuck);
      const facts = { overdue, stuck: stuckNetworks ?? 'none' };
      const backup = pause.pausedBy;
      if (backup !== undefined)
        return { isUp: false, reason: `restored from a backup of ${backup}: nothing is sent`, facts };
      const problems = [
        overdue === 0 ? undefined : `withdrawals waiting for longer than 24 hours: ${overdue}`,
        stuckNetworks && `signed withdrawals in no block after two hours: ${stuckNetworks}`,
      ].filter((problem) => problem !== undefined);
      if (problems.length === 0) return { isUp: true, facts };
      return { isUp: false, reason: problems.join('; '), facts };
    },
  } satisfies ProductManifest;
}

/**
 * Returns the numbers above 0 by network as one line of text, such as `LTC 2, ERC20 1`; undefined if there
 * are none.
 */
function countsText(counts: ReadonlyMap<string, number>): string | undefined {
  const texts = [...counts].flatMap(([network, count]) => (count > 0 ? [`${network} ${count}`] : []));
  return texts.length === 0 ? undefined : texts.join(', ');
}

export type WithdrawalsModule = ReturnType<typeof createWithdrawals>;
