import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import * as described from '@exchange/wire/console/house.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { noticeOf, previewOfNotice, type TradingPauses } from '../trading-pauses/index.ts';
import { HOUSE_ACCOUNTS, type HouseAccount } from './domain.ts';
import { entriesOnAccount, firstHouseAccounts, displayCoinTotals } from './house-repository.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Halting } from './halts.ts';

/**
 * Console operations that list halts, halt assets and lift halts. Halting and lifting need a reason for the log; a halt
 * also has a public reason, which users can read.
 */
export function haltOperations(halting: Halting, pauses: TradingPauses): Operation[] {
  return [
    serveList(described.haltedAssets, async () => {
      const { halted, ...extra } = await halting.list();
      const list = halted.map((halt) => {
        const notice = pauses.find('coin', halt.asset);
        return {
          asset: halt.asset,
          by: halt.by,
          reason: halt.reason,
          since: halt.since,
          publicCause: notice?.cause,
          newsAt: notice?.newsAt,
          note: notice?.note,
        };
      });
      return { list, extra };
    }),
    serveList(described.haltChanges, async () => {
      const { changes, changesTotal } = await halting.list();
      return {
        list: changes,
        total: changesTotal,
        hasMore: changesTotal > changes.length,
      };
    }),
    serveAction(described.haltAsset, {
      check: (call) => pauses.requirePublishable(noticeOf(call)),
      preview: (call) => Promise.resolve(previewOfNotice(noticeOf(call), { coin: assetOf(call) })),
      run: async (call) => {
        const asset = assetOf(call);
        const notice = noticeOf(call);
        pauses.requirePublishable(notice);
        return pauses.decide('coin', asset, async () => {
          await halting.haltByOperator(asset, whyOf(call));
          await pauses.publish('coin', asset, notice, whyOf(call));
          return { asset, isHalted: true };
        });
      },
    }),
    serveAction(described.liftHalt, {
      secondPerson: {
        evidence: async (call) => {
          const asset = assetOf(call);
          const { halted } = await halting.list();
          const halt = halted.find((haltedAsset) => haltedAsset.asset === asset);
          if (halt === undefined) throw new Refused(refusal('generic', 'l.not_found'));
          return {
            facts: {
              asset,
              haltedBy: halt.by,
              haltReason: halt.reason,
              haltedAt: halt.since,
            },
          };
        },
      },
      run: async (call) => {
        const asset = assetOf(call);
        return pauses.decide('coin', asset, async () => {
          await pauses.end('coin', asset, whyOf(call));
          await halting.lift(asset, whyOf(call));
          return { asset, isHalted: false };
        });
      },
    }),
  ];
}

function assetOf({ parameters }: OperatorCall): string {
  return (parameters['asset'] ?? '').toUpperCase();
}

const DEPTH = 20_000;
const SHOWN = 20;
const ACCOUNTS_SHOWN = 1_000;
const FRESH_MS = 30 * SECOND_MS;

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'replica'>;
  readonly reconciliation: Pick<Reconciliation, 'last' | 'lastCleanAt' | 'failure'>;
  /** Returns the ids of the users with which the exchange itself trades, such as market makers. */
  readonly systemUsers: () => Promise<readonly UserId[]>;
}

/**
 * For each coin: the balances of users, of the exchange (house accounts and the users with which it trades), and of the
 * outside world.
 */
async function totalsOf(replica: Parts['database']['replica'], systemUsers: Parts['systemUsers']) {
  const rows = await displayCoinTotals(replica.lagging, await systemUsers());
  return rows.map(({ asset, users, trading, house, outside }) => ({
    asset,
    users,
    house: Decimal.parse(house).plus(Decimal.parse(trading)),
    outside,
  }));
}

/**
 * Console operations that show the exchange's own money: the house accounts with their movements, the totals by coin,
 * and the result of the last reconciliation.
 */
export function houseOperations({ clock, database, reconciliation, systemUsers }: Parts): Operation[] {
  const totals = () => totalsOf(database.replica, systemUsers);
  let cached: { readonly at: number; readonly coins: ReturnType<typeof totals> } | undefined;
  /**
   * By coin: the total balances of users, of the exchange and of the outside world, at most `FRESH_MS` old.
   * They are cached because they are requested often and expensive to compute.
   */
  const coins = () => {
    const now = clock.now();
    if (cached === undefined || now - cached.at >= FRESH_MS) {
      cached = { at: now, coins: totals() };
      cached.coins.catch(() => (cached = undefined));
    }
    return cached.coins;
  };
  return [
    serveList(described.houseAccounts, async () => {
      const accounts = await firstHouseAccounts(database.reader, ACCOUNTS_SHOWN);
      return mapBounded(accounts, ({ address, asset, balance }) => {
        const account = address.replace('house:', '');
        const purpose = HOUSE_ACCOUNTS[account as HouseAccount] ?? '';
        return {
          account,
          asset,
          balance: Decimal.parse(balance),
          purpose,
        };
      });
    }),
    serveList(described.houseCoins, async () => ({ list: await coins() })),
    serveList(described.houseChecks, () => {
      const { last, lastCleanAt, failure } = reconciliation;
      const [problem] = last?.problems ?? [];
      const check = {
        checkedAt: last?.at,
        cleanAt: lastCleanAt,
        entries: last?.entries,
        problems: last?.problems.length,
        first: problem?.detail,
        failure,
      };
      return Promise.resolve({ list: [check] });
    }),
    serveList(described.houseEntries, async ({ parameters: { account = '', asset = '' } }) => ({
      list: await entriesOnAccount(database.replica.lagging, `house:${account}`, asset.toUpperCase(), {
        depth: DEPTH,
        limit: SHOWN,
      }),
    })),
  ];
}
