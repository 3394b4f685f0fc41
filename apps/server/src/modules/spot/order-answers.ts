import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Order as OrderShown } from '@exchange/wire/feed.ts';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { AnswerCodec } from '../../platform/sequencer/sequencer.ts';
import { presentOrder } from './present.ts';
import { findOrder } from './repository.ts';

/** What later steps may change of an order that was answered. New names go to the end: answers are kept by place. */
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

/** Those of them that are no texts. */
const NUMBERS = ['status', 'updateTime', 'activatedTime'] as const;

type Changing = Pick<OrderShown, (typeof CHANGING)[number]>;

/** How answers that show an order of the owner's are kept: what may change later; the rest is the order's row. */
export function orderAnswers(reader: Reader, owner: UserId, pairOf: (symbol: string) => Pair): AnswerCodec {
  return {
    keep: (result) => keptOrder(result as OrderShown),
    restore: async (kept) => {
      const [id, changed] = restoredOrder(kept);
      const order = await findOrder(reader, owner, id, pairOf);
      if (order === undefined) throw new Error(`the order of a stored answer is missing: ${id}`);
      return { ...presentOrder(order), ...changed };
    },
  };
}

/** An answered order in short: its order's id and what of it may change; plain words with bars between. */
function keptOrder(order: OrderShown): string {
  let kept = order.id;
  for (const name of CHANGING) kept += `|${order[name]}`;
  return kept;
}

/** The order's id, and what was answered of it. */
function restoredOrder(kept: string): [id: string, changed: Changing] {
  const [id = '', ...texts] = kept.split('|');
  // An answer that was kept before the last names were added leaves those to the order's row.
  const words = Object.fromEntries(CHANGING.slice(0, texts.length).map((name, at) => [name, texts[at]]));
  const numbers = NUMBERS.filter((name) => name in words).map((name) => [name, wholeNumber(words[name]!)]);
  const changed = { ...words, ...Object.fromEntries(numbers) };
  return [id, changed as Changing];
}
