import { isAscii } from 'node:buffer';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { exportTax } from '@exchange/wire/tax.ts';
import { csvRow } from '../../platform/csv.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { FileContent } from '../../platform/http/file-answer.ts';
import type { Costs } from './costs.ts';
import { gainOf } from './domain/tax-totals.ts';
import { transactionsOf, TOOL_FORMATS } from './domain/tax-transactions.ts';
import { disposalsAfter, eventsAfter, lotsAfter, type DisposalRow, type UseRow } from './tax-repository.ts';
import { accountName, type AccountNames, type CoinTotals, type TaxYears } from './tax-years.ts';
import { TAX_HEADINGS, type TaxHeadings } from './words/tax-headings.ts';

type TaxExportRequest = FieldsOf<typeof exportTax>;

/** Rows per page: bounds the memory and the time for which an export occupies a reader connection. */
const PAGE_ROWS = 500;
const BYTE_ORDER_MARK = '\uFEFF';

interface TaxExportParts {
  readonly costs: Pick<Costs, 'catchUp'>;
  readonly reader: Reader;
  readonly taxes: Pick<TaxYears, 'accountNames' | 'period' | 'year'>;
  readonly exchangeName: string;
}

/** CSV files of tax years, streamed: the next page is read only when the client has consumed the previous one. */
export class TaxExports {
  private readonly parts: TaxExportParts;
  private readonly exporting = new Set<UserId>();

  constructor(parts: TaxExportParts) {
    this.parts = parts;
  }

  /**
   * Opens a CSV file of a year. Nothing is read before the first part is consumed. Consuming it throws a refusal while
   * the user's books are being counted, and while another export of the same user runs.
   */
  open(owner: UserId, request: TaxExportRequest, locale: Locale): FileContent {
    const { year, method, report } = request;
    const suffix = report === 'gains' || report === 'summary' ? `-${method}` : '';
    return { name: `tax-${report}-${year}${suffix}.csv`, parts: this.content(owner, request, locale) };
  }

  private async *content(
    owner: UserId,
    request: TaxExportRequest,
    locale: Locale,
  ): AsyncGenerator<string, void> {
    if (this.exporting.has(owner)) throw new Refused(refusal('generic', 'l.export_running'));
    this.exporting.add(owner);
    try {
      if (!(await this.parts.costs.catchUp(owner))) throw new Refused(refusal('generic', 'l.tax_computing'));
      const words = TAX_HEADINGS[locale];
      if (request.report === 'gains') yield* this.gains(owner, request, words);
      else if (request.report === 'summary') yield* this.summary(owner, request, words);
      else yield* this.transactions(owner, request.year, TOOL_FORMATS[request.report]);
    } finally {
      this.exporting.delete(owner);
    }
  }

  /** The rows of disposals: one per disposal, or with first in, first out one per lot of a disposal. */
  private async *gains(
    owner: UserId,
    { year, method }: TaxExportRequest,
    words: TaxHeadings,
  ): AsyncGenerator<string, void> {
    yield headOf([
      words.coin,
      words.amount,
      words.acquired,
      words.disposed,
      words.proceeds,
      words.cost,
      words.gain,
      words.cause,
      words.reference,
      words.entry,
      words.lotCause,
      words.lotReference,
      words.lotEntry,
      words.account,
      words.lotAccount,
    ]);
    const names = await this.parts.taxes.accountNames(owner);
    const period = await this.parts.taxes.period(owner, year);
    let after: DisposalRow | undefined;
    for (;;) {
      const disposals = await disposalsAfter(this.parts.reader, owner, period, { after, limit: PAGE_ROWS });
      for (const disposal of disposals)
        if (method === 'average') yield csvRow(averageRow(disposal, names));
        else yield* this.lotRows(owner, disposal, names);
      if (disposals.length < PAGE_ROWS) return;
      after = disposals.at(-1);
    }
  }

  private async *lotRows(
    owner: UserId,
    disposal: DisposalRow,
    names: AccountNames,
  ): AsyncGenerator<string, void> {
    let after = 0;
    for (;;) {
      const lots = await lotsAfter(this.parts.reader, owner, disposal, { after, limit: PAGE_ROWS });
      if (lots.length > 0) yield lots.map((lot) => csvRow(lotRow(disposal, lot, names))).join('');
      if (lots.length < PAGE_ROWS) return;
      after = lots.at(-1)!.lot;
    }
  }

