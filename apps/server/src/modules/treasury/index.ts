/**
 * treasury: the exchange's own money, and errors with users' money. Operators decide about arrivals: incoming transfers
 * that are not deposits of users. The module also books capital, fees and network fees, posts corrections and debts of
 * users, and pauses a coin of which the exchange owns less than it owes. New deposits pay the debts of their owner.
 */
import type { Exposure } from '@exchange/core/figures.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { MoneyModule } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Identity } from '../identity/index.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Chains } from '../chains/index.ts';
import { ceilingOperations } from './ceiling-operations.ts';
import { Ceilings } from './ceilings.ts';
import { treasuryCommands, treasuryReplay, type TreasuryCommands } from './commands.ts';
import { hotOperations } from './hot-operations.ts';
import { HotWallets, stateOfView, type HotWalletParts } from './hot-wallets.ts';
import { treasuryOperations, type OperationParts } from './operations.ts';
import { NetworkPauses } from './network-pauses.ts';
import { TreasuryNotices } from './notices.ts';
import { treasuryRoutes } from './routes.ts';
import { Treasury, type TreasuryParts } from './service.ts';
import { mergedNeeds } from './hot-domain.ts';
import { returnOperations } from './return-operations.ts';
import { returnNeeds } from './return-repository.ts';
import { Returns, type ReturnParts } from './returns.ts';
import { sweepOperations } from './sweep-operations.ts';
import { Sweeps, type SweepParts } from './sweeps.ts';
import { tokenOperations } from './token-operations.ts';
import { WithdrawalFees } from './withdrawal-fees.ts';
import { treasuryMessages } from './words/messages.ts';

export { maxFeeOf, raiseNeighbours, type FeeBooks } from './fee-neighbours.ts';
export { arrivalEvidence } from './operations.ts';
export { isUnlistedToken } from './domain.ts';
export { cancelDebtFor, collectDebts, raiseDebt } from './debts.ts';
export { decideArrival, findArrival, isArrival } from './repository.ts';
export type { NetworkPauses } from './network-pauses.ts';
export type { NetworkPause, PaymentIdentity } from './domain.ts';
export { networkFeesSince } from './repository.ts';
export { stateOfView, type HotCoinView } from './hot-wallets.ts';
export type { CoinShortage, Treasury } from './service.ts';
export type { WithdrawalFees, WithdrawalFeeView } from './withdrawal-fees.ts';

/** Declaration of the module treasury for audit, reconciliation, checkpoints and replay. */
export const treasuryMoney: MoneyModule = {
  name: 'treasury',
  tables: [
    'treasury_arrival',
    'treasury_payment',
    'treasury_correction',
    'treasury_debt',
    'treasury_pause',
    'treasury_transfer',
    'treasury_return',
    'treasury_sweep',
    'treasury_sweep_pause',
  ],
  replay: treasuryReplay,
};

export interface TreasuryModule {
  readonly name: 'treasury';
  readonly messages: typeof treasuryMessages;
  /**
   * Writes queued messages about corrections and debts into the users' inboxes. A job calls this function every minute.
   */
  deliverNotices(): Promise<void>;
  readonly treasury: Treasury;
  readonly hot: HotWallets;
  readonly sweeps: Sweeps;
  readonly returns: Returns;
  readonly networkPauses: NetworkPauses;
  readonly withdrawalFees: WithdrawalFees;
  readonly commands: TreasuryCommands;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  exposures(): Promise<readonly Exposure[]>;
  start(): Promise<void>;
  health(): Promise<ComponentHealth>;
}

