/**
 * How a column's values are written into an array literal: `text` is quoted, numbers and uuids are not, nor
 * is a `word`: text of our own that consists of letters, digits, dots, colons and dashes.
 */
export type ColumnType =
  | 'uuid'
  | 'bigint'
  | 'integer'
  | 'numeric'
  | 'boolean'
  | 'word'
  | 'text'
  | 'bytea'
  | 'bigint[]'
  | 'numeric[]';

export type Cell = string | number | bigint | boolean | null;

/**
 * How rows of one table reach the database with a batch: all rows of the batch in one insert over arrays.
 * With `keyOf`, the last row per key wins and an existing row is updated; without, rows are appended.
 */
export interface RowWriter<Row> {
  readonly name: string;
  readonly columnTypes: readonly ColumnType[];
  cells(row: Row): readonly Cell[];
  /** Called before the cells are read, with the rows in order; more than once per batch, each time with the next ones. */
  readonly seal?: ((rows: readonly Row[]) => void) | undefined;
  /** Identifies the row where a later state replaces an earlier one. */
  readonly keyOf?: ((row: Row) => unknown) | undefined;
  /** Of a writer of changes: who writes the whole row. What that one writes in the same batch needs no change. */
  readonly after?: RowWriter<Row> | undefined;
  /** The insert, with its first array at parameter `$first`. */
  statement(first: number): string;
}

interface Described<Row> {
  table: string;
  columns: Readonly<Record<string, ColumnType>>;
  cells: (row: Row) => readonly Cell[];
  seal?: (rows: readonly Row[]) => void;
  /** Names a row that is written more than once before it is stored; `upsert` brings its own. */
  keyOf?: (row: Row) => unknown;
  /** Replaces the row with this key; without it rows are only appended. */
  upsert?: { key: readonly string[]; keyOf: (row: Row) => unknown; update: readonly string[] };
}

/** Describes how rows of a table are written; names are the table's own, never input. */
export function rowWriter<Row>(described: Described<Row>): RowWriter<Row> {
  const names = Object.keys(described.columns);
  const types = Object.values(described.columns);
  const selected = names.map((name, index) => casted(name, types[index]!));
  const { upsert } = described;
  const onConflict =
    upsert === undefined
      ? ''
      : ` on conflict (${upsert.key.join(', ')}) do update set ${upsert.update.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  return {
    name: described.table,
    columnTypes: types,
    cells: described.cells,
    seal: described.seal,
    keyOf: upsert?.keyOf ?? described.keyOf,
    statement: (first) => {
      const arrays = types.map((type, index) => `$${first + index}::${arrayType(type)}`).join(', ');
      return (
        `insert into ${described.table} (${names.join(', ')}) ` +
        `select ${selected.join(', ')} from unnest(${arrays}) as r(${names.join(', ')})${onConflict}`
      );
    },
  };
}

interface DescribedChange<Row> {
  /** Who writes the whole row when it is new. */
  after: RowWriter<Row>;
  key: readonly [column: string, type: ColumnType];
  columns: Readonly<Record<string, ColumnType>>;
  /** The key first, then the columns. */
  cells: (row: Row) => readonly Cell[];
}

/** Describes how rows that are stored already are changed: only what changes travels. */
export function changeWriter<Row>({ after, key, columns, cells }: DescribedChange<Row>): RowWriter<Row> {
  const names = [key[0], ...Object.keys(columns)];
  const types = [key[1], ...Object.values(columns)];
  const changes = names.slice(1).map((name, index) => `${name} = ${casted(name, types[index + 1]!)}`);
  return {
    name: `${after.name}_change`,
    columnTypes: types,
    cells,
    keyOf: (row) => row,
    after,
    statement: (first) => {
      const arrays = types.map((type, index) => `$${first + index}::${arrayType(type)}`).join(', ');
      return (
        `update ${after.name} as t set ${changes.join(', ')} ` +
        `from unnest(${arrays}) as r(${names.join(', ')}) where t.${key[0]} = r.${key[0]}`
      );
    },
  };
}

/** One array literal per column, to which rows are added as they come. */
export class ArrayLiterals<Row> {
  private readonly writer: RowWriter<Row>;
  /** Per column, the texts of the rows that were added together. */
  private readonly columns: string[][];

  constructor(writer: RowWriter<Row>) {
    this.writer = writer;
    this.columns = writer.columnTypes.map(() => []);
  }

  add(rows: Iterable<Row>): void {
    const { columnTypes } = this.writer;
    const added = columnTypes.map((): string[] => []);
    for (const row of rows) {
      const cells = this.writer.cells(row);
      for (let column = 0; column < added.length; column += 1)
        added[column]!.push(literal(cells[column]!, columnTypes[column]!));
    }
    // Joined here and not concatenated: the driver would have to flatten what is a chain of short texts.
    for (const [column, texts] of added.entries()) this.columns[column]!.push(texts.join(','));
  }

  get texts(): string[] {
    return this.columns.map((texts) => `{${texts.join(',')}}`);
  }
}

/** One array literal per column for all rows. */
export function arrayLiterals<Row>(writer: RowWriter<Row>, rows: Iterable<Row>): string[] {
  const literals = new ArrayLiterals(writer);
  literals.add(rows);
  return literals.texts;
}

function literal(cell: Cell, type: ColumnType): string {
  if (cell === null) return 'NULL';
  if (type === 'text') return quoted(cell as string);
  if (type === 'word') return cell === '' ? '""' : (cell as string);
  if (type === 'bigint[]' || type === 'numeric[]') return `"${cell as string}"`;
  return String(cell);
}

function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Arrays of arrays must be rectangular in SQL, so inner arrays and bytes travel as text and are cast. */
function arrayType(type: ColumnType): string {
  return type.endsWith('[]') || type === 'bytea' || type === 'word' ? 'text[]' : `${type}[]`;
}

function casted(name: string, type: ColumnType): string {
  if (type === 'bytea') return `decode(r.${name}, 'hex')`;
  return type.endsWith('[]') ? `r.${name}::${type}` : `r.${name}`;
}
