import { Decimal } from './decimal.ts';
import { groupBy } from './group-by.ts';
import type { Instant } from './time.ts';

/**
 * The figures and measures of the house, defined once: what each is, how it is computed, and from what. Server,
 * console and files read the definitions here.
 */

/** Where the balances of a ledger posting are, as the figures group accounts. */
export interface Flow {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** The kind of the ledger's entry, e.g. `spot.traded`. */
  readonly kind: string;
  /** Whose balances the entry changed: of customers, of users with which the house trades, of both, or of neither. */
  readonly parties: 'none' | 'customers' | 'own' | 'both';
  /** `customers`, `own`, a house account such as `house:fees`, or a network outside such as `world:BEP20`. */
  readonly source: string;
  readonly destination: string;
  readonly asset: string;
  /** Sum of the postings in units of the coin; positive. */
  readonly amount: Decimal;
  /** Number of postings. */
  readonly postings: number;
}

/** The part of a flow that counts for a figure. */
export interface FigureShare {
  /** The product, or the network of a transfer. */
  readonly part: string;
  /** In units of the flow's coin; may be negative. */
  readonly amount: Decimal;
}

export interface FigureDefinition {
  readonly title: string;
  /** The computation in words. */
  readonly formula: string;
  readonly source: string;
  /** What a flow adds; undefined for a flow that does not count. */
  readonly shareOf: (flow: Flow) => FigureShare | undefined;
}

/**
 * House accounts that hold money of others: interest that users have earned, what projects have raised, and tokens that
 * belong to buyers. All other house accounts are the house's own money.
 */
const OWED_ACCOUNTS: ReadonlySet<string> = new Set(['house:accrued', 'house:raised', 'house:tokens']);

/** Kinds of entries that bring capital in, take it out, or issue play money; none of them is earned. */
const CAPITAL_KINDS: ReadonlySet<string> = new Set([
  'treasury.funded',
  'treasury.withdrawn',
  'faucet.claimed',
  'inventory.funded',
  'finance.funded',
  'mining.funded',
  'fund.funded',
  'invite.funded',
  'seconds.funded',
]);

/** Products by the first word of a kind of entry, where they differ. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['inventory', 'convert'],
  ['deposit', 'transfers'],
  ['withdrawal', 'transfers'],
  ['treasury', 'network costs'],
  ['correction', 'corrections'],
  ['invite', 'invitations'],
  ['subaccount', 'transfers'],
]);

/** Kinds of purchases: what customers put in counts as turnover of the product. */
const PURCHASES: ReadonlySet<string> = new Set([
  'convert.exchanged',
  'finance.bought',
  'mining.bought',
  'fund.held',
  'subscription.committed',
  'seconds.opened',
]);

/** The product that a kind of entry belongs to: `finance.paid` to `finance`. */
export function productOfKind(kind: string): string {
  const [word = kind] = kind.split('.');
  return PRODUCTS.get(word) ?? word;
}

/** Whether a group of accounts is the house's own money, including the users with which it trades. */
export function isHouseMoney(account: string): boolean {
  return account === 'own' || (account.startsWith('house:') && !OWED_ACCOUNTS.has(account));
}

/** The network of an account outside; undefined for other accounts. */
function networkOf(account: string): string | undefined {
  return account.startsWith('world:') ? account.slice('world:'.length) : undefined;
}

function resultOf({ kind, source, destination, amount }: Flow): FigureShare | undefined {
  if (CAPITAL_KINDS.has(kind)) return undefined;
  const isIn = isHouseMoney(destination);
  if (isIn === isHouseMoney(source)) return undefined;
  return { part: productOfKind(kind), amount: isIn ? amount : amount.negated() };
}

/**
 * In a trade between a customer and a user of the house, the posting of a fee comes from the account that pays the
 * price, while the fee reduces what the other side receives: a fee from `own` is the customer's.
 */
