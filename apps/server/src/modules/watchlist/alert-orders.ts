import { ALERT_ORDER_LATE_MS } from '@exchange/core/price-alert.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import type { AlertMessage } from '@exchange/wire/feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Log } from '../../platform/log.ts';
import { Submission, type Submissions } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import type { Spot } from '../spot/index.ts';
import { reachableUser, type AlertMail } from './alert-mail.ts';
import { ALERT_TOPIC } from './domain/alert.ts';
import { presentTriggered } from './present.ts';
import type { AlertRepository, DueOrder } from './repository.ts';
import { orderMessage } from './words/order-words.ts';

/** Name of the command that places an order. An order's submission is identified by its user, this name and a key. */
const PLACE = 'spot.place';
/** Maximum number of due orders, of all users, that one query reads and that are then placed concurrently. */
const TOGETHER = 100;
/** Kinds of refusals that do not concern the order itself; placing the order is then tried again later. */
const TEMPORARY: ReadonlySet<Refusal['kind']> = new Set(['maintenance', 'outcomeUnknown']);

/** The result of placing an order: the order's id, or the refusal. */
type Outcome = { readonly orderId: string } | { readonly refusal: Refusal };

export interface AlertOrdersDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly repository: AlertRepository;
  readonly assets: Assets;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly feed: Pick<Feed, 'hasPrivateListener' | 'publishPrivate'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words' | 'usersWantingMail'>;
  readonly alertMail: Pick<AlertMail, 'notify'>;
  readonly spot: Pick<Spot, 'place' | 'restoreOrder'>;
  readonly submissions: Pick<Submissions, 'serve'>;
}

/**
 * Places the orders of alerts that have triggered. An order becomes due in the transaction that stores the trigger, and
 * is placed under a key made of the alert and the time of the trigger. After a crash, the key identifies an order that
 * was placed before, so that each is placed at most once. The result of placing is stored together with the message
 * about it.
 */
export class AlertOrders {
  private readonly deps: AlertOrdersDeps;
  /**
   * Whether there may be a due order: true after a start, after an alert with an order has triggered, and after a
   * failure.
   */
  private mayBeDue = true;
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(deps: AlertOrdersDeps) {
    this.deps = deps;
  }

  /** Called after an alert with an order has triggered: places all due orders. */
  notifyDue(): void {
    this.mayBeDue = true;
    void this.placeDue();
  }

  /**
   * Places all due orders. Does nothing if no order can be due, or after `stop`. Resolves when the run has ended;
   * orders that could not be placed for a temporary reason stay due.
   */
  placeDue(): Promise<void> {
    if (this.running !== undefined) return this.running;
    if (!this.mayBeDue || this.isStopped) return Promise.resolve();
    this.running = this.placeAll().finally(() => (this.running = undefined));
    return this.running;
  }

  /**
   * Waits for the orders that are being placed, and places no others. The next start places the remaining due orders.
   */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async placeAll(): Promise<void> {
    const { repository, log } = this.deps;
    try {
      while (this.mayBeDue && !this.isStopped) {
        this.mayBeDue = false;
        const due = await repository.dueOrders(TOGETHER);
        if (due.length === 0) return;
        const settled = await Promise.all(due.map((order) => this.tryPlace(order)));
        if (settled.some((isSettled) => !isSettled)) {
          // The next regular check of the alerts tries to place the order again.
          this.mayBeDue = true;
          return;
        }
        this.mayBeDue = true;
      }
    } catch (cause) {
      this.mayBeDue = true;
      log.error('watchlist.orders_not_read', { cause });
    }
  }

  /** Places an order and stores the result. Returns false if placing must be tried again. */
  private async tryPlace(due: DueOrder): Promise<boolean> {
    try {
      const outcome = await this.place(due);
      if (outcome === undefined) return false;
      await this.settle(due, outcome);
      return true;
    } catch (cause) {
      this.deps.log.error('watchlist.order_not_placed', { alert: due.alert.id, cause });
      return false;
    }
  }