  private async *summary(
    owner: UserId,
    { year, method }: TaxExportRequest,
    words: TaxHeadings,
  ): AsyncGenerator<string, void> {
    const { coins } = await this.parts.taxes.year(owner, method, year);
    const head = [
      words.coin,
      words.openQuantity,
      words.openCost,
      words.bought,
      words.boughtCost,
      words.income,
      words.incomeValue,
      words.arrived,
      words.arrivedCost,
      words.departed,
      words.departedCost,
      words.sold,
      words.proceeds,
      words.cost,
      words.gain,
      words.unknownProceeds,
      words.fees,
      words.unvalued,
      words.quantity,
      words.closingCost,
      words.uncosted,
    ];
    yield headOf(head) + coins.map((coin) => csvRow(summaryRow(coin))).join('');
  }

  private async *transactions(
    owner: UserId,
    year: number,
    format: (typeof TOOL_FORMATS)[keyof typeof TOOL_FORMATS],
  ): AsyncGenerator<string, void> {
    yield csvRow(format.headings);
    const period = await this.parts.taxes.period(owner, year);
    let after: { readonly at: number; readonly entry: number; readonly asset: string } | undefined;
    for (;;) {
      const events = await eventsAfter(this.parts.reader, owner, period, { after, limit: PAGE_ROWS });
      const rows = transactionsOf(events).map((transaction) =>
        csvRow(format.cells(transaction, this.parts.exchangeName)),
      );
      yield rows.join('');
      if (events.length < PAGE_ROWS) return;
      after = events.at(-1);
    }
  }
}

/** The heading row. Non-ASCII headings get a byte order mark, which spreadsheets need to recognize UTF-8. */
function headOf(headings: readonly string[]): string {
  const head = csvRow(headings);
  return isAscii(Buffer.from(head)) ? head : BYTE_ORDER_MARK + head;
}

const timeOf = (at: number): string => new Date(at).toISOString();
const textOf = (value: Decimal | undefined): string => value?.toString() ?? '';

function averageRow(disposal: DisposalRow, names: AccountNames): string[] {
  const { amount, proceeds, averageCosted, averageCost } = disposal;
  const leaving = { costed: averageCosted, cost: averageCost };
  const gain =
    proceeds === undefined || averageCosted.isZero() ? undefined : gainOf(amount, proceeds, leaving).gain;
  return [
    disposal.asset,
    amount.toString(),
    '',
    timeOf(disposal.at),
    textOf(proceeds),
    averageCosted.isZero() ? '' : averageCost.toString(),
    textOf(gain),
    disposal.kind,
    disposal.reference ?? '',
    String(disposal.entry),
    '',
    '',
    '',
    accountName(disposal.account, names),
    '',
  ];
}

/**
 * A CSV row for the part of a disposal that one lot covers. The proceeds are the disposal's in proportion to the
 * amount; the gain is empty if the proceeds or the cost of the lot are unknown.
 */
function lotRow(disposal: DisposalRow, lot: UseRow, names: AccountNames): string[] {
  const proceeds = disposal.proceeds
    ?.times(lot.amount, 'halfEven')
    .over(disposal.amount, 'halfEven', PROCEEDS_PLACES);
  const gain = proceeds === undefined || lot.cost === undefined ? undefined : proceeds.minus(lot.cost);
  return [
    disposal.asset,
    lot.amount.toString(),
    timeOf(lot.acquiredAt),
    timeOf(disposal.at),
    textOf(proceeds),
    textOf(lot.cost),
    textOf(gain),
    disposal.kind,
    disposal.reference ?? '',
    String(disposal.entry),
    lot.kind,
    lot.reference ?? '',
    String(lot.lot),
    accountName(disposal.account, names),
    accountName(lot.account, names),
  ];
}

const PROCEEDS_PLACES = 8;

function summaryRow({ asset, open, totals }: CoinTotals): string[] {
  return [
    asset,
    open.quantity.toString(),
    open.cost.toString(),
    totals.acquired.toString(),
    totals.acquiredCost.toString(),
    totals.income.toString(),
    totals.incomeValue.toString(),
    totals.arrived.toString(),
    totals.arrivedCost.toString(),
    totals.departed.toString(),
    totals.departedCost.toString(),
    totals.disposed.toString(),
    totals.proceeds.toString(),
    totals.disposedCost.toString(),
    totals.gain.toString(),
    totals.unknownProceeds.toString(),
    totals.fees.toString(),
    String(totals.unvalued),
    totals.quantity.toString(),
    totals.cost.toString(),
    totals.uncosted.toString(),
  ];
}