function feesOf({ kind, parties, source, destination, amount }: Flow): FigureShare | undefined {
  if (CAPITAL_KINDS.has(kind) || kind === 'correction.posted' || kind === 'treasury.gas') return undefined;
  const part = productOfKind(kind);
  if (source === 'house:fees') return { part, amount: amount.negated() };
  if (destination !== 'house:fees') return undefined;
  const isOwnFee =
    kind === 'spot.traded' && (parties === 'own' || (parties === 'both' && source === 'customers'));
  return isOwnFee ? undefined : { part, amount };
}

function turnoverOf({ kind, parties, source, amount }: Flow): FigureShare | undefined {
  const part = productOfKind(kind);
  if (kind === 'spot.traded') return parties === 'own' ? undefined : { part, amount };
  return source === 'customers' && PURCHASES.has(kind) ? { part, amount } : undefined;
}

function depositsOf({ kind, source, amount }: Flow): FigureShare | undefined {
  const network = networkOf(source);
  return kind === 'deposit.credited' && network !== undefined ? { part: network, amount } : undefined;
}

function withdrawalsOf({ kind, destination, amount }: Flow): FigureShare | undefined {
  const network = networkOf(destination);
  return kind === 'withdrawal.sent' && network !== undefined ? { part: network, amount } : undefined;
}

function capitalOf({ kind, source, destination, amount }: Flow): FigureShare | undefined {
  if (!CAPITAL_KINDS.has(kind)) return undefined;
  const isIn = isHouseMoney(destination);
  if (isIn === isHouseMoney(source)) return undefined;
  return { part: productOfKind(kind), amount: isIn ? amount : amount.negated() };
}

/** Figures of a UTC day. Each is a sum over the ledger's postings of the day, by coin. */
export const FIGURES = {
  result: {
    title: 'Result',
    formula:
      'What came into the house’s own money less what left it, by entries of the product. Its own money is every house account but accrued interest, raised funds and tokens of projects, and the balances of the users with which the house trades. Capital, and moves within the house, do not count. Coins that the house holds are not revalued.',
    source: 'ledger entries of all kinds but capital',
    shareOf: resultOf,
  },
  fees: {
    title: 'Fees',
    formula:
      'What customers paid into the account of fees less what was paid back from it. Fees that users of the house pay to the house do not count. Part of the result.',
    source: 'ledger entries on house:fees',
    shareOf: feesOf,
  },
  turnover: {
    title: 'Turnover',
    formula:
      'Spot: both sides of every trade that had a customer, in coins; its value is half the sum of both sides. Other products: what customers put in, by purchase, stake, commitment or exchange.',
    source:
      'ledger entries spot.traded, convert.exchanged, *.bought, fund.held, seconds.opened, subscription.committed',
    shareOf: turnoverOf,
  },
  deposits: {
    title: 'Deposits',
    formula: 'What was credited to customers from outside, by network.',
    source: 'ledger entries deposit.credited',
    shareOf: depositsOf,
  },
  withdrawals: {
    title: 'Withdrawals',
    formula: 'What left to addresses of customers, by network, without the fee.',
    source: 'ledger entries withdrawal.sent',
    shareOf: withdrawalsOf,
  },
  capital: {
    title: 'Capital',
    formula:
      'Capital that came into the house’s own money less what left it, including network fees that were booked as paid, debts that were written off, and play money.',
    source: 'ledger entries treasury.funded, treasury.withdrawn, faucet.claimed and *.funded',
    shareOf: capitalOf,
  },
} as const satisfies Readonly<Record<string, FigureDefinition>>;

export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[];

/** A figure of a day, of one product or network and one coin. */
export interface DayFigure {
  readonly day: number;
  readonly figure: FigureName;
  readonly part: string;
  readonly asset: string;
  readonly amount: Decimal;
}

