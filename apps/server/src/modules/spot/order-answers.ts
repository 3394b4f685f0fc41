import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Order as OrderShown } from '@exchange/wire/feed.ts';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { AnswerCodec } from '../../platform/sequencer/sequencer.ts';
import { presentOrder } from './present.ts';
import { findOrder } from './repository.ts';

/**
 * The fields of an order in a response that later commands may change. Responses stored under an idempotency key list
 * the values by position, so new names must be appended at the end.
 */
const CHANGING = [
  'price',
  'amount',
  'stopPrice',
  'stopStatus',
  'exitStatus',
  'filledAmount',
  'filledTotal',
  'cancelledAmount',
  'avgPrice',
  'fee',
  'status',
  'reason',
  'updateTime',
  'takeProfitPrice',
  'stopLossPrice',
  'stopLossLimitPrice',
  'activatedTime',
] as const satisfies readonly (keyof OrderShown)[];

/**
 * Names of an order's changeable fields whose values are numbers; they are stored as text and parsed again.
 */
const NUMBERS = ['status', 'updateTime', 'activatedTime'] as const;

type Changing = Pick<OrderShown, (typeof CHANGING)[number]>;

/**
 * The stored form of responses that contain an order: it has only the order's id and changeable fields; the other
 * fields are read from the order's row. Restoring throws if the order is missing.
 */
export function orderAnswerCodec(
  reader: Reader,
  owner: UserId,
  pairOf: (symbol: string) => Pair,
): AnswerCodec {
  return {
    serialize: (result) => encodeOrder(result as OrderShown),
    restore: async (text) => {
      const [id, changed] = decodeOrder(text);
      const order = await findOrder(reader, owner, id, pairOf);
      if (order === undefined) throw new Error(`the order of a stored answer is missing: ${id}`);
      return { ...presentOrder(order), ...changed };
    },
  };
}

/** Encodes the order of a response as its id and changeable fields, separated by `|`. No value contains `|`. */
function encodeOrder(order: OrderShown): string {
  let text = order.id;
  for (const name of CHANGING) text += `|${order[name]}`;
  return text;
}

/** Decodes the text of `encodeOrder`: an order's id and its changeable fields. */
function decodeOrder(text: string): [id: string, changed: Changing] {
  const [id = '', ...texts] = text.split('|');
  // Responses that were stored before a field existed lack the field; its value comes from the order's row.
  const words = Object.fromEntries(CHANGING.slice(0, texts.length).map((name, at) => [name, texts[at]]));
  const numbers = NUMBERS.filter((name) => name in words).map((name) => [name, wholeNumber(words[name]!)]);
  const changed = { ...words, ...Object.fromEntries(numbers) };
  return [id, changed as Changing];
}
