/**
 * Type of a column, which determines how its values are written into an array literal. Values of `text` and
 * inner arrays are quoted; numbers, booleans, uuids and bytes (as hex digits) are not. A `word` is a text
 * that the server itself generates and is not quoted either, because it consists of letters, digits, dots,
 * colons and dashes only.
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
 * Description of how the rows of a table are written in a batch by a single statement over arrays. With
 * `keyOf`, only the last row per key of a batch is written. Without it, all rows are appended.
 */
export interface RowWriter<Row> {
  readonly name: string;
  readonly columnTypes: readonly ColumnType[];
  cells(row: Row): readonly Cell[];
  /**
   * Called with the rows of a batch in their order, before their cells are read; possibly several times, each time with
   * further rows.
   */
  readonly seal?: ((rows: readonly Row[]) => void) | undefined;
  /** Returns the key of a row. A later row with the same key replaces an earlier one of the batch. */
  readonly keyOf?: ((row: Row) => unknown) | undefined;
  /**
   * Set for a writer of changed columns only: the writer that inserts whole rows. If it inserts a row in the same
   * batch, this writer leaves out its change of the row, because the whole row contains it.
   */
  readonly after?: RowWriter<Row> | undefined;
  /**
   * Returns the SQL of an INSERT or UPDATE that reads its rows from array parameters, which are numbered from `first`
   * on.
   */
  statement(first: number): string;
}

interface RowWriterOptions<Row> {
  table: string;
  columns: Readonly<Record<string, ColumnType>>;
  cells: (row: Row) => readonly Cell[];
  seal?: (rows: readonly Row[]) => void;
  /**
   * Returns the key of a row, for a writer without `upsert`: a later row with the same key replaces an earlier one of
   * the same batch. With `upsert`, its own `keyOf` is used instead.
   */
  keyOf?: (row: Row) => unknown;
  /** Updates the columns `update` of an existing row with the same key. Without `upsert`, rows are only inserted. */
  upsert?: { key: readonly string[]; keyOf: (row: Row) => unknown; update: readonly string[] };
}

/**
 * Creates a writer for a table. Table and column names are inserted into SQL unescaped and must be constants.
 */
export function rowWriter<Row>(options: RowWriterOptions<Row>): RowWriter<Row> {
  const names = Object.keys(options.columns);
  const types = Object.values(options.columns);
  const selected = names.map((name, index) => casted(name, types[index]!));
  const { upsert } = options;
  const onConflict =
    upsert === undefined
      ? ''
      : ` on conflict (${upsert.key.join(', ')}) do update set ${upsert.update.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  return {
    name: options.table,
    columnTypes: types,
    cells: options.cells,
    seal: options.seal,
    keyOf: upsert?.keyOf ?? options.keyOf,
    statement: (first) => {
      const arrays = types.map((type, index) => `$${first + index}::${arrayType(type)}`).join(', ');
      return (
        `insert into ${options.table} (${names.join(', ')}) ` +
        `select ${selected.join(', ')} from unnest(${arrays}) as r(${names.join(', ')})${onConflict}`
      );
    },
  };
}

interface ChangeWriterOptions<Row> {
  /** The writer of the table's whole rows, which is used for a new row in the same batch. */
  after: RowWriter<Row>;
  key: readonly [column: string, type: ColumnType];
  columns: Readonly<Record<string, ColumnType>>;
  /** Returns the values of the row's key, then the values of the changed columns. */
  cells: (row: Row) => readonly Cell[];
}

/**
 * Creates a writer that updates only the given columns of existing rows. A row that `after` writes as a whole
 * in the same batch is left out.
 */
export function changeWriter<Row>({ after, key, columns, cells }: ChangeWriterOptions<Row>): RowWriter<Row> {
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

/** Builds one SQL array literal per column from rows that are added in portions. */
export class ArrayLiterals<Row> {
  private readonly writer: RowWriter<Row>;
  /** For each column, the values of the added rows as texts, one text per portion of rows. */
  private readonly columns: string[][];

  constructor(writer: RowWriter<Row>) {
    this.writer = writer;
    this.columns = writer.columnTypes.map(() => []);
  }

  add(rows: Iterable<Row>): void {
    const { columnTypes } = this.writer;
    const portions = columnTypes.map((): string[] => []);
    for (const row of rows) {
      const cells = this.writer.cells(row);
      for (let column = 0; column < portions.length; column += 1)
        portions[column]!.push(literal(cells[column]!, columnTypes[column]!));
    }
    // The texts of a portion are joined at once. Appending them one by one would build a long chain of short strings,
    // which the driver would have to flatten.
    for (const [column, texts] of portions.entries()) this.columns[column]!.push(texts.join(','));
  }

  get texts(): string[] {
    return this.columns.map((texts) => `{${texts.join(',')}}`);
  }
}

/** Returns, for each column, an SQL array literal with the values of all added rows. */
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

/**
 * Returns the type of the SQL array in which the values of a column are sent. Inner arrays, which SQL
 * requires to have equal lengths, and bytes are sent as text.
 */
function arrayType(type: ColumnType): string {
  return type.endsWith('[]') || type === 'bytea' || type === 'word' ? 'text[]' : `${type}[]`;
}

function casted(name: string, type: ColumnType): string {
  if (type === 'bytea') return `decode(r.${name}, 'hex')`;
  return type.endsWith('[]') ? `r.${name}::${type}` : `r.${name}`;
}