/** The figures of flows, ordered by day, figure, part and coin; sums of zero are left out. */
export function figuresOf(flows: readonly Flow[]): DayFigure[] {
  const sums = new Map<string, DayFigure>();
  for (const flow of flows)
    for (const figure of FIGURE_NAMES) {
      const share = FIGURES[figure].shareOf(flow);
      if (share === undefined) continue;
      const { day, asset } = flow;
      const key = `${String(day).padStart(9, '0')} ${FIGURE_NAMES.indexOf(figure)} ${share.part} ${asset}`;
      const amount = (sums.get(key)?.amount ?? Decimal.zero).plus(share.amount);
      sums.set(key, {
        day,
        figure,
        part: share.part,
        asset,
        amount,
      });
    }
  return [...sums]
    .filter(([, { amount }]) => !amount.isZero())
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, figure]) => figure);
}

const VALUE_PLACES = 8;
const TWO = Decimal.ofWhole(2);

/**
 * The value of a figure in USDT at the day's closing price, rounded down to 8 places; undefined without a price. Both
 * sides of a spot trade are in its turnover, so each counts half.
 */
export function valueOf(
  { figure, part, amount }: DayFigure,
  price: Decimal | undefined,
): Decimal | undefined {
  if (price === undefined) return undefined;
  const value = amount.times(price, 'down', VALUE_PLACES);
  return figure === 'turnover' && part === 'spot' ? value.over(TWO, 'down', VALUE_PLACES) : value;
}

export interface MeasureDefinition {
  readonly title: string;
  readonly formula: string;
  readonly source: string;
  /** The least value without an alarm where no limit is set. */
  readonly least?: Decimal;
}

/** Figures of the present moment. Each has a value per subject, which limits bound. */
export const MEASURES = {
  dayResult: {
    title: 'Result today',
    formula: 'The figure “Result” of the present UTC day by product, in USDT at present prices.',
    source: 'the figures of the day',
  },
  dayFees: {
    title: 'Fees today',
    formula: 'The figure “Fees” of the present UTC day by product, in USDT at present prices.',
    source: 'the figures of the day',
  },
  dayTurnover: {
    title: 'Turnover today',
    formula: 'The figure “Turnover” of the present UTC day by product, in USDT at present prices.',
    source: 'the figures of the day',
  },
  dayDeposits: {
    title: 'Deposits today',
    formula: 'The figure “Deposits” of the present UTC day over all networks, in USDT at present prices.',
    source: 'the figures of the day',
  },
  dayWithdrawals: {
    title: 'Withdrawals today',
    formula: 'The figure “Withdrawals” of the present UTC day over all networks, in USDT at present prices.',
    source: 'the figures of the day',
  },
  newUsers: {
    title: 'New users today',
    formula: 'People whose account was created on the present UTC day.',
    source: 'accounts of identity, without those of the house',
  },
  dueSoon: {
    title: 'Due within 7 days',
    formula:
      'Principal and earnings that products pay to users until the end of the seventh day from today, by coin.',
    source: 'running orders of finance and mining',
  },
  hotWallet: {
    title: 'Hot wallet above need',
    formula:
      'Balance of the hot wallet less approved withdrawals that are in no block yet, by coin and network.',
    source: 'the chain’s node and the queue of withdrawals',
    least: Decimal.zero,
  },
  withdrawalNeed: {
    title: 'Needed for withdrawals',
    formula: 'Approved withdrawals that are in no block yet, by coin and network.',
    source: 'the queue of withdrawals',
  },
  secondsWorst: {
    title: 'Worst case of open seconds stakes',
    formula:
      'The sum over all ends of a pair’s open positions of the most that the house then pays beyond the stakes it keeps.',
    source: 'open positions of the seconds contract',
  },
  fundDelta: {
    title: 'Delta of funds',
    formula:
      'Value of the constituent in open positions, in the fund’s currency: units × weight × price ÷ divisor. The house pays what it rises.',
    source: 'open positions of funds and the index',
  },
  fundFinancing: {
    title: 'Financing of funds a day',
    formula:
      'What open positions pay for borrowed money and management a day, at the present unit value, by currency.',
    source: 'open positions of funds',
  },
  convertInventory: {
    title: 'Inventory of instant exchange',
    formula: 'Balance of house:inventory by coin.',
    source: 'the ledger',
  },
  interestCover: {
    title: 'Days of earnings covered',
    formula:
      'Balance of the account that pays ÷ what running orders earn a day, in whole days, by account and coin.',
    source: 'the ledger and running orders of finance and mining',
    least: Decimal.ofWhole(14),
  },
} as const satisfies Readonly<Record<string, MeasureDefinition>>;

