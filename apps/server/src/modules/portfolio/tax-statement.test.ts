import { LOCALES } from '@exchange/core/locale.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_SECTION, NO_TOTALS } from './domain/tax-totals.ts';
import { documentOf, TaxStatements } from './tax-statement.ts';
import type { TaxYear } from './tax-years.ts';
import { STATEMENT_WORDS } from './words/tax-statement.ts';
import { widthOf } from '../../platform/pdf.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const NOW = Date.UTC(2026, 5, 1);

const taxYear = (coins: number): TaxYear => ({
  isReady: true,
  subAccounts: 2,
  zone: 'Asia/Tokyo',
  year: 2026,
  years: [2026],
  coins: Array.from({ length: coins }, (_, index) => ({
    asset: `C${index}`,
    open: NO_TOTALS,
    totals: { ...NO_TOTALS, disposed: d('1'), proceeds: d('250.5'), disposedCost: d('50'), gain: d('200.5') },
  })),
  sections: [
    {
      year: 2026,
      section: 'seconds',
      asset: 'USDT',
      totals: { ...NO_SECTION, events: 2, lost: d('12'), lostValue: d('12') },
    },
  ],
});

/** The texts of a PDF's objects: each from its offset in the cross-reference table up to `endobj`. */
function objectsOf(text: string): string[] {
  const start = Number(/startxref\n(\d+)\n%%EOF/.exec(text)?.[1]);
  const [, count = '0'] = /^xref\n0 (\d+)\n/.exec(text.slice(start)) ?? [];
  const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places).toHaveLength(Number(count) - 1);
  return places.map((place) => text.slice(place, text.indexOf('\nendobj', place)));
}

interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The texts of a PDF's pages, each run in one font with its position, decoded like a PDF reader does. */
function textsOf(file: string): PlacedText[] {
  const shown = /BT \/F(\d) ([\d.]+) Tf ([\d.]+) ([\d.]+) Td (?:\((.*)\)|<([\dA-F]*)>) Tj ET/gi;
  return [...file.matchAll(shown)].map(([, , size, x, y, latin, wide]) => ({
    text: wide === undefined ? latin!.replaceAll(/\\(.)/g, '$1') : utf16Of(wide),
    x: Number(x),
    y: Number(y),
    size: Number(size),
  }));
}

function utf16Of(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}

/** The text lines of a PDF: the runs of text with the same base line are joined to one line. */
function linesOf(file: string): string[] {
  const lines = new Map<number, string>();
  for (const { text, y } of textsOf(file)) lines.set(y, `${lines.get(y) ?? ''}${text}`);
  return [...lines.values()];
}

describe('tax statements', () => {
  it('TAX-015 every sentence of a statement can be read and copied in each language, with its title and language', () => {
    const fonts = {
      'en-US': 'UniJIS-UCS2-H',
      'zh-CN': 'UniGB-UCS2-H',
      'ja-JP': 'UniJIS-UCS2-H',
      'ko-KR': 'UniKS-UCS2-H',
    } as const;
    for (const locale of LOCALES) {
      const file = documentOf(taxYear(1), {
        uid: '12345',
        method: 'average',
        now: NOW,
        locale,
      }).toString('latin1');
      const words = STATEMENT_WORDS[locale];
      const title = words.title.replace('{{year}}', '2026');
      const text = linesOf(file).join('\n');
      expect(text.startsWith(title)).toBe(true);
      const keys = [
        'average',
        'gain',
        'unknownProceeds',
        'coins',
        'opening',
        'closing',
        'seconds',
        'advice',
      ] as const;
      for (const key of keys) expect(text, `${locale} ${key}`).toContain(words[key]);
      expect(text).toContain(words.signed.replace('{{path}}', '/proof/keys'));
      expect(file).toContain(`/Lang (${locale})`);
      expect(utf16Of(/\/Title <FEFF([\da-f]+)>/.exec(file)![1]!)).toBe(title);
      expect(file).toContain(`/Encoding /${fonts[locale]} `);
    }
  });

  it('TAX-015 large figures are written smaller, so that no two of a row touch', () => {
    const [row] = taxYear(1).coins;
    const huge = d('987654321098765.12345678');
    const totals = Object.fromEntries(
      Object.entries(row!.totals).map(([key, value]) => [key, typeof value === 'number' ? value : huge]),
    );
    const coins = [{ asset: 'C0', open: { ...NO_TOTALS, quantity: huge }, totals: totals as never }];
    const file = documentOf(
      { ...taxYear(0), coins },
      {
        uid: '12345',
        method: 'fifo',
        now: NOW,
        locale: 'zh-CN',
      },
    ).toString('latin1');
    const texts = textsOf(file);
    const { y } = texts.find(({ text }) => text === 'C0')!;
    const cells = texts.filter((cell) => cell.y === y);
    expect(cells).toHaveLength(11);
    for (const [index, { text, x, size }] of cells.slice(0, -1).entries())
      expect(x + widthOf(text, size)).toBeLessThan(cells[index + 1]!.x - 3);
    for (const { size } of cells) expect(size).toBeGreaterThan(4);
  });

  it('TAX-013 a statement is a sound PDF in every language, and tables continue on further pages', () => {
    for (const locale of LOCALES) {
      const head = { uid: '12345', method: 'fifo', now: NOW, locale } as const;
      const text = documentOf(taxYear(60), head).toString('latin1');
      const objects = objectsOf(text);
      for (const [index, object] of objects.entries())
        expect(object.startsWith(`${index + 1} 0 obj\n`)).toBe(true);
      const pages = objects.filter((object) => object.includes('/Type /Page '));
      expect(pages.length).toBeGreaterThan(1);
      for (const object of objects) {
        const [, length, content] = /\/Length (\d+) >>\nstream\n([^]*)\nendstream/.exec(object) ?? [
          '',
          '0',
          '',
        ];
        expect(content).toHaveLength(Number(length));
      }
      // The total of 60 coins with a gain of 200.50 each.
      expect(text).toContain('(12030.00 USDT)');
      expect(text).toContain('(C59)');
    }
  });

  it('TAX-012 TAX-016 a statement says that it is no advice, its time zone, and that its values are in USDT', () => {
    const head = { uid: '12345', method: 'average', now: NOW, locale: 'en-US' } as const;
    const text = documentOf(taxYear(1), head).toString('latin1');
    expect(text).toContain('(1 January to 31 December 2026, time zone Asia/Tokyo. All values in USDT.)');
    expect(text).toContain('(This statement is not tax or legal advice.)');
  });

  it('TAX-013 the last line has the digest of everything before it, and what is signed', async () => {
    const signed: string[] = [];
    const statements = new TaxStatements({
      clock: { now: () => NOW } as never,
      signingKey: {
        sign: (text) => {
          signed.push(text);
          return { key: 'k', signature: 's' };
        },
      },
      taxes: { year: async () => taxYear(1) },
      uidOf: async () => '12345',
    });
    const request = { year: 2026, method: 'average' } as const;
    const file = statements.open('owner' as never, request, 'ja-JP');
    expect([file.name, file.type]).toEqual(['tax-statement-2026-average.pdf', 'application/pdf']);
    const { value } = await file.parts.next();
    const text = (value as Buffer).toString('latin1');
    const line = text.slice(text.lastIndexOf('\n%') + 1);
    const sha256 = createHash('sha256')
      .update(Buffer.from(text.slice(0, text.lastIndexOf('\n%') + 1), 'latin1'))
      .digest('hex');
    expect(signed).toEqual([`tax statement|12345|2026|average|${sha256}`]);
    expect(line).toBe(`%${signed[0]} key=k ed25519=s\n`);
  });
});