/** Builds the module; nothing is read or written before `start`. */
export function createTreasury(
  deps: Omit<TreasuryParts, 'ceilings' | 'commands' | 'sequencer'> &
    Omit<HotWalletParts, 'commands' | 'treasury'> &
    Omit<SweepParts, 'commands' | 'treasury'> &
    Omit<ReturnParts, 'commands' | 'networkPauses' | 'treasury'> &
    Omit<OperationParts, 'treasury' | 'returns'> & {
      readonly chains: Chains;
      readonly sequencer: Sequencer;
      readonly jobs: Pick<Jobs, 'define'>;
      readonly bulkheads: Bulkheads;
      readonly database: Pick<Database, 'store' | 'reader' | 'transaction'>;
      readonly market: Pick<Market, 'usdtIndex'>;
      readonly identity: Pick<Identity, 'addressees' | 'findUser'>;
      readonly messages: Pick<Messages, 'send' | 'announce'>;
    },
): TreasuryModule {
  const commands = treasuryCommands(deps.ledger);
  deps.sequencer.register(Object.values(commands));
  const ceilings = new Ceilings(deps);
  const treasury = new Treasury({ ...deps, ceilings, commands });
  deps.sequencer.join(treasury);
  const networkPauses = new NetworkPauses(deps);
  deps.sequencer.join(networkPauses);
  const withdrawalFees = new WithdrawalFees(deps);
  deps.sequencer.join(withdrawalFees);
  deps.jobs.define('treasury.withdrawalFees', () => withdrawalFees.refresh(), { cron: '* * * * *' });
  const notices = new TreasuryNotices(deps);
  const deliver = () => notices.deliver();
  deps.jobs.define('treasury.notices', deliver, { cron: '* * * * *' });
  // The hot wallet also pays returns to senders, so their amounts are added to those of the approved withdrawals.
  const approvedNeeds = async () =>
    mergedNeeds(await deps.approvedNeeds(), await returnNeeds(deps.database.store));
  const hot = new HotWallets({ ...deps, approvedNeeds, commands, treasury });
  const returns = new Returns({ ...deps, commands, networkPauses, treasury });
  deps.jobs.define('treasury.returns', () => returns.check(), { cron: '* * * * *' });
  deps.jobs.define('treasury.fees', () => treasury.bookFees(), { cron: '* * * * *' });
  deps.jobs.define('treasury.listed', () => treasury.adoptListed(), { cron: '* * * * *' });
  const sweeps = new Sweeps({ ...deps, commands, treasury });
  deps.jobs.define('treasury.sweeps', () => sweeps.check(), { cron: '* * * * *' });
  deps.jobs.define('treasury.hot', () => hot.check(), { cron: '* * * * *' });
  return {
    name: 'treasury',
    messages: treasuryMessages,
    deliverNotices: deliver,
    treasury,
    hot,
    sweeps,
    returns,
    networkPauses,
    withdrawalFees,
    commands,
    routes: treasuryRoutes(treasury),
    operations: [
      ...treasuryOperations({ ...deps, treasury, returns }),
      ...returnOperations({ ...deps, treasury, returns, hot, withdrawalFees }),
      ...hotOperations({ ...deps, treasury, hot }),
      ...ceilingOperations(ceilings, deps.market),
      ...sweepOperations(sweeps),
      ...tokenOperations({ watched: deps.chains.watched, market: deps.market }),
    ],
    exposures: () => hot.exposures(),
    start: async () => {
      await treasury.load();
      await networkPauses.load();
      await withdrawalFees.load();
    },
    health: async () => {
      const [arrivals, debts, open] = await Promise.all([
        treasury.arrivals(),
        treasury.debts(),
        returns.open(),
      ]);
      const coins = [...treasury.pausedCoins.keys()];
      const facts = {
        arrivals: arrivals.total,
        debts: debts.total,
        returns: open.total,
        paused: coins.join(', ') || 'none',
        unbookedFees: treasury.unbookedFees,
        hotWallets: hot.overview.length === 0 ? 'no bounds' : hotSummary(hot),
        sweeps: sweeps.overview.length === 0 ? 'off' : sweepSummary(sweeps),
      };
      const problems = [...hot.problems, ...sweeps.problems, ...returns.problems];
      if (coins.length > 0) problems.unshift(`${coins.join(', ')} paused: less is held than users own`);
      if (treasury.unbookedFees > 0)
        problems.push(
          `${treasury.unbookedFees} network fees are not booked: the fees account lacks the coin`,
        );
      return problems.length === 0
        ? { isUp: true, facts }
        : { isUp: false, reason: problems.join('; '), facts };
    },
  };
}

/** Returns one line of text that lists all coins of the hot wallets, each with its balance and state. */
function hotSummary(hot: HotWallets): string {
  return hot.overview
    .map((coin) => `${coin.balance?.toString() ?? '?'} ${coin.asset}/${coin.network} ${stateOfView(coin)}`)
    .join(', ');
}

/**
 * Returns one line of text that states how many sweeps of each network have not ended, and how many of them
 * are stuck.
 */
function sweepSummary(sweeps: Sweeps): string {
  return sweeps.overview
    .map(
      ({ network, planned, inFlight, stuck }) =>
        `${network} ${planned} planned, ${inFlight} in flight, ${stuck} stuck`,
    )
    .join('; ');
}
