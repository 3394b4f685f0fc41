import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

export type SubjectKind = 'withdrawal' | 'deposit' | 'identity';
export type HitState = 'open' | 'cleared' | 'confirmed';

/** An entry of a sanctions list. */
export interface ListEntry {
  readonly kind: 'address' | 'name';
  /** The name or address in the spelling of the sanctions list. */
  readonly entry: string;
  /**
   * Number under which the entry is published in the sanctions list; the line number in a plain list.
   */
  readonly reference: string;
}

/**
 * An address or a name that is compared with sanctions lists, with its owner and the withdrawal,
 * identity submission or deposit that it belongs to.
 */
export type Screened = {
  readonly subjectKind: SubjectKind;
  /** Id of the withdrawal or identity submission; for a deposit, its network, txid, output and asset. */
  readonly subject: string;
  readonly owner: UserId;
} & ({ readonly address: string } | { readonly name: string });

/**
 * The screening of a deposit's sender: the address to compare with sanctions lists, and the payment (network,
 * txid, output and asset) as the subject under which matches are stored.
 */
export function screenedSender(
  payment: {
    readonly network: string;
    readonly txid: string;
    readonly output: number;
    readonly asset: string;
  },
  { owner, address }: { readonly owner: UserId; readonly address: string },
): Screened {
  const { network, txid, output, asset } = payment;
  return { subjectKind: 'deposit', subject: `${network} ${txid} ${output} ${asset}`, owner, address };
}

/** A match with a sanctions list, on which two operators decide. */
export interface Hit {
  readonly id: string;
  readonly subjectKind: SubjectKind;
  readonly subject: string;
  readonly owner: UserId;
  /** The blockchain address that matched; undefined for a name. */
  readonly screened: string | undefined;
  readonly list: string;
  readonly reference: string;
  readonly entry: string;
  readonly state: HitState;
  readonly createdAt: Instant;
  readonly decidedAt: Instant | undefined;
  readonly decidedBy: string | undefined;
  readonly reason: string | undefined;
}

/**
 * The form in which blockchain addresses are compared, without regard to upper and lower case. Ignoring case can only
 * cause additional matches, never hide one.
 */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** The words of a name without accents, punctuation and case, each once, sorted. */
export function nameWords(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/['’`]/g, '');
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))].toSorted();
}

/**
 * Minimum number of common words of two names of which one contains all words of the other, for these names
 * to match. Names with the same words always match.
 */
export const PART_WORDS = 2;

const ADDRESS = /^[0-9A-Za-z:]{24,120}$/;
const DIGITAL_ADDRESS = /Digital Currency Address\s*-\s*[A-Z0-9]+\s+([0-9A-Za-z:]{20,120})/g;
/** The mark for a missing value in OFAC's files. */
const NONE = '-0-';

/**
 * Entries of a sanctions list with one address or name per line. Empty lines and lines that begin with `#`
 * are left out. A line of 24 to 120 letters, digits and colons, with at least one digit, is an address; any
 * other is a name.
 */
export function readPlain(text: string): ListEntry[] {
  return text.split(/\r?\n/).flatMap((raw, at): ListEntry[] => {
    const entry = raw.trim();
    if (entry === '' || entry.startsWith('#')) return [];
    const isAddress = ADDRESS.test(entry) && /\d/.test(entry);
    return [{ kind: isAddress ? 'address' : 'name', entry, reference: String(at + 1) }];
  });
}

/**
 * Entries of OFAC's `sdn.csv`, which has no header: column 1 is the number, column 2 the name, and the last
 * column the remarks, which may contain `Digital Currency Address - ETH 0x…`. Also reads `alt.csv`, whose column 4
 * is another name of the entry in column 1. Throws for a line without a number in column 1 or with fewer than
 * five columns.
 */
