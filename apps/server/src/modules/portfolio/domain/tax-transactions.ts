import type { Decimal } from '@exchange/core/decimal.ts';
import { TAX_CURRENCY, type TaxSection } from '@exchange/core/tax.ts';
import type { CoinAmount, TaxEvent } from './tax-events.ts';

/**
 * An event as tax programs import it. Amounts are never negative; a received amount is what remained after the fee, and
 * a sent amount includes the fee.
 */
export interface Transaction {
  readonly at: number;
  readonly sent: CoinAmount | undefined;
  readonly received: CoinAmount | undefined;
  readonly fee: CoinAmount | undefined;
  readonly value: Decimal | undefined;
  readonly section: TaxSection | undefined;
  readonly isTrade: boolean;
  readonly kind: string;
  readonly reference: string | null;
  readonly entry: number;
}

/**
 * One transaction for each event, except that a trade, which has an event for each of its two coins, becomes one
 * transaction, made from the event of the received coin. The two events of a trade may therefore be on different pages.
 */
export function transactionsOf(events: readonly TaxEvent[]): Transaction[] {
  return events
    .filter(({ category, amount }) => category !== 'trade' || amount.isPositive())
    .map((event) => {
      const { asset, amount, counter, fee, value } = event;
      const own = { asset, amount: amount.absolute() };
      const other = counter && { asset: counter.asset, amount: counter.amount.absolute() };
      return {
        at: event.at,
        sent: amount.isPositive() ? other : own,
        received: amount.isPositive() ? own : undefined,
        fee: fee && { asset: fee.asset, amount: fee.amount },
        value: value?.value,
        section: event.section,
        isTrade: event.category === 'trade',
        kind: event.kind,
        reference: event.reference,
        entry: event.entry,
      };
    });
}

/** Columns of the import of a tax program, and the cells of a transaction in it. */
interface ToolFormat {
  readonly headings: readonly string[];
  cells(transaction: Transaction, exchange: string): string[];
}

/** Formats a time as `2026-03-01 14:05:09`, in UTC. */
function isoSeconds(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

const textOf = (value: Decimal | undefined): string => value?.toString() ?? '';

/**
 * The received amount plus a fee in the same coin, for programs that subtract the fee themselves; undefined if nothing
 * was received.
 */
function grossReceived({ received, fee }: Transaction): Decimal | undefined {
  return received !== undefined && fee?.asset === received.asset
    ? received.amount.plus(fee.amount)
    : received?.amount;
}

/**
 * The sent amount, for programs that subtract the fee themselves. Of a withdrawal, which receives nothing in return,
 * the fee in the same coin is left out. Undefined if nothing was sent.
 */
function netSent({ sent, received, fee }: Transaction): Decimal | undefined {
  return sent !== undefined && received === undefined && fee?.asset === sent.asset
    ? sent.amount.minus(fee.amount)
    : sent?.amount;
}

const KOINLY_LABELS: Readonly<Record<TaxSection, string>> = {
  interest: 'lending interest',
  mining: 'mining',
  rebate: 'reward',
  seconds: 'realized gain',
  fund: 'realized gain',
};

const COIN_TRACKING_INCOME: Readonly<Record<TaxSection, string>> = {
  interest: 'Interest Income',
  mining: 'Mining',
  rebate: 'Reward / Bonus',
  seconds: 'Derivatives / Futures Profit',
  fund: 'Derivatives / Futures Profit',
};

const COIN_LEDGER_INCOME: Readonly<Record<TaxSection, string>> = {
  interest: 'Interest',
  mining: 'Mining',
  rebate: 'Income',
  seconds: 'Income',
  fund: 'Income',
};

function coinTrackingType({ isTrade, received, section }: Transaction): string {
  if (isTrade) return 'Trade';
  if (section === undefined) return received === undefined ? 'Withdrawal' : 'Deposit';
  return received === undefined ? 'Derivatives / Futures Loss' : COIN_TRACKING_INCOME[section];
}

function coinLedgerType({ isTrade, received, section }: Transaction): string {
  if (isTrade) return 'Trade';
  if (section === undefined) return received === undefined ? 'Withdrawal' : 'Deposit';
  return received === undefined ? 'Investment Loss' : COIN_LEDGER_INCOME[section];
}

/** Formats a time as `03/31/2026 14:05:09`, with the month first, in UTC. */
function monthFirst(at: number): string {
  const [date = '', time = ''] = isoSeconds(at).split(' ');
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year} ${time}`;
}

/**
 * The import formats of tax programs, from the templates that the programs publish. Koinly and CoinLedger subtract the
 * fee column from the amounts. CoinTracking expects amounts after fees and uses the fee column only for information.
 */
export const TOOL_FORMATS = {
  koinly: {
    headings: [
      'Date',
      'Sent Amount',
      'Sent Currency',
      'Received Amount',
      'Received Currency',
      'Fee Amount',
      'Fee Currency',
      'Net Worth Amount',
      'Net Worth Currency',
      'Label',
      'Description',
      'TxHash',
    ],
    cells: (transaction) => [
      `${isoSeconds(transaction.at)} UTC`,
      textOf(netSent(transaction)),
      transaction.sent?.asset ?? '',
      textOf(grossReceived(transaction)),
      transaction.received?.asset ?? '',
      textOf(transaction.fee?.amount),
      transaction.fee?.asset ?? '',
      textOf(transaction.value),
      transaction.value === undefined ? '' : TAX_CURRENCY,
      transaction.section === undefined ? '' : KOINLY_LABELS[transaction.section],
      `${transaction.kind} ${transaction.entry}`,
      '',
    ],
  },
  coinTracking: {
    headings: [
      'Type',
      'Buy Amount',
      'Buy Currency',
      'Sell Amount',
      'Sell Currency',
      'Fee',
      'Fee Currency',
      'Exchange',
      'Trade-Group',
      'Comment',
      'Date',
    ],
    cells: (transaction, exchange) => [
      coinTrackingType(transaction),
      textOf(transaction.received?.amount),
      transaction.received?.asset ?? '',
      textOf(transaction.sent?.amount),
      transaction.sent?.asset ?? '',
      textOf(transaction.fee?.amount),
      transaction.fee?.asset ?? '',
      exchange,
      '',
      `${transaction.kind} ${transaction.entry}`,
      isoSeconds(transaction.at),
    ],
  },
  coinLedger: {
    headings: [
      'Date (UTC)',
      'Platform (Optional)',
      'Asset Sent',
      'Amount Sent',
      'Asset Received',
      'Amount Received',
      'Fee Currency (Optional)',
      'Fee Amount (Optional)',
      'Type',
      'Description (Optional)',
      'TxHash (Optional)',
    ],
    cells: (transaction, exchange) => [
      monthFirst(transaction.at),
      exchange,
      transaction.sent?.asset ?? '',
      textOf(transaction.sent?.amount),
      transaction.received?.asset ?? '',
      textOf(grossReceived(transaction)),
      transaction.fee?.asset ?? '',
      textOf(transaction.fee?.amount),
      coinLedgerType(transaction),
      `${transaction.kind} ${transaction.entry}`,
      '',
    ],
  },
} as const satisfies Readonly<Record<string, ToolFormat>>;