  /**
   * Places the order of a triggered alert, or finds it by its key if it was placed before. A new order more than
   * `ALERT_ORDER_LATE_MS` after the trigger is refused. Undefined if the order can be neither placed nor refused now
   * and stays due.
   */
  private async place({ alert, triggeredAt }: DueOrder): Promise<Outcome | undefined> {
    const { clock, spot, submissions } = this.deps;
    const { id, owner, symbol, order } = alert;
    const { side, type, price, amount } = order;
    const submission = Submission.create({
      actor: owner,
      operation: PLACE,
      key: `alert:${id}:${triggeredAt}`,
      sent: { symbol, side, type, price: price?.toString(), amount: amount.toString() },
    });
    try {
      const placed = await submissions.serve(submission, {
        first: () => {
          if (clock.now() - triggeredAt > ALERT_ORDER_LATE_MS) throw new Refused(tooLate());
          return spot.place(
            owner,
            {
              symbol,
              side,
              type,
              price,
              amount,
              timeInForce: type === 'limit' ? 'GTC' : 'IOC',
              postOnly: false,
            },
            submission,
          );
        },
        restore: (stored) => spot.restoreOrder(owner, stored),
      });
      return { orderId: placed.id };
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      return TEMPORARY.has(cause.refusal.kind) ? undefined : { refusal: cause.refusal };
    }
  }

  private async settle(due: DueOrder, outcome: Outcome): Promise<void> {
    const { database, repository, messages, assets, log } = this.deps;
    const { id, owner, symbol, channels } = due.alert;
    // Devices receive the result as a push whichever channels the owner chose for the alert. The inbox shows
    // it only if the owner chose the inbox.
    const isHidden = !channels.includes('inbox');
    const pair = assets.findPair(symbol)?.pair;
    const stored = 'orderId' in outcome ? outcome : { refusal: outcome.refusal.key };
    const message = pair && orderMessage(due.alert.order, pair, outcome);
    const isFirst = await database.transaction(async (tx) => {
      if (!(await repository.settleOrder(tx, id, stored))) return false;
      if (message === undefined) return true;
      await messages.send(tx, [{ userId: owner, message, isHidden }]);
      await this.notifyByMail(tx, due, message);
      return true;
    });
    if (!isFirst || pair === undefined) return;
    this.publish(due, outcome);
    if (isHidden) return;
    try {
      await messages.announce(owner);
    } catch (cause) {
      // The message is stored. Only the notification of open pages has failed; a page shows the message at its next
      // request.
      log.warn('watchlist.bell_not_rung', { cause });
    }
  }

  private async notifyByMail(tx: Tx, { alert }: DueOrder, message: Message): Promise<void> {
    const { identity, messages, alertMail } = this.deps;
    if (!alert.channels.includes('mail')) return;
    const user = await reachableUser(identity, alert.owner);
    if (user === undefined) return;
    if (!(await messages.usersWantingMail(tx, 'alerts', [user.id])).has(user.id)) return;
    const { title, content } = messages.words(user.locale, message);
    await alertMail.notify(tx, user, [{ title, content }]);
  }

  /** Publishes the result of placing an order to the open pages of its owner. */
  private publish({ alert, triggeredAt }: DueOrder, outcome: Outcome): void {
    const { feed, assets } = this.deps;
    if (!feed.hasPrivateListener(ALERT_TOPIC, alert.owner)) return;
    const point = { price: alert.from, at: triggeredAt, sequence: alert.sequence };
    const triggered = presentTriggered(
      { before: alert, point, base: undefined },
      assets.findPair(alert.symbol)!.pair,
    );
    const shown =
      'orderId' in outcome
        ? { orderId: outcome.orderId }
        : { errKey: outcome.refusal.key, data: outcome.refusal.parameters };
    const message: AlertMessage = [{ ...triggered, outcome: shown }];
    feed.publishPrivate(ALERT_TOPIC, alert.owner, message);
  }
}

function tooLate(): Refusal {
  return refusal('closed', 'l.alert_order_late', { limit: String(ALERT_ORDER_LATE_MS / MINUTE_MS) });
}