export function readSdnCsv(text: string): ListEntry[] {
  return csvRows(text).flatMap(({ line, values }): ListEntry[] => {
    const [reference = '', second = '', , fourth = ''] = values;
    // OFAC's files end with the character 0x1a.
    if (values.length === 1 && reference.charCodeAt(0) === 0x1a) return [];
    if (!/^\d+$/.test(reference) || values.length < 5)
      throw new Error(`line ${line} is not of OFAC's sdn.csv or alt.csv`);
    const isAlias = /^\d+$/.test(second) && values.length === 5;
    const name = isAlias ? fourth : second;
    const names: ListEntry[] = name === NONE || name === '' ? [] : [{ kind: 'name', entry: name, reference }];
    return [...names, ...addressesIn(values.at(-1) ?? '', reference)];
  });
}

/**
 * Entries of OFAC's `sdn.xml`: `uid`, `firstName`, `lastName` and the `aka` names of each `sdnEntry`, and the
 * `idNumber` of each `id` whose `idType` begins with `Digital Currency Address`. Throws for a file without entries.
 */
export function readSdnXml(text: string): ListEntry[] {
  const blocks = text.match(/<sdnEntry>[\s\S]*?<\/sdnEntry>/g) ?? [];
  if (blocks.length === 0) throw new Error('there is no sdnEntry: this is not OFAC’s sdn.xml');
  return blocks.flatMap((block): ListEntry[] => {
    const reference = valueOf(block, 'uid') ?? '';
    const aliases = block.match(/<aka>[\s\S]*?<\/aka>/g) ?? [];
    const main = block.replaceAll(/<(?:akaList|idList)>[\s\S]*?<\/(?:akaList|idList)>/g, '');
    const names = [main, ...aliases].flatMap((part): ListEntry[] => {
      const entry = [valueOf(part, 'firstName'), valueOf(part, 'lastName')].filter(Boolean).join(' ');
      return entry === '' ? [] : [{ kind: 'name', entry, reference }];
    });
    const addresses = (block.match(/<id>[\s\S]*?<\/id>/g) ?? []).flatMap((id): ListEntry[] => {
      const isAddress = valueOf(id, 'idType')?.startsWith('Digital Currency Address') === true;
      const entry = valueOf(id, 'idNumber');
      return isAddress && entry !== undefined ? [{ kind: 'address', entry, reference }] : [];
    });
    return [...names, ...addresses];
  });
}

/**
 * The parser of a sanctions list file by the ending of its name: `.txt` for a plain list, `.csv` and `.xml`
 * for OFAC's files; undefined for other endings.
 */
export function readerOf(file: string): ((text: string) => ListEntry[]) | undefined {
  const name = file.toLowerCase();
  if (name.endsWith('.txt')) return readPlain;
  if (name.endsWith('.csv')) return readSdnCsv;
  return name.endsWith('.xml') ? readSdnXml : undefined;
}

/**
 * The reason why a new version of a sanctions list is not imported: it is empty, or has fewer than half of the entries
 * of the stored version, as after a broken download. Undefined if it can be imported. `before` (undefined for a new
 * list) and `after` are numbers of entries.
 */
export function importProblem(before: number | undefined, after: number): string | undefined {
  if (after === 0) return 'it has no entries';
  if (before !== undefined && after * 2 < before)
    return `it has ${after} entries, fewer than half of the ${before} before`;
  return undefined;
}

function addressesIn(remarks: string, reference: string): ListEntry[] {
  return [...remarks.matchAll(DIGITAL_ADDRESS)].map(([, entry]) => ({
    kind: 'address',
    entry: entry!,
    reference,
  }));
}

/**
 * The text of the first XML element with this name, trimmed and with its XML entities decoded; undefined if
 * there is none.
 */
function valueOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.trim();
  return text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** A row of a CSV file, and its line number in the file, from 1. */
interface CsvRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** Rows of a CSV with quotes, whose values contain no line breaks; values are trimmed. Empty lines are no rows. */
function csvRows(text: string): CsvRow[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const cells = line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g);
    const values = Array.from(cells, ([, quoted, plain = '']) =>
      (quoted?.replaceAll('""', '"') ?? plain).trim(),
    );
    return [{ line: at + 1, values }];
  });
}
