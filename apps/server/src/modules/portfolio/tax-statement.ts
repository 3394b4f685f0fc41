import { createHash } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { fillWords, type Locale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, minuteText } from '@exchange/core/time.ts';
import { yearOf, type TaxMethod } from '@exchange/core/tax.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileContent } from '../../platform/http/file-answer.ts';
import { PAGE_HEIGHT, PAGE_WIDTH, PdfDocument, widthOf } from '../../platform/pdf.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import { STATEMENT_WORDS, type StatementWords } from './words/tax-statement.ts';
import { totalsOfYear, type CoinTotals, type TaxYear, type TaxYears } from './tax-years.ts';

const MARGIN = 36;
const RIGHT = PAGE_WIDTH - MARGIN;
const LINE = 14;
const TEXT = { size: 9 } as const;
const SMALL = { size: 7.5 } as const;
/** Right ends of table columns, in points. The first is unused, because the first column is aligned to the left. */
const COIN_COLUMNS = [0, 142, 216, 290, 364, 438, 512, 586, 660, 734, RIGHT] as const;
const SECTION_COLUMNS = [0, 430, 560, 690, RIGHT] as const;
/**
 * Position in points from which on the cells of a table's second column have room; the coin codes in the
 * first column end before it.
 */
const FIRST_COLUMN_END = 68;
/** Smallest distance in points between two cells of a row. */
const CELL_GAP = 4;
/**
 * Decimal places to which the PDF statement rounds amounts, and values in USDT. The CSV files contain all decimals.
 */
const AMOUNT_PLACES = 8;
const VALUE_PLACES = 2;

interface TaxStatementParts {
  readonly clock: Clock;
  readonly signingKey: Pick<SigningKey, 'sign'>;
  readonly taxes: Pick<TaxYears, 'year'>;
  /** The public account number of a user (UID). */
  uidOf(owner: UserId): Promise<string>;
}

/**
 * Statements of tax years as signed PDF documents. A comment after the end of the document contains the SHA-256 of the
 * bytes before it and the signature of `tax statement|UID|YEAR|METHOD|SHA-256`.
 */
export class TaxStatements {
  private readonly parts: TaxStatementParts;

  constructor(parts: TaxStatementParts) {
    this.parts = parts;
  }

  /**
   * Opens the statement of a year. Reading it throws a refusal while the user's books are being counted, and for a year
   * that has not begun.
   */
  open(
    owner: UserId,
    request: { readonly year: number; readonly method: TaxMethod },
    locale: Locale,
  ): FileContent {
    return {
      name: `tax-statement-${request.year}-${request.method}.pdf`,
      type: 'application/pdf',
      parts: this.content(owner, request, locale),
    };
  }

  private async *content(
    owner: UserId,
    { year, method }: { readonly year: number; readonly method: TaxMethod },
    locale: Locale,
  ): AsyncGenerator<Buffer, void> {
    const { clock, signingKey, taxes } = this.parts;
    const [taxYear, uid] = await Promise.all([taxes.year(owner, method, year), this.parts.uidOf(owner)]);
    if (!taxYear.isReady) throw new Refused(refusal('generic', 'l.tax_computing'));
    const document = documentOf(taxYear, {
      uid,
      method,
      now: clock.now(),
      locale,
    });
    const sha256 = createHash('sha256').update(document).digest('hex');
    const signed = `tax statement|${uid}|${year}|${method}|${sha256}`;
    const { key, signature } = signingKey.sign(signed);
    yield Buffer.concat([document, Buffer.from(`%${signed} key=${key} ed25519=${signature}\n`)]);
  }
}

interface StatementHead {
  readonly uid: string;
  readonly method: TaxMethod;
  /** Time at which the statement is written, in milliseconds UTC. */
  readonly now: number;
  readonly locale: Locale;
}

