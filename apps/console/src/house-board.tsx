import { deviceNow } from '@exchange/web-kit/clock.ts';
import { sparkPath } from '@exchange/web-kit/chart/sparkline.tsx';
import {
  type Answer,
  callOperators,
  formatValue,
  type Row,
  rowsOf,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import {
  dueLiabilities,
  figureDays,
  figureMeasures,
  figureProducts,
  openStakes,
} from '@exchange/web-kit/console/described.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { useLatest } from './latest-answer.ts';
import { RowTable } from './row-table.tsx';
import { useOperatorReturn, useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { formatNumber, nameInWords } from './texts.ts';
import { WORDS } from './words.ts';

const POLL_MS = 30_000;
const STAKES_SHOWN = 10;
/**
 * Number of days whose liabilities the overview lists: the first days on which liabilities become due,
 * however far apart they are. The area of the figures shows all such days.
 */
const DUE_DAYS_SHOWN = 7;

const LISTS = [figureDays, figureProducts, figureMeasures, dueLiabilities, openStakes] as const;

interface Board {
  readonly days: readonly Row[];
  readonly products: readonly Row[];
  readonly measures: readonly Row[];
  readonly due: readonly Row[];
  readonly stakes: readonly Row[];
  /** Time at which the data was last fetched successfully, in milliseconds UTC; 0 before the first success. */
  readonly at: number;
  readonly error: string;
}

const NO_BOARD: Board = {
  days: [],
  products: [],
  measures: [],
  due: [],
  stakes: [],
  at: 0,
  error: '',
};

/**
 * The board of the exchange's own results: the figures of today (UTC) with a line of the last 30 days, the
 * result of each product, and risks and obligations beside their limits. Operators whose roles may not see
 * the figures see only the children.
 * @param children rendered below the board; shown once the board has its rows, or has failed, so that the
 * children do not move while somebody is about to click them
 */
export function HouseBoard({ children }: { readonly children: ReactNode }) {
  const { operations } = useSession();
  const isOffered = operations.some(({ path }) => path === figureDays.path);
  return isOffered ? <OfferedBoard>{children}</OfferedBoard> : children;
}

function OfferedBoard({ children }: { readonly children: ReactNode }) {
  const [board, poll] = useBoard();
  return (
    <>
      <BoardSection board={board} onRetry={poll} />
      {(board.at > 0 || board.error !== '') && children}
    </>
  );
}

function BoardSection({ board, onRetry }: { readonly board: Board; readonly onRetry: () => void }) {
  return (
    <section className="board" aria-label={WORDS.board.title}>
      <div className="title">
        <h2>{WORDS.board.title}</h2>
        <a href="#figures">{WORDS.board.all}</a>
      </div>
      {board.error !== '' && <Failed error={`${WORDS.stale} ${board.error}`} onRetry={onRetry} />}
      {board.at === 0 && board.error === '' && <Skeleton label={WORDS.loading} />}
      {board.at > 0 && <BoardParts board={board} />}
    </section>
  );
}

function BoardParts({ board: { days, products, measures, due, stakes, at } }: { readonly board: Board }) {
  const shownDays = [...new Set(due.map(({ day }) => formatValue(day)))].slice(0, DUE_DAYS_SHOWN);
  return (
    <>
      <ul className="tiles">
        {FIGURE_TILES.map((name) => (
          <FigureTile key={name} name={name} days={days} />
        ))}
      </ul>
      <div className="boards">
        <ProductTable products={products} days={days.slice(0, 7)} />
        <BoardTable
          title={WORDS.board.measures}
          rows={figureMeasures.rows}
          shown={measures.filter(({ measure }) => !formatValue(measure).startsWith('day'))}
          columns={['title', 'subject', 'value', 'unit', 'least', 'most', 'state']}
          now={at}
        />
        <BoardTable
          title={WORDS.board.due}
          rows={dueLiabilities.rows}
          shown={due.filter(({ day }) => shownDays.includes(formatValue(day)))}
          columns={['day', 'asset', 'principal', 'earnings', 'payable']}
          now={at}
        />
        <BoardTable
          title={WORDS.board.stakes}
          rows={openStakes.rows}
          shown={stakes.slice(0, STAKES_SHOWN)}
          columns={openStakes.rows.shown}
          now={at}
        />
      </div>
    </>
  );
}

/** Columns of the daily figures; the overview shows each in its own tile. */
const FIGURE_TILES = ['result', 'fees', 'turnover', 'deposits', 'withdrawals', 'newUsers'] as const;

interface FigureTileProps {
  readonly name: (typeof FIGURE_TILES)[number];
  readonly days: readonly Row[];
}

/**
 * Tile with the value of a figure on the first two of the given days, which are the UTC days today and
 * yesterday, and a line chart of all given days.
 */
function FigureTile({ name, days }: FigureTileProps) {
  const values = days.map((day) => formatValue(day[name]));
  const [today = '', yesterday = ''] = values;
  const isLoss = name === 'result' && today.startsWith('-');
  return (
    <li className={`tile ${isLoss ? 'bad' : ''}`}>
      <a href="#figures">
        <span>{WORDS.board.figures[name]}</span>
        <b>{formatNumber(today)}</b>
        <span className="dim">
          {WORDS.board.yesterday} {formatNumber(yesterday)}
        </span>
        <Line values={values.toReversed()} />
      </a>
    </li>
  );
}

const LINE_WIDTH = 160;
const LINE_HEIGHT = 28;

/** A small line chart of values, oldest first; hidden from screen readers. */
function Line({ values }: { readonly values: readonly string[] }) {
  return (
    <svg
      className="line"
      viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={sparkPath(values.map(Number), LINE_WIDTH, LINE_HEIGHT)} />
    </svg>
  );
}

interface ProductTableProps {
  readonly products: readonly Row[];
  readonly days: readonly Row[];
}

/**
 * Table with the result of each product in USDT on the given UTC days; a line chart per product draws the
 * days oldest first.
 */
function ProductTable({ products, days }: ProductTableProps) {
  const names = [...new Set(products.map(({ product }) => formatValue(product)))].toSorted();
  const resultOf = (product: string, day: string) =>
    formatValue(
      products.find((row) => row['day'] === day && formatValue(row['product']) === product)?.['result'],
    );
  const shownDays = days.map(({ day }) => formatValue(day));
  return (
    <div className="wide">
      <h3>{WORDS.board.products}</h3>
      <div className="scroll" tabIndex={0} role="region" aria-label={WORDS.board.products}>
        <table>
          <thead>
            <tr>
              <th scope="col">{WORDS.board.product}</th>
              {shownDays.map((day) => (
                <th key={day} scope="col" className="number">
                  {day.slice('2026-'.length)}
                </th>
              ))}
              <th scope="col">{WORDS.board.course}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const results = shownDays.map((day) => resultOf(name, day) || '0');
              return (
                <tr key={name}>
                  <td>{nameInWords(name)}</td>
                  {results.map((result, index) => (
                    <td key={shownDays[index]} className={`number ${result.startsWith('-') ? 'loss' : ''}`}>
                      {formatNumber(result)}
                    </td>
                  ))}
                  <td>
                    <Line values={results.toReversed()} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface BoardTableProps {
  readonly title: string;
  readonly rows: RowsDescription;
  readonly shown: readonly Row[];
  readonly columns: readonly string[];
  readonly now: number;
}

function BoardTable({ title, rows, shown, columns, now }: BoardTableProps) {
  return (
    <div>
      <h3>{title}</h3>
      {shown.length === 0 ? (
        <p className="dim">{rows.empty ?? WORDS.empty}</p>
      ) : (
        <RowTable rows={{ ...rows, shown: columns }} shown={shown} label={title} now={now} />
      )}
    </div>
  );
}

function fetchLists(): Promise<Answer[]> {
  return Promise.all(LISTS.map(({ path }) => callOperators(path, undefined, { isBackground: true })));
}

/**
 * Hook with the lists that the board shows, fetched every 30 seconds; the requests do not extend the
 * operator's session. If one of the requests fails, all lists fetched before stay, with the error. Also
 * returns a function that fetches at once.
 */
function useBoard(): readonly [Board, () => void] {
  const [board, setBoard] = useState(NO_BOARD);
  const poll = useLatest(fetchLists, (answers) => {
    const error = answers.find((answer) => answer.error !== undefined)?.error;
    if (error !== undefined) return setBoard((present) => ({ ...present, error }));
    const [days = [], products = [], measures = [], due = [], stakes = []] = LISTS.map(({ rows }, index) =>
      rowsOf(rows, answers[index]?.body ?? {}),
    );
    setBoard({
      days,
      products,
      measures,
      due,
      stakes,
      at: deviceNow(),
      error: '',
    });
  });
  useEffect(() => {
    const first = setTimeout(() => void poll(), 0);
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [poll]);
  useOperatorReturn(() => void poll());
  return [board, () => void poll()];
}
