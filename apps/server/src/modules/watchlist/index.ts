import type { Random } from '../../platform/secrets/random.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { DealsSince, Market } from '../market/index.ts';
import type { Submissions } from '../../platform/sequencer/submission.ts';
import type { Messages } from '../messages/index.ts';
import type { Spot } from '../spot/index.ts';
import { AlertMonitor } from './alert-monitor.ts';
import { AlertMailRepository } from './alert-mail-repository.ts';
import { AlertMail } from './alert-mail.ts';
import { AlertRepository } from './repository.ts';
import { AlertNotifier } from './alert-notifier.ts';
import { AlertOrders } from './alert-orders.ts';
import { Alerts, type AlertsDeps } from './alerts.ts';
import { Favorites } from './favorites.ts';
import { watchlistRoutes } from './routes.ts';
import { alertMessages } from './words/messages.ts';

export { FAVORITE_LIMIT } from './favorites.ts';

/**
 * Favorite pairs and price alerts of users. Alerts are compared in memory with every committed trade or with
 * the index price of every second, and alerts on crossings of moving averages and other indicators with every
 * closed candle. A triggered alert notifies its owner by inbox, email or both, as the owner chose, and by
 * push to the devices that want it, once per crossing even after a crash, and may place an order, at most
 * once. Open pages receive a triggered alert over the private topic `alert` after its change is stored.
 */
export interface Watchlist {
  readonly routes: readonly Route[];
  /**
   * Loads the price alerts and begins to check them. Must be called after `Market.catchUp` has processed the stored
   * trades; trades since the stored progress are checked too, whenever they happened.
   */
  start(dealsSince: DealsSince): Promise<void>;
  stop(): Promise<void>;
}

export interface WatchlistDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly database: Database;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly assets: Assets;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice' | 'pastCandles' | 'reference'>;
  readonly spot: Pick<Spot, 'place' | 'restoreOrder'>;
  readonly submissions: Pick<Submissions, 'serve'>;
  readonly accountStatuses: AlertsDeps['accountStatuses'];
  readonly feed: Pick<Feed, 'servePrivate' | 'hasPrivateListener' | 'publishPrivate'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'declare' | 'words' | 'usersWantingMail'>;
}

/** Creates the module. Alerts are watched only after its start. */
export function createWatchlist(deps: WatchlistDeps): Watchlist {
  const repository = new AlertRepository(deps.database.store);
  const alertMail = new AlertMail({ ...deps, repository: new AlertMailRepository(deps.database.store) });
  deps.messages.declare([alertMessages]);
  const orders = new AlertOrders({ ...deps, repository, alertMail });
  const notifier = new AlertNotifier({ ...deps, repository, alertMail, orders });
  const monitor = new AlertMonitor({ ...deps, repository, notifier, orders });
  const alerts = new Alerts({ ...deps, repository, monitor });
  deps.jobs.define('watchlist.mailAlerts', () => alertMail.sendDue(), { cron: '* * * * *' });
  deps.jobs.define(
    'watchlist.cleanUp',
    async () => {
      await alerts.cleanUp();
      await alertMail.cleanUp();
    },
    { cron: '53 * * * *' },
  );
  return {
    routes: watchlistRoutes({ favorites: new Favorites(deps), alerts }),
    start: (dealsSince) => monitor.start(dealsSince),
    stop: async () => {
      await monitor.stop();
      await orders.stop();
    },
  };
}
