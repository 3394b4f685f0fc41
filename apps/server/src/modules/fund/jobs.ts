import { BUY_TIMEOUT_MS } from '@exchange/core/fund.ts';
import { LOCALES, textIn, type TextByLocale } from '@exchange/core/locale.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { DueWork, throughAll } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import { mailReaders, type Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import { deliverNotices, mandatoryMail, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { FundCommands } from './commands.ts';
import { CHUNK, chargeDue } from './charging.ts';
import { liquidationPrice } from './domain.ts';
import {
  costsDue,
  fundNotices,
  pendingSince,
  sellsWaitingSince,
  type DuePosition,
  type Notice,
} from './records-repository.ts';
import { everyFund } from './repository.ts';
import { fundMessages } from './words/messages.ts';

/**
 * Milliseconds; if due work on fund positions is overdue for longer, the component is unhealthy. Possible causes: the
 * paying account is not funded, the coin is halted, or an index is missing.
 */
const LATE_MS = 5 * MINUTE_MS;
const { kinds } = fundMessages;
const KIND_OF_NOTICE = {
  bought: kinds.fundBought,
  cancelled: kinds.fundCancelled,
  warned: kinds.fundWarned,
  liquidated: kinds.fundLiquidated,
  sold: kinds.fundSold,
  exited: kinds.fundExited,
} as const;
/** Kinds of notices to the owners of fund positions that are sent by mail in addition to the inbox. */
const MAILED: ReadonlySet<Notice['kind']> = new Set(['warned', 'liquidated', 'exited']);

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly market: Pick<Market, 'latestPoint' | 'tapeReader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: Pick<FundCommands, 'charge' | 'expire'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words'>;
  readonly mail: Mail;
  readonly bulkheads: Bulkheads;
  /**
   * Returns the time up to which days may be charged: at most the last processed second of unit values (the present
   * time before the first one), so that no unit value is applied after the costs of later days were charged.
   */
  readonly chargeUntil: () => Instant;
  /** Stores the current, unfinished candles of the funds' unit values. */
  readonly storeCandles: () => Promise<void>;
}

/**
 * Does the work that becomes due by time: it refunds the margins of purchases that no unit value has
 * executed, then charges the costs of each 00:00 UTC, then sends notices to the owners.
 */
export class FundJobs extends DueWork {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super({
      name: 'fund',
      log: deps.log,
      settle: () => settleDue(deps),
      writeNotices: async () => {
        await deliverNotices(deps, 'fund notices', fundNotices, (notices, tx) =>
          messagesOf(deps, notices, tx),
        );
      },
    });
    this.deps = deps;
  }

  /**
   * Time since which the oldest work waits that has waited for more than five minutes (a purchase or market
   * sale since its acceptance, a day's cost since 00:00 UTC); undefined when there is none.
   */
  async lateSince(): Promise<Instant | undefined> {
    const { database, clock } = this.deps;
    const overdueSince = later(clock.now(), -LATE_MS);
    const waiting = [
      ...(await pendingSince(database.store, overdueSince, undefined, 1)),
      ...(await costsDue(database.store, overdueSince, undefined, 1)),
      ...(await sellsWaitingSince(database.store, overdueSince)),
    ].map(({ at }) => at);
    return waiting.toSorted((left, right) => left - right)[0];
  }
}

async function settleDue(deps: Deps): Promise<void> {
  const { bulkheads, database, clock, sequencer, commands } = deps;
  const overdueSince = later(clock.now(), -BUY_TIMEOUT_MS);
  await throughAll<DuePosition>(
    (behind) => pendingSince(database.store, overdueSince, behind, CHUNK),
    (due) =>
      bulkheads.bulkheadOf('fund purchases').together(
        due,
        ({ id }) => id,
        (batch, actor) => {
          const positions = batch.map(({ id, owner }) => ({ id, owner }));
          return sequencer.execute(commands.expire, { positions }, { actor });
        },
      ),
  );
  await chargeDue(deps, deps.chargeUntil(), deps.storeCandles);
}

/** The inbox messages of fund notices; for the kinds in `MAILED` it also stores mails to be sent. */
async function messagesOf(deps: Deps, notices: readonly Notice[], tx: Tx): Promise<AddressedMessage[]> {
  const names = new Map((await everyFund(tx)).map(({ id, name }) => [id, name]));
  const mailed = notices.filter(({ kind }) => MAILED.has(kind)).map(({ position }) => position.owner);
  const readers = mailed.length === 0 ? undefined : await mailReaders(tx, mailed);
  const messages: AddressedMessage[] = [];
  for (const notice of notices) {
    const { owner, fund } = notice.position;
    const addressed = messageOf(notice, names.get(fund) ?? { 'en-US': '' });
    messages.push(addressed);
    if (!MAILED.has(notice.kind)) continue;
    const reader = readers?.get(owner);
    if (reader === undefined) continue;
    const words = mandatoryMail(reader.locale, deps.messages.words(reader.locale, addressed.message));
    await deps.mail.write(tx, { to: reader.email, purpose: `fund.${notice.kind}`, ...words });
  }
  return messages;
}

function messageOf({ id, kind, amount, value, position }: Notice, name: TextByLocale): AddressedMessage {
  return {
    userId: position.owner,
    about: kind === 'warned' ? id : position.id,
    message: {
      type: 'asset',
      kind: KIND_OF_NOTICE[kind],
      parameters: {
        ...Object.fromEntries(LOCALES.map((locale) => [`fund@${locale}`, textIn(name, locale)])),
        coin: position.asset,
        leverage: String(position.leverage),
        amount: amount.toString(),
        value: value.toString(),
        quantity: position.quantity.toString(),
        ratio: kind === 'warned' && amount.toString() === '2' ? '1.2' : '1.5',
        margin: position.margin.toString(),
        price: position.buyPrice.toString(),
        limit: liquidationPrice(position)?.rounded(8, 'up').toString() ?? '—',
        time: timeText(position.endedAt ?? position.acceptedAt),
        order: position.id,
      },
    },
  };
}
