/** Descriptions of the fields of a stream's payload, by field name. */
export type FieldTexts = Readonly<Record<string, string>>;

/** A stream of market data or an event of an account that programs can receive, with the texts of the documents. */
export interface DescribedStream {
  /**
   * Name of the stream in a subscription, with the variable parts in angle brackets; for an event of an account, its
   * type.
   */
  readonly name: string;
  /** How often or how soon the event is sent. */
  readonly pace: string;
  readonly about: string;
  /**
   * Descriptions of all fields of the payload. The name of a nested field follows its parent's name and a
   * dot; the name of a field of a list item follows `[]`.
   */
  readonly fields: FieldTexts;
}

const TYPE = 'Type of the event';
const EVENT_TIME = 'Time of the event, ms';
const PAIR = 'Pair';
const LEVELS = '[price, amount], best first';
const CHANGED = '[price, new total amount]; 0 removes the level';
const MAKER = 'Whether the buyer is the maker';

const eventFields = {
  e: TYPE,
  E: EVENT_TIME,
  s: PAIR,
};
const dayFields = {
  c: 'Last price',
  o: 'Price 24 hours ago',
  h: 'Highest price',
  l: 'Lowest price',
  v: 'Volume in the base coin',
  q: 'Volume in the quote coin',
};
const miniTickerFields: FieldTexts = { ...eventFields, ...dayFields };
const depthFields: FieldTexts = {
  ...eventFields,
  U: 'Number of the first change in the event',
  u: 'Number of the last change in the event',
  'b[]': CHANGED,
  'a[]': CHANGED,
};

/** Streams of market data; a program connects to `/ws/<name>` or `/stream?streams=<name>/<name>`. */
export const MARKET_STREAMS: readonly DescribedStream[] = [
  {
    name: '<symbol>@trade',
    pace: 'at once',
    about: 'Every trade.',
    fields: {
      ...eventFields,
      t: 'Id of the trade',
      p: 'Price',
      q: 'Amount',
      T: 'Time of the trade, ms',
      m: MAKER,
      M: 'Always true',
    },
  },
  {
    name: '<symbol>@aggTrade',
    pace: 'at once',
    about: 'Fills of one order at one price as one event.',
    fields: {
      ...eventFields,
      a: 'Id, that of the first trade',
      p: 'Price',
      q: 'Amount',
      f: 'Id of the first trade',
      l: 'Id of the last trade',
      T: 'Time of the first trade, ms',
      m: MAKER,
      M: 'Always true',
    },
  },
  {
    name: '<symbol>@kline_<interval>',
    pace: 'every second while it changes, and when it closes',
    about: 'The running candle. The candles of one second are a second behind.',
    fields: {
      ...eventFields,
      'k.t': 'Start, ms',
      'k.T': 'End, ms',
      'k.s': PAIR,
      'k.i': 'Interval',
      'k.f': 'Id of the first trade, −1 without one',
      'k.L': 'Id of the last trade, −1 without one',
      'k.o': 'Open',
      'k.c': 'Close',
      'k.h': 'High',
      'k.l': 'Low',
      'k.v': 'Volume in the base coin',
      'k.n': 'Number of trades',
      'k.x': 'Whether the candle has closed',
      'k.q': 'Volume in the quote coin',
      'k.V': 'Volume in the base coin that takers bought',
      'k.Q': 'Volume in the quote coin that takers bought',
      'k.B': 'Unused',
    },
  },
  {
    name: '<symbol>@miniTicker',
    pace: 'every second while it changes',
    about: 'Prices and volumes of 24 hours.',
    fields: miniTickerFields,
  },
  {
    name: '!miniTicker@arr',
    pace: 'every second while a pair changes',
    about: 'A list of the mini tickers that have changed, of all pairs.',
    fields: Object.fromEntries(Object.entries(miniTickerFields).map(([name, text]) => [`[].${name}`, text])),
  },
  {
    name: '<symbol>@ticker',
    pace: 'every second while it changes',
    about: 'Full statistics of 24 hours.',
    fields: {
      ...eventFields,
      p: 'Change of the price',
      P: 'Change in percent',
      w: 'Average price, weighted by amount',
      x: 'Price of the last trade before the 24 hours',
      c: 'Last price',
      Q: 'Amount of the last trade',
      b: 'Best bid',
      B: 'Amount of the best bid',
      a: 'Best ask',
      A: 'Amount of the best ask',
      o: 'Price 24 hours ago',
      h: 'Highest price',
      l: 'Lowest price',
      v: 'Volume in the base coin',
      q: 'Volume in the quote coin',
      O: 'Start of the 24 hours, ms',
      C: 'End of the 24 hours, ms',
      F: 'Id of the first trade',
      L: 'Id of the last trade',
      n: 'Number of trades',
    },
  },
  {
    name: '<symbol>@bookTicker',
    pace: 'at once',
    about: 'The best bid and ask.',
    fields: {
      u: 'Number of the book’s last change',
      s: PAIR,
      b: 'Best bid',
      B: 'Amount of the best bid',
      a: 'Best ask',
      A: 'Amount of the best ask',
    },
  },
  {
    name: '<symbol>@avgPrice',
    pace: 'every second while it changes',
    about: 'The average price of five minutes.',
    fields: {
      ...eventFields,
      i: 'Interval, always 5m',
      w: 'Average price',
      T: 'Time of the last trade, ms',
    },
  },
  {
    name: '<symbol>@depth',
    pace: 'every second, on change',
    about: 'Changes of the book without gaps: `U` is the `u` of the event before plus 1.',
    fields: depthFields,
  },
  {
    name: '<symbol>@depth@100ms',
    pace: 'every 100 ms, on change',
    about: 'The same, more often.',
    fields: depthFields,
  },
  {
    name: '<symbol>@depth<5|10|20>',
    pace: 'every second, with @100ms every 100 ms',
    about: 'The best levels of both sides.',
    fields: {
      lastUpdateId: 'Number of the book’s last change',
      'bids[]': LEVELS,
      'asks[]': LEVELS,
    },
  },
];