/** The PDF file of the statement of a tax year; tables that do not fit on a page continue on the next one. */
export function documentOf(taxYear: TaxYear, { uid, method, now, locale }: StatementHead): Buffer {
  const words = STATEMENT_WORDS[locale];
  const year = String(taxYear.year);
  const title = fillWords(words.title, { year }, locale);
  const page = new Page(new PdfDocument(locale, title));
  const time = minuteText(instant(Math.floor(now)));
  page.text(title, { size: 16, isBold: true }, 24);
  page.text(fillWords(words.account, { uid }, locale), TEXT);
  page.text(fillWords(words.period, { year, zone: taxYear.zone }, locale), TEXT);
  if (taxYear.subAccounts > 0)
    page.text(fillWords(words.accounts, { count: taxYear.subAccounts }, locale), TEXT);
  if (yearOf(now, taxYear.zone) === taxYear.year)
    page.text(fillWords(words.unfinished, { time }, locale), TEXT);
  page.text(words[method], TEXT);
  page.text(fillWords(words.created, { time }, locale), TEXT);
  totalRows(page, taxYear, words, locale);
  if (taxYear.coins.length > 0) {
    page.heading(words.coins);
    page.table(
      COIN_COLUMNS,
      [
        words.coin,
        words.opening,
        words.acquired,
        words.received,
        words.transferredIn,
        words.transferredOut,
        words.disposed,
        words.proceeds,
        words.cost,
        words.gain,
        words.closing,
      ],
      taxYear.coins.map(coinCells),
    );
  }
  if (taxYear.sections.length > 0) {
    page.heading(words.sections);
    page.table(
      SECTION_COLUMNS,
      [words.section, words.gained, words.value, words.lost, words.lostValue],
      taxYear.sections.map(({ section, asset, totals }) => [
        `${words[section]} ${asset}`,
        amountText(totals.gained),
        valueText(totals.gainedValue),
        amountText(totals.lost),
        valueText(totals.lostValue),
      ]),
    );
  }
  page.space();
  page.text(words.advice, TEXT);
  page.text(fillWords(words.signed, { path: '/proof/keys' }, locale), TEXT);
  return page.document.bytes();
}

function totalRows(page: Page, taxYear: TaxYear, words: StatementWords, locale: Locale): void {
  const totals = totalsOfYear(taxYear);
  page.heading(words.totals);
  const rows = [
    [words.gain, totals.gain],
    [words.proceeds, totals.proceeds],
    [words.cost, totals.disposedCost],
    [words.unknownProceeds, totals.unknownProceeds],
    [words.income, totals.income],
    [words.productGains, totals.productGains],
    [words.productLosses, totals.productLosses],
    [words.fees, totals.fees],
  ] as const;
  for (const [name, value] of rows) page.pair(name, `${valueText(value)} USDT`);
  if (totals.unvalued > 0) page.text(fillWords(words.unvalued, { count: totals.unvalued }, locale), TEXT);
}

function coinCells({ asset, open, totals }: CoinTotals): string[] {
  return [
    asset,
    amountText(open.quantity),
    amountText(totals.acquired),
    amountText(totals.income),
    amountText(totals.arrived),
    amountText(totals.departed),
    amountText(totals.disposed),
    valueText(totals.proceeds),
    valueText(totals.disposedCost),
    valueText(totals.gain),
    amountText(totals.quantity),
  ];
}

function amountText(amount: Decimal): string {
  return amount.rounded(AMOUNT_PLACES, 'halfEven').toString();
}

function valueText(value: Decimal): string {
  return value.rounded(VALUE_PLACES, 'halfEven').toPlaces(VALUE_PLACES);
}

/**
 * Writer of the PDF statement: writes lines from top to bottom, and starts a new page when the current one is
 * full.
 */
class Page {
  readonly document: PdfDocument;
  private y = PAGE_HEIGHT;

  constructor(document: PdfDocument) {
    this.document = document;
  }

  text(text: string, style: { readonly size: number; readonly isBold?: boolean }, height = LINE): void {
    this.next(height);
    this.document.text(MARGIN, this.y, text, style);
  }

  heading(text: string): void {
    this.space();
    this.text(text, { size: 11, isBold: true }, 18);
  }

  space(): void {
    this.y += LINE / 2;
  }

  /** Writes a name and, to its right, a value. */
  pair(name: string, value: string): void {
    this.next(LINE);
    this.document.text(MARGIN, this.y, name, TEXT);
    this.document.textToRight(PAGE_WIDTH / 2, this.y, value, TEXT);
  }

  /**
   * Writes a table; its first column is aligned to the left, the others to their right ends. A cell that is wider than
   * its column has a smaller size, so that it fits.
   */
  table(ends: readonly number[], headings: readonly string[], rows: readonly (readonly string[])[]): void {
    this.row(ends, headings, { size: SMALL.size, isBold: true });
    this.document.line(MARGIN, RIGHT, this.y + 4);
    for (const cells of rows) this.row(ends, cells, SMALL);
  }

  private row(
    ends: readonly number[],
    cells: readonly string[],
    style: { readonly size: number; readonly isBold?: boolean },
  ): void {
    this.next(LINE);
    for (const [index, cell] of cells.entries()) {
      if (index === 0) {
        this.document.text(MARGIN, this.y, cell, style);
        continue;
      }
      // The second column begins at `FIRST_COLUMN_END`, because `ends` does not contain the end of the first
      // one.
      const room = ends[index]! - (index === 1 ? FIRST_COLUMN_END : ends[index - 1]!) - CELL_GAP;
      const size = Math.min(style.size, (style.size * room) / widthOf(cell, style.size));
      this.document.textToRight(ends[index]!, this.y, cell, { ...style, size });
    }
  }

  private next(height: number): void {
    this.y += height;
    if (this.y <= PAGE_HEIGHT - MARGIN) return;
    this.document.addPage();
    this.y = MARGIN + height;
  }
}
