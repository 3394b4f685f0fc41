import type { Decimal } from '@exchange/core/decimal.ts';
import { BUY_WAITS_MS, unitValue } from '@exchange/core/fund.ts';
import { LOCALES, textIn, type TextByLocale } from '@exchange/core/locale.ts';
import { later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { DueWork } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import { tellNotices, unaskedMail, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { FundCommands } from './commands.ts';
import { liquidationPrice, type Fund } from './domain.ts';
import {
  candlesOf,
  costsDue,
  pendingSince,
  sellsWaitingSince,
  takeNotices,
  type NamedPosition,
  type Notice,
} from './records-repository.ts';
import { everyFund } from './repository.ts';
import { CHUNK } from './watch.ts';

const LOOKED_UP = 2_000;
/** What is due for longer is late: the house cannot pay, the asset is halted, or there is no index. */
const LATE_MS = 5 * MINUTE_MS;
const KINDS = {
  bought: 'fundBought',
  cancelled: 'fundCancelled',
  warned: 'fundWarned',
  liquidated: 'fundLiquidated',
  sold: 'fundSold',
  exited: 'fundExited',
} as const;
/** What is mailed too. */
const MAILED: ReadonlySet<Notice['kind']> = new Set(['warned', 'liquidated', 'exited']);

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly market: Pick<Market, 'latestPoint' | 'tapeReader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: Pick<FundCommands, 'charge' | 'expire'>;
  readonly identity: Pick<Identity, 'addressees' | 'findUser'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  readonly mail: Mail;
  /** Stores the candles that run. */
  readonly storeCandles: () => Promise<void>;
}

/**
 * What a clock makes due and not a value: the costs of every 00:00 UTC, day by day, and margins that found no unit value
 * in time. Then what owners are told.
 */
export class FundJobs extends DueWork {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super({
      ...{ name: 'fund', log: deps.log, settle: () => settleDue(deps) },
      tell: () => tellNotices(deps, (tx, limit) => told(deps, tx, limit)),
    });
    this.deps = deps;
  }

  /** Since when what waits longest has waited, where that is late. */
  async lateSince(): Promise<Instant | undefined> {
    const { database, clock } = this.deps;
    const late = later(clock.now(), -LATE_MS);
    const found = [
      ...(await pendingSince(database.store, late, 1)),
      ...(await costsDue(database.store, late, 1)),
      ...(await sellsWaitingSince(database.store, late)),
    ].map(({ at }) => at);
    return found.toSorted((one, other) => one - other)[0];
  }
}

async function settleDue(deps: Deps): Promise<void> {
  const { database, clock, sequencer, commands } = deps;
  const late = await pendingSince(database.store, later(clock.now(), -BUY_WAITS_MS), LOOKED_UP);
  for (const positions of chunked(late)) await sequencer.execute(commands.expire, { positions });
  const funds = new Map((await everyFund(database.store)).map((fund) => [fund.id, fund]));
  for (;;) {
    const due = await costsDue(database.store, clock.now(), LOOKED_UP);
    let done = 0;
    const days = new Map<string, typeof due>();
    for (const one of due) {
      const key = `${one.fund} ${one.at}`;
      days.set(key, [...(days.get(key) ?? []), one]);
    }
    for (const positions of days.values()) {
      const { fund, at: day } = positions[0]!;
      const value = await officialValue(deps, funds.get(fund)!, day);
      if (value === undefined) continue;
      for (const chunk of chunked(positions))
        done += (await sequencer.execute(commands.charge, { fund, day, value, positions: chunk })).done;
    }
    if (done === 0) return;
  }
}

/** The unit value of a 00:00 UTC; where the tape has none for that second, the last before it. */
async function officialValue(
  { market, database, clock, storeCandles }: Deps,
  fund: Fund,
  day: Instant,
): Promise<Decimal | undefined> {
  const points = new Map<string, Decimal | null>();
  for (const { symbol } of fund.constituents) {
    const passed = market.latestPoint(symbol)?.t ?? 0;
    // Until the tape has passed the second its line may still be written.
    if (passed < day && clock.now() - day < MINUTE_MS) return undefined;
    points.set(symbol, (await market.tapeReader.points(symbol, [day])).get(day) ?? null);
  }
  const { value } = unitValue(fund, (symbol) => ({ price: points.get(symbol) ?? null, isDegraded: false }));
  if (value !== null) return value;
  await storeCandles();
  const [before] = await candlesOf(database.store, fund.id, '1min', day / SECOND_MS, 1);
  if (before !== undefined) return before.close;
  const [hour] = await candlesOf(database.store, fund.id, '60min', day / SECOND_MS, 1);
  return hour?.close;
}

function chunked(due: readonly NamedPosition[]): { id: string; owner: NamedPosition['owner'] }[][] {
  return Array.from({ length: Math.ceil(due.length / CHUNK) }, (_, at) =>
    due.slice(at * CHUNK, (at + 1) * CHUNK).map(({ id, owner }) => ({ id, owner })),
  );
}

/** Takes notices, writes the mail of those that matter most, and gives the messages of all. */
async function told(deps: Deps, tx: Tx, limit: number): Promise<AddressedMessage[]> {
  const names = new Map((await everyFund(tx)).map(({ id, name }) => [id, name]));
  const written: AddressedMessage[] = [];
  for (const notice of await takeNotices(tx, limit)) {
    const { owner, fund } = notice.position;
    const addressed = messageOf(notice, names.get(fund) ?? { 'en-US': '' });
    written.push(addressed);
    if (!MAILED.has(notice.kind)) continue;
    const account = await deps.identity.findUser(owner);
    if (account === undefined || account.email === null) continue;
    const words = unaskedMail(account.locale, addressed.message);
    await deps.mail.write(tx, { to: account.email, purpose: `fund.${notice.kind}`, ...words });
  }
  return written;
}

function messageOf({ id, kind, amount, value, position }: Notice, name: TextByLocale): AddressedMessage {
  return {
    userId: position.owner,
    about: kind === 'warned' ? id : position.id,
    message: {
      type: 'asset',
      kind: KINDS[kind],
      parameters: {
        ...Object.fromEntries(LOCALES.map((locale) => [`fund@${locale}`, textIn(name, locale)])),
        ...{ coin: position.asset, leverage: String(position.leverage) },
        ...{ amount: amount.toString(), value: value.toString(), quantity: position.quantity.toString() },
        ratio: kind === 'warned' && amount.toString() === '2' ? '1.2' : '1.5',
        ...{ margin: position.margin.toString(), price: position.buyPrice.toString() },
        limit: liquidationPrice(position)?.rounded(8, 'up').toString() ?? '—',
        ...{ time: timeText(position.endedAt ?? position.acceptedAt), order: position.id },
      },
    },
  };
}
