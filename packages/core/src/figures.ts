import { Decimal } from './decimal.ts';
import { groupBy } from './group-by.ts';
import type { Instant } from './time.ts';

/**
 * Definitions of the daily figures and the measures of the house: the title of each, its formula and its sources. The
 * server, the operators' console and the exported files use these definitions.
 */

/**
 * Sum of all ledger postings of one UTC day from one group of accounts to another, for one kind of entry, one value of
 * `parties`, and one coin.
 */
export interface Flow {
  /** UTC day, as the number of days since 1970-01-01. */
  readonly day: number;
  /** The kind of the ledger entries to which the postings belong, e.g. `spot.traded`. */
  readonly kind: string;
  /**
   * The parties whose balances were changed by each ledger entry to which the postings belong: customers, the
   * house's own trading users (`own`), both, or neither.
   */
  readonly parties: 'none' | 'customers' | 'own' | 'both';
  /**
   * Debited group of accounts: `customers`, `own` (the house's trading users), a house account such as
   * `house:fees`, or an external network such as `world:BEP20`.
   */
  readonly source: string;
  readonly destination: string;
  readonly asset: string;
  /**
   * Sum of the postings, in the coin. It is never negative, because each posting moves its amount from source to
   * destination.
   */
  readonly amount: Decimal;
  /** Number of ledger postings whose sum is `amount`. */
  readonly postings: number;
}

/** The contribution of a sum of ledger postings to a daily figure of the house. */
export interface FigureShare {
  /** The product, or the network of a transfer, to which the contribution is attributed. */
  readonly part: string;
  /** Amount in the coin of the postings. It is negative if it reduces the figure. */
  readonly amount: Decimal;
}

export interface FigureDefinition {
  readonly title: string;
  /** Description in words of how the figure is computed. */
  readonly formula: string;
  readonly source: string;
  /** Returns how much a sum of ledger postings contributes to the figure; undefined if it contributes nothing. */
  readonly shareOf: (flow: Flow) => FigureShare | undefined;
}

/**
 * House accounts that hold money owed to others: accrued interest of users, funds raised for projects, and tokens that
 * belong to buyers. All other house accounts are the house's own money.
 */
const OWED_ACCOUNTS: ReadonlySet<string> = new Set(['house:accrued', 'house:raised', 'house:tokens']);

/**
 * Kinds of ledger entries that bring capital in, take it out, move it between house accounts, or issue play money.
 * Their amounts are no earnings.
 */
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

/**
 * Names of products, by the first word of their kinds of ledger entries. Only products whose name differs from this
 * word are listed.
 */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['inventory', 'convert'],
  ['deposit', 'transfers'],
  ['withdrawal', 'transfers'],
  ['treasury', 'network costs'],
  ['correction', 'corrections'],
  ['invite', 'invitations'],
  ['subaccount', 'transfers'],
]);

/** Kinds of ledger entries for purchases. The amount that customers pay in them counts as the product's turnover. */
const PURCHASES: ReadonlySet<string> = new Set([
  'convert.exchanged',
  'finance.bought',
  'mining.bought',
  'fund.held',
  'subscription.committed',
  'seconds.opened',
]);

/**
 * Returns the product to which a kind of ledger entry belongs: `finance.paid` belongs to `finance`. `PRODUCTS` contains
 * the first words that differ from the product's name.
 */
export function productOfKind(kind: string): string {
  const [word = kind] = kind.split('.');
  return PRODUCTS.get(word) ?? word;
}

/**
 * Returns whether a group of ledger accounts is the house's own money: a house account that is not in
 * `OWED_ACCOUNTS`, or the accounts of the users through which the house trades (`own`).
 */
export function isHouseMoney(account: string): boolean {
  return account === 'own' || (account.startsWith('house:') && !OWED_ACCOUNTS.has(account));
}

/** Returns the blockchain network of an external ledger account (`world:…`); undefined for other accounts. */
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
 * Returns the fees that customers paid in a sum of postings; negative if the fees were paid back, undefined if the
 * postings are not fees of customers. The ledger takes the fee of a spot trade from the account that pays the price,
 * but the fee reduces what the other side receives. In a trade between the house and a customer, a fee taken from the
 * house's users (`own`) is therefore paid by the customer.
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

