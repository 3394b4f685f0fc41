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

/** Name of the command that places an order; the key of a submission belongs to it. */
const PLACE = 'spot.place';
/** The most due orders that are read at a time. */
const TOGETHER = 100;
/** Refusals after which the order is placed again, because they say nothing about the order. */
const TEMPORARY: ReadonlySet<Refusal['kind']> = new Set(['maintenance', 'outcomeUnknown']);

/** The result of placing an order: its id, or the refusal. */
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
 * is placed under a key made of the alert and the time of the trigger. After a crash the same key finds the order that
 * was placed before, so that it is placed at most once. What became of it is stored together with its message.
 */
export class AlertOrders {
  private readonly deps: AlertOrdersDeps;
  /** Whether an order may be due: after a start, after a trigger, and after a failure. */
  private mayBeDue = true;
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(deps: AlertOrdersDeps) {
    this.deps = deps;
  }

  /** Places orders that have become due. */
  notifyDue(): void {
    this.mayBeDue = true;
    void this.placeDue();
  }

  /** Places all due orders, if there may be any. Resolves when none is being placed. */
  placeDue(): Promise<void> {
    if (this.running !== undefined) return this.running;
    if (!this.mayBeDue || this.isStopped) return Promise.resolve();
    this.running = this.placeAll().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Finishes the orders that are being placed. Others are found again at the next start. */
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
          // The next tick tries again.
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

  /** Places an order and stores what became of it. Returns false if it has to be tried again. */
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

  /** Places an order once; undefined if that is not possible at present. */
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
    const { id, owner, symbol } = due.alert;
    const pair = assets.findPair(symbol)?.pair;
    const stored = 'orderId' in outcome ? outcome : { refusal: outcome.refusal.key };
    const message = pair && orderMessage(due.alert.order, pair, outcome);
    const isFirst = await database.transaction(async (tx) => {
      if (!(await repository.settleOrder(tx, id, stored))) return false;
      if (message === undefined) return true;
      await messages.send(tx, [{ userId: owner, message }]);
      await this.notifyByMail(tx, due, message);
      return true;
    });
    if (!isFirst || pair === undefined) return;
    this.publish(due, outcome);
    try {
      await messages.announce(owner);
    } catch (cause) {
      // The message is stored; the client shows it at its next request.
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

  /** Publishes what became of an order to the open pages of its owner. */
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