export type MeasureName = keyof typeof MEASURES;

/** The definition of a measure by its name; undefined for another name. */
export function measureNamed(name: string): MeasureDefinition | undefined {
  return BY_NAME.get(name);
}

const BY_NAME: ReadonlyMap<string, MeasureDefinition> = new Map(Object.entries(MEASURES));

/** A risk or obligation of the house at present, one value of a measure. */
export interface Exposure {
  readonly measure: MeasureName;
  /** What it is measured of, e.g. a coin or a pair; unique within the measure. */
  readonly subject: string;
  /** Undefined where it cannot be read now. */
  readonly value: Decimal | undefined;
  /** The unit of the value, e.g. `USDT`. */
  readonly unit: string;
}

/** What a product has to pay users on a UTC day, of one coin. */
export interface DueLiability {
  /** Days since 1970. */
  readonly day: number;
  readonly asset: string;
  readonly principal: Decimal;
  readonly earnings: Decimal;
}

/** Open positions of a product that end at the same second, and what they can cost the house at worst. */
export interface OpenStake {
  readonly symbol: string;
  readonly endsAt: Instant;
  readonly asset: string;
  readonly positions: number;
  /** Staked on a higher and on a lower price. */
  readonly upStake: Decimal;
  readonly downStake: Decimal;
  /** The most that the house pays beyond the stakes it keeps, whatever the result; at least zero. */
  readonly worst: Decimal;
}

/** Sums of running orders of one coin that end on the same UTC day (days since 1970). */
export interface RunningGroup {
  readonly asset: string;
  readonly endDay: number;
  /** Paid on the day of the end. */
  readonly principal: Decimal;
  /** Paid at the start of every day after the present one, the day of the end included. */
  readonly daily: Decimal;
  /** Earnings that are paid on the day of the end. */
  readonly atEnd: Decimal;
}

/** A row of a query of running groups. */
export type RunningRow = Record<'asset' | 'principal' | 'daily' | 'atEnd', string> & { readonly day: number };

/** The group of a row of texts. */
export function runningGroup({ asset, day, principal, daily, atEnd }: RunningRow): RunningGroup {
  return {
    asset,
    endDay: day,
    principal: Decimal.parse(principal),
    daily: Decimal.parse(daily),
    atEnd: Decimal.parse(atEnd),
  };
}

/** Payments of running orders from `today` until the end of `untilDay`, by coin and day; days without any are left out. */
export function dueByDay(
  groups: readonly RunningGroup[],
  { today, untilDay }: { readonly today: number; readonly untilDay: number },
): DueLiability[] {
  const due: DueLiability[] = [];
  for (const [asset, ofAsset] of groupBy(groups, (group) => group.asset))
    for (let day = today; day <= untilDay; day += 1) {
      let principal = Decimal.zero;
      let earnings = Decimal.zero;
      for (const group of ofAsset) {
        if (group.endDay === day) {
          principal = principal.plus(group.principal);
          earnings = earnings.plus(group.atEnd);
        }
        if (day > today && group.endDay >= day) earnings = earnings.plus(group.daily);
      }
      if (principal.isPositive() || earnings.isPositive())
        due.push({
          day,
          asset,
          principal,
          earnings,
        });
    }
  return due;
}
