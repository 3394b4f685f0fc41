import type { Pair } from '@exchange/core/pair.ts';
import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import type { OwnFill } from './history-repository.ts';
import type { SpotOrder } from './order-domain.ts';
import { presentOrder, presentOwnFill } from './present.ts';
import type { Statement } from './records.ts';
import type { Heading } from './words/export-headings.ts';

/** The columns of a file, and what a row has in them. Cells are the same in every language, so that programs can read them. */
export interface ExportTable<Row> {
  readonly headings: readonly Heading[];
  cells(row: Row): readonly string[];
}

type Columns<Shown> = Partial<Record<Heading, (shown: Shown) => string>>;

const STATUS_NAMES = new Map<number, string>(
  Object.entries(ORDER_STATUS).map(([name, code]) => [code, name]),
);

const sideOf = ({ tradeType }: { tradeType: 1 | 2 }) => (tradeType === 1 ? 'buy' : 'sell');
const pairOf = (shown: { baseCoin: string; quoteCoin: string }) => `${shown.baseCoin}/${shown.quoteCoin}`;
/** ISO 8601 in UTC. */
const timeOf = (ms: number) => new Date(ms).toISOString();

const ORDER_COLUMNS: Columns<ReturnType<typeof presentOrder>> = {
  time: ({ createTime }) => timeOf(createTime),
  orderId: ({ id }) => id,
  clientId: ({ clientId }) => clientId,
  pair: pairOf,
  side: sideOf,
  orderType: ({ orderType }) => orderType,
  timeInForce: ({ timeInForce }) => timeInForce,
  price: ({ price }) => price,
  stopPrice: ({ stopPrice }) => stopPrice,
  amount: ({ amount }) => amount,
  total: ({ total }) => total,
  filledAmount: ({ filledAmount }) => filledAmount,
  filledTotal: ({ filledTotal }) => filledTotal,
  averagePrice: ({ avgPrice }) => avgPrice,
  fee: ({ fee }) => fee,
  feeCoin: ({ feeCoin }) => feeCoin,
  status: ({ status }) => STATUS_NAMES.get(status) ?? '',
  reason: ({ reason }) => reason,
  updated: ({ updateTime }) => timeOf(updateTime),
};

const FILL_COLUMNS: Columns<ReturnType<typeof presentOwnFill>> = {
  time: ({ ts }) => timeOf(ts),
  tradeId: ({ tradeId }) => tradeId,
  orderId: ({ orderId }) => orderId,
  pair: pairOf,
  side: sideOf,
  role: ({ role }) => role,
  price: ({ price }) => price,
  amount: ({ amount }) => amount,
  total: ({ total }) => total,
  fee: ({ fee }) => fee,
  feeCoin: ({ feeCoin }) => feeCoin,
};

const MOVEMENT_COLUMNS: Columns<Statement> = {
  time: ({ createTime }) => timeOf(createTime),
  movementId: ({ id }) => id,
  coin: ({ currency }) => currency,
  movement: ({ type }) => type,
  bucket: ({ refType }) => refType,
  amount: ({ amount }) => amount,
  balance: ({ balance }) => balance,
  reference: ({ refId }) => refId,
};

export const ORDER_TABLE: ExportTable<SpotOrder> = tableOf(ORDER_COLUMNS, presentOrder);
export const MOVEMENT_TABLE: ExportTable<Statement> = tableOf(MOVEMENT_COLUMNS, (statement) => statement);

/** The table of fills; `pairOf` finds a fill's pair by its symbol. */
export function fillTable(pairOf: (symbol: string) => Pair): ExportTable<OwnFill> {
  return tableOf(FILL_COLUMNS, (fill: OwnFill) => presentOwnFill(fill, pairOf(fill.symbol)));
}

function tableOf<Row, Shown>(columns: Columns<Shown>, present: (row: Row) => Shown): ExportTable<Row> {
  const readers = Object.values(columns);
  return {
    headings: Object.keys(columns) as Heading[],
    cells: (row) => {
      const shown = present(row);
      return readers.map((read) => read(shown));
    },
  };
}
