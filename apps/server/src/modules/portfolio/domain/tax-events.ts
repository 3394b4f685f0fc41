import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { TAX_CURRENCY, type TaxSection } from '@exchange/core/tax.ts';

/**
 * The category of a change of a user's coins: an exchange of two coins, income, a gain or loss of a product, or a
 * transfer into or out of the account, such as a deposit.
 */
export type TaxCategory = 'trade' | 'income' | 'result' | 'transfer';

/**
 * The source of a change's value: the trade itself or an amount in USDT (`trade`), an index price of the
 * minute before the change, or the candle of its minute.
 */
export type ValueSource = 'trade' | 'index' | 'candle';

export interface SourcedValue {
  /** Value in USDT. */
  readonly value: Decimal;
  readonly source: ValueSource;
}

export interface CoinAmount {
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * The effect of a ledger entry on one person: net changes by coin over all accounts of the person, and the fees in these
 * changes.
 */
export interface TaxEntry {
  readonly entry: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  /** Number of ledger entries that a summed row stands for; 1 for a single entry. */
  readonly entries: number;
  /** The sub-account whose balances the entry changed; undefined for the main account. */
  readonly account: UserId | undefined;
  readonly changes: ReadonlyMap<string, Decimal>;
  readonly fees: readonly CoinAmount[];
}

/** Change of one coin of a person by a ledger entry, with its value in USDT at that time if it is known. */
export interface TaxEvent {
  readonly entry: number;
  readonly at: number;
  readonly asset: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly entries: number;
  /** The sub-account whose balance changed; undefined for the main account. */
  readonly account: UserId | undefined;
  readonly category: TaxCategory;
  readonly section: TaxSection | undefined;
  /** Changed amount with sign, after fees. */
  readonly amount: Decimal;
  /**
   * USDT value of the absolute amount. Undefined if it is not known, for summed rows of coins other than
   * USDT, and for transfers of coins other than USDT.
   */
  readonly value: SourcedValue | undefined;
  /**
   * The other coin of a trade and its changed amount, negative if it left the account; undefined for events that are no
   * trades.
   */
  readonly counter: CoinAmount | undefined;
  /**
   * Fee of a withdrawal, or of a trade in the event of the received coin: its coin and amount, which `amount`
   * already takes into account, and its value in USDT, which is undefined if it is not known. Undefined
   * without a fee.
   */
  readonly fee: (CoinAmount & { readonly value: Decimal | undefined }) | undefined;
}

const VALUE_PLACES = 8;

const INCOME: ReadonlyMap<string, TaxSection> = new Map([
  ['finance.paid', 'interest'],
  ['mining.paid', 'mining'],
  ['invite.paid', 'rebate'],
]);

const RESULT_PREFIXES: ReadonlyMap<string, TaxSection> = new Map([
  ['seconds', 'seconds'],
  ['fund', 'fund'],
]);

/** Whether entries of a kind move coins between two accounts of one person, so that the person has as many as before. */
export function isWithinPerson(kind: string): boolean {
  return kind === 'subaccount.transferred';
}

/** The changes of an entry that are not zero. */
function movedOf({ changes }: Pick<TaxEntry, 'changes'>): CoinAmount[] {
  return [...changes].flatMap(([asset, amount]) => (amount.isZero() ? [] : [{ asset, amount }]));
}

/** Whether an entry exchanges one coin for another: exactly one arrives and one leaves. */
function isTrade(moved: readonly CoinAmount[]): boolean {
  return moved.length === 2 && moved[0]!.amount.isPositive() !== moved[1]!.amount.isPositive();
}

function categoryOf(kind: string, { amount }: CoinAmount): Pick<TaxEvent, 'category' | 'section'> {
  const income = INCOME.get(kind);
  if (income !== undefined && amount.isPositive()) return { category: 'income', section: income };
  const result = RESULT_PREFIXES.get(kind.split('.')[0]!);
  if (result !== undefined) return { category: 'result', section: result };
  return { category: 'transfer', section: undefined };
}

/**
 * Coins of an entry, other than USDT, whose value must be looked up in stored prices: income, results, and the fee of
 * a withdrawal. Empty for trades, whose value is known from the trade, and for summed rows, whose single times are
 * not known.
 */
export function unpricedCoins(entry: TaxEntry): string[] {
  const moved = movedOf(entry);
  if (entry.entries > 1 || isTrade(moved)) return [];
  const coins = moved
    .filter((change) => categoryOf(entry.kind, change).category !== 'transfer')
    .map(({ asset }) => asset);
  const fees = entry.fees.map(({ asset }) => asset);
  return [...new Set([...coins, ...fees])].filter((asset) => asset !== TAX_CURRENCY);
}

/**
 * The events of an entry, coins that leave first. `tradeValue` is the USDT value of an exchange between two coins other
 * than USDT, and `priceOf` returns the stored price of one coin in USDT at the time of the entry; undefined values are
 * unknown.
 */
export function eventsOfEntry(
  entry: TaxEntry,
  tradeValue: Decimal | undefined,
  priceOf: (asset: string) => SourcedValue | undefined,
): TaxEvent[] {
  const moved = movedOf(entry).toSorted((a, b) => a.amount.compare(b.amount));
  return isTrade(moved)
    ? tradeEvents(entry, moved, tradeValue)
    : moved.map((change) => otherEvent(entry, change, priceOf));
}

function tradeEvents(
  entry: TaxEntry,
  moved: readonly CoinAmount[],
  tradeValue: Decimal | undefined,
): TaxEvent[] {
  const stable = entry.changes.get(TAX_CURRENCY);
  const worth = stable === undefined || stable.isZero() ? tradeValue : stable.absolute();
  const value = worth === undefined ? undefined : { value: worth, source: 'trade' as const };
  const [fee] = entry.fees;
  return moved.map((change, index) => ({
    ...headOf(entry),
    asset: change.asset,
    category: 'trade',
    section: undefined,
    amount: change.amount,
    value,
    counter: moved[1 - index],
    fee:
      fee !== undefined && fee.asset === change.asset && change.amount.isPositive()
        ? { asset: fee.asset, amount: fee.amount, value: tradeFeeValue(change, fee, worth) }
        : undefined,
  }));
}

/**
 * USDT value of a trade's fee that was deducted from the received coin: for a fee in USDT its amount, else
 * the share of the fee in the received amount before the fee, times the value of the trade. Undefined if that
 * value is unknown and the fee is not in USDT.
 */
function tradeFeeValue(
  received: CoinAmount,
  fee: CoinAmount,
  worth: Decimal | undefined,
): Decimal | undefined {
  if (fee.asset === TAX_CURRENCY) return fee.amount;
  return worth
    ?.times(fee.amount, 'halfEven')
    .over(received.amount.plus(fee.amount), 'halfEven', VALUE_PLACES);
}

function otherEvent(
  entry: TaxEntry,
  { asset, amount }: CoinAmount,
  priceOf: (asset: string) => SourcedValue | undefined,
): TaxEvent {
  const { category, section } = categoryOf(entry.kind, { asset, amount });
  const worthOf = (part: Decimal): SourcedValue | undefined => {
    if (asset === TAX_CURRENCY) return { value: part, source: 'trade' };
    const price = entry.entries > 1 ? undefined : priceOf(asset);
    return price && { value: part.times(price.value, 'halfEven', VALUE_PLACES), source: price.source };
  };
  // Apart from trades, only transfers (withdrawals) have a separate fee; a product's fee is part of its
  // result.
  const fee = category === 'transfer' ? entry.fees.find((paid) => paid.asset === asset) : undefined;
  return {
    ...headOf(entry),
    asset,
    category,
    section,
    amount,
    value: category === 'transfer' && asset !== TAX_CURRENCY ? undefined : worthOf(amount.absolute()),
    counter: undefined,
    fee: fee && { asset, amount: fee.amount, value: worthOf(fee.amount)?.value },
  };
}

function headOf({ entry, at, kind, reference, entries, account }: TaxEntry) {
  return {
    entry,
    at,
    kind,
    reference,
    entries,
    account,
  };
}