/** Events of an account; a program receives them by a subscription of the WebSocket API or by a listen key. */
export const ACCOUNT_EVENTS: readonly DescribedStream[] = [
  {
    name: 'executionReport',
    pace: 'at once, in the order of the commits',
    about: 'Every change of an order.',
    fields: {
      ...eventFields,
      c: 'Client id of the order; of the cancellation when x is CANCELED',
      S: 'Side',
      o: 'Type',
      f: 'Time in force',
      q: 'Amount',
      p: 'Price',
      P: 'Stop price',
      F: 'Always 0; each slice of an iceberg is an order',
      g: 'Id of the order list, −1 without one',
      C: 'Client id of the cancelled order, otherwise empty',
      x: 'What happened: NEW, CANCELED, REPLACED, TRADE, EXPIRED or TRADE_PREVENTION',
      X: 'Status of the order',
      r: 'Always NONE',
      i: 'Id of the order',
      l: 'Amount of the fill',
      z: 'Filled in total',
      L: 'Price of the fill',
      n: 'Commission',
      N: 'Coin of the commission, null without a fill',
      T: 'Time of the change, ms',
      t: 'Id of the trade, −1 without one',
      I: 'Id of the report, which grows',
      w: 'Whether the order is on the book',
      m: 'Whether the fill was as maker',
      M: 'Whether there is a fill',
      O: 'Time of the order, ms',
      Z: 'Filled in total, in the quote coin',
      Y: 'The fill in the quote coin',
      Q: 'Amount in the quote coin that was ordered',
      W: 'Since when it works, ms',
      V: 'Self-trade mode',
    },
  },
  {
    name: 'listStatus',
    pace: 'after the reports of its orders',
    about: 'The begin and the end of an order list.',
    fields: {
      ...eventFields,
      g: 'Id of the list',
      c: 'Always OCO',
      l: 'What happened: EXEC_STARTED or ALL_DONE',
      L: 'State of the list: EXECUTING or ALL_DONE',
      r: 'Always NONE',
      C: 'Name of the list',
      T: 'Time of the change, ms',
      'O[].s': 'Pair of an order of the list',
      'O[].i': 'Id of the order',
      'O[].c': 'Client id of the order',
    },
  },
  {
    name: 'outboundAccountPosition',
    pace: 'after every change',
    about: 'The balances that changed.',
    fields: {
      e: TYPE,
      E: EVENT_TIME,
      u: 'Time of the change, ms',
      'B[].a': 'Coin',
      'B[].f': 'Free',
      'B[].l': 'Locked',
    },
  },
  {
    name: 'balanceUpdate',
    pace: 'at once',
    about: 'A deposit, withdrawal or transfer.',
    fields: {
      e: TYPE,
      E: EVENT_TIME,
      a: 'Coin',
      d: 'Change, with its sign',
      T: 'Time, ms',
    },
  },
];

/** Descriptions of the requests that a program can send on a stream connection: `{"method","params","id"}`. */
export const STREAM_REQUESTS: FieldTexts = {
  SUBSCRIBE: 'Adds the streams named in `params`.',
  UNSUBSCRIBE: 'Removes the streams named in `params`.',
  LIST_SUBSCRIPTIONS: 'Answers the names of the streams.',
  SET_PROPERTY: '`["combined", true]` sends the name of the stream with every payload.',
  GET_PROPERTY: '`["combined"]` answers whether it does.',
};