/** Definitions of the daily figures of the house. Each is a sum over the ledger postings of a UTC day, by coin. */
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

/** The value of one daily figure of the house, for one product or network and one coin. */
export interface DayFigure {
  readonly day: number;
  readonly figure: FigureName;
  readonly part: string;
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * Computes the daily figures of the house from sums of ledger postings. The result is ordered by day, figure, product
 * or network, and coin. Values of zero are left out.
 */
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
 * Returns the value of a figure in USDT at the day's closing price, rounded toward zero to 8 places; undefined without
 * a price. A spot trade is in the turnover twice, once for each side, so the value of the spot turnover is halved.
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
  /**
   * Lower limit if operators have configured none for the measure: a smaller value raises an alarm. Undefined if the
   * measure has a lower limit only where operators configure it.
   */
  readonly least?: Decimal;
}

/**
 * Definitions of the current risks and obligations of the house. A measure has one value for each subject, such as a
 * coin. Operators configure limits for these values.
 */
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

export function measureNamed(name: string): MeasureDefinition | undefined {
  return BY_NAME.get(name);
}

const BY_NAME: ReadonlyMap<string, MeasureDefinition> = new Map(Object.entries(MEASURES));

/** A current risk or obligation of the house: the value of one measure for one subject. */
export interface Exposure {
  readonly measure: MeasureName;
  /** The coin, pair or other subject of the value; unique within the measure. */
  readonly subject: string;
  /** Value of the measure in `unit`; undefined if the server cannot determine it now. */
  readonly value: Decimal | undefined;
  readonly unit: string;
}

/** The amounts of one coin that earn products must pay to users on a UTC day. */
export interface DueLiability {
  /** UTC day, as the number of days since 1970-01-01. */
  readonly day: number;
  readonly asset: string;
  readonly principal: Decimal;
  readonly earnings: Decimal;
}

/**
 * Sum of the open positions of the seconds contract on one pair and in one coin that expire in the same second, with
 * the maximum loss that they can cause the house.
 */
export interface OpenStake {
  readonly symbol: string;
  readonly endsAt: Instant;
  readonly asset: string;
  readonly positions: number;
  /**
   * Sums of the stakes on a higher price (`upStake`) and on a lower price (`downStake`), in the coin `asset`.
   */
  readonly upStake: Decimal;
  readonly downStake: Decimal;
  /**
   * Maximum amount in the coin `asset` that the house can lose on these positions, which all end at `endsAt`:
   * the loss for the worst possible result, not counting fees; at least zero.
   */
  readonly worst: Decimal;
}

/**
 * Sums over earn orders of one coin whose last payment is due on the same UTC day (days since 1970-01-01). Overdue
 * payments count as due on the current day.
 */
export interface RunningGroup {
  readonly asset: string;
  readonly endDay: number;
  /** Principal of the earn orders in the group, in the coin `asset`, which is due on the end day. */
  readonly principal: Decimal;
  /**
   * Interest of one day, in the coin `asset`, of the orders in the group that pay daily. It is paid on each
   * day after today, up to and including the end day.
   */
  readonly daily: Decimal;
  /**
   * Interest, in the coin `asset`, of those orders of the group that pay their interest at maturity; it is
   * due in one sum on the day `endDay`.
   */
  readonly atEnd: Decimal;
}

/** A database row with the sums of earn orders by coin and end day. */
export type RunningRow = Record<'asset' | 'principal' | 'daily' | 'atEnd', string> & { readonly day: number };

/**
 * Converts a database row with the sums of the earn orders of one coin and end day as texts to a group with
 * these sums as decimals.
 */
export function runningGroup({ asset, day, principal, daily, atEnd }: RunningRow): RunningGroup {
  return {
    asset,
    endDay: day,
    principal: Decimal.parse(principal),
    daily: Decimal.parse(daily),
    atEnd: Decimal.parse(atEnd),
  };
}

/**
 * Computes the payments of earn orders that are due from `today` until the end of `untilDay`, by coin and day. Daily
 * interest counts from the day after `today` on. Days without a payment are left out.
 */
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
