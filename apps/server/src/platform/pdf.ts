import type { Locale } from '@exchange/core/locale.ts';

/**
 * This module creates PDF 1.7 documents of text and lines. Printable ASCII is set in Helvetica or
 * Helvetica-Bold, which are standard fonts of PDF. Other text is set in a font of the document's language (in
 * English documents a Japanese font), which PDF readers may replace by a font of the system. Fonts are not
 * embedded, so that documents are small.
 */

/** Width in points of a page of the document: A4 in landscape format. */
export const PAGE_WIDTH = 842;
/** Height in points of a page of the document: A4 in landscape format. */
export const PAGE_HEIGHT = 595;

/** Widths of the characters from space to `~` in Helvetica, in thousandths of the font size. */
const HELVETICA_WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const FULL_WIDTH = 1_000;
const FIRST_LATIN = 0x20;
const LAST_LATIN = 0x7e;

interface WideFont {
  readonly name: string;
  readonly encoding: string;
  readonly ordering: string;
  readonly supplement: number;
}

const JAPANESE: WideFont = {
  name: 'HeiseiKakuGo-W5',
  encoding: 'UniJIS-UCS2-H',
  ordering: 'Japan1',
  supplement: 2,
};
const CHINESE: WideFont = {
  name: 'STSong-Light',
  encoding: 'UniGB-UCS2-H',
  ordering: 'GB1',
  supplement: 2,
};
const KOREAN: WideFont = {
  name: 'HYGoThic-Medium',
  encoding: 'UniKS-UCS2-H',
  ordering: 'Korea1',
  supplement: 1,
};
const WIDE_FONTS: ReadonlyMap<Locale, WideFont> = new Map([
  ['ja-JP', JAPANESE],
  ['zh-CN', CHINESE],
  ['ko-KR', KOREAN],
]);

export interface TextStyle {
  /** Font size of the text in points. */
  readonly size: number;
  readonly isBold?: boolean;
}

/**
 * Returns the width of a text in points, in a font of `size` points. Characters other than printable ASCII
 * are `size` wide.
 */
export function widthOf(text: string, size: number): number {
  let thousandths = 0;
  for (const character of text)
    thousandths += HELVETICA_WIDTHS[character.codePointAt(0)! - FIRST_LATIN] ?? FULL_WIDTH;
  return (thousandths * size) / FULL_WIDTH;
}

/** A document that is written page by page. Positions are in points from the top left corner of the page. */
export class PdfDocument {
  private readonly locale: Locale;
  private readonly title: string;
  private readonly font: WideFont;
  private readonly pages: string[][] = [];

  /**
   * `locale` is the language in which screen readers read the document's text. PDF readers show `title` in
   * place of the file's name.
   */
  constructor(locale: Locale, title: string) {
    this.locale = locale;
    this.title = title;
    this.font = WIDE_FONTS.get(locale) ?? JAPANESE;
  }

  addPage(): void {
    this.pages.push([]);
  }

  /**
   * Writes a line of text whose left end is at `x`. `y` is the distance of its base line from the upper edge of the
   * page. Both are in points.
   */
  text(x: number, y: number, text: string, { size, isBold = false }: TextStyle): void {
    let left = x;
    for (const [run] of text.matchAll(/[\u0020-\u007E]+|[^\u0020-\u007E]+/gu)) {
      const code = run.charCodeAt(0);
      const isLatin = code >= FIRST_LATIN && code <= LAST_LATIN;
      const font = isLatin ? (isBold ? 'F2' : 'F1') : 'F3';
      const shown = isLatin ? `(${run.replaceAll(/[\\()]/g, String.raw`\$&`)})` : `<${hexOf(run)}>`;
      this.draw(`BT /${font} ${size} Tf ${numberOf(left)} ${numberOf(PAGE_HEIGHT - y)} Td ${shown} Tj ET`);
      left += widthOf(run, size);
    }
  }

  /** Writes a line of text whose right end is at `x`; otherwise like `text`. */
  textToRight(x: number, y: number, text: string, style: TextStyle): void {
    this.text(x - widthOf(text, style.size), y, text, style);
  }

  /** Draws a thin horizontal line from `fromX` to `toX`, `y` points below the upper edge of the page. */
  line(fromX: number, toX: number, y: number): void {
    const height = numberOf(PAGE_HEIGHT - y);
    this.draw(`0.5 w ${numberOf(fromX)} ${height} m ${numberOf(toX)} ${height} l S`);
  }

  /** Returns the bytes of the complete PDF file. */
  bytes(): Buffer {
    const firstPage = FIRST_PAGE_OBJECT;
    const pageIds = this.pages.map((_, index) => firstPage + 2 * index);
    const { name, encoding, ordering, supplement } = this.font;
    const objects = [
      `<< /Type /Catalog /Pages 2 0 R /Lang (${this.locale}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
      `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pageIds.length} >>`,
      latinFont('Helvetica'),
      // The widths of the bold font are declared as those of the regular font, so that `widthOf` is correct for both.
      latinFont('Helvetica-Bold'),
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /DW 1000 /FontDescriptor 7 0 R
/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >> >>`,
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [-200 -300 1100 1000] /ItalicAngle 0
/Ascent 880 /Descent -120 /CapHeight 740 /StemV 80 >>`,
      `<< /Title <FEFF${hexOf(this.title)}> >>`,
      ...this.pages.flatMap((commands, index) => {
        const content = commands.join('\n');
        return [
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}]
/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
          `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
        ];
      }),
    ];
    return fileOf(objects);
  }

  private draw(command: string): void {
    this.pages.at(-1)!.push(command);
  }
}

/**
 * Returns the PDF object of a standard font with the widths of Helvetica, so that PDF readers place the
 * glyphs of a substitute font equally.
 */
function latinFont(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding
/FirstChar ${FIRST_LATIN} /LastChar ${LAST_LATIN} /Widths [${HELVETICA_WIDTHS.join(' ')}] >>`;
}

/**
 * Number of the PDF object that is the first page. The objects before it are the catalogue, the page tree,
 * five font objects and the document's title.
 */
const FIRST_PAGE_OBJECT = 9;
const TITLE_OBJECT = 8;

/**
 * Returns a PDF file of numbered objects with the table of their byte offsets. All text is ASCII, so text
 * lengths are bytes.
 */
function fileOf(objects: readonly string[]): Buffer {
  let file = '%PDF-1.7\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${TITLE_OBJECT} 0 R >>
startxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

/**
 * Returns the UTF-16 units of a text in hexadecimal digits, as the encodings of the language's font require.
 */
function hexOf(text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  ).join('');
}

function numberOf(points: number): string {
  return points.toFixed(2);
}
