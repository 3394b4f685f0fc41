import { SUPPORT_TEXT_MAX } from '@exchange/core/support.ts';
import { TRACKED_MAX, TRANSFER_HANDLERS, TRANSFER_KINDS, TRANSFER_STAGES } from '@exchange/core/tracking.ts';
import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, text } from './codecs.ts';
import { endpoint, sessionAlone, signedInRead, USER } from './endpoint.ts';
import { keepCompatibilityForms } from './spelling.ts';
import { ticketStatus } from './support.ts';

/** Maximum length of a search text; a transaction ID has up to 66 characters. */
const QUERY_MAX = 120;

export const trackTransfers = endpoint({
  path: '/transfer/track',
  summary: `The caller’s transfers that a text names, newest first, at most ${TRACKED_MAX}: an amount, the beginning of one, a transaction ID or the ID of a record. Amounts are compared with the newest 500 records of each kind. Without \`query\` those that are not completed. Nothing of other accounts is found.`,
  access: sessionAlone('reads'),
  charge: signedInRead(5),
  fields: { query: z.optional(text(QUERY_MAX)) },
  data: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(TRANSFER_KINDS),
        currency: z.string(),
        network: z.string(),
        amount: decimalText,
        txid: z.optional(z.string()),
        /** URL of a block explorer's page about the transaction; absent if there is no such page. */
        explorer: z.optional(z.string()),
        stage: z.enum(TRANSFER_STAGES),
        /**
         * The party that must act next on the transfer (see `TRANSFER_HANDLERS`); absent when the transfer has ended.
         */
        handler: z.optional(z.enum(TRANSFER_HANDLERS)),
        confirm: z.int(),
        needConfirm: z.int(),
        /**
         * Minimum amount of a credited deposit, in the coin of the deposit; only for the stage
         * `belowMinimum`.
         */
        minAmount: z.optional(decimalText),
        /**
         * Promised time of completion; for a deposit in the stage `confirming`, the estimated time of its
         * last confirmation. Absent if there is none, and while the network refuses the withdrawal or sending
         * is paused.
         */
        promiseTime: z.optional(instantMs),
        /**
         * 1 if the promised time of completion has passed, even if `promiseTime` is absent; otherwise 0.
         * Always 0 for a deposit in the stage `confirming`.
         */
        late: flagNumber,
        createTime: instantMs,
        finishTime: z.optional(instantMs),
        /** The caller’s latest request to customer service about the transfer; absent if there is none. */
        ticket: z.optional(z.object({ id: z.string(), number: z.int(), status: ticketStatus })),
      }),
    ),
  }),
});

export const askAboutTransfer = endpoint({
  path: '/transfer/ask',
  summary:
    'Asks customer service about one of the caller’s transfers. Refused while a request about the same transfer waits for a reply. At most five requests an hour.',
  access: USER,
  charge: { limit: 'mail', weight: 1 },
  idempotent: true,
  fields: {
    transferKind: z.enum(TRANSFER_KINDS, 'l.field_choice'),
    id,
    content: keepCompatibilityForms(text(SUPPORT_TEXT_MAX)),
  },
  data: z.object({ id: z.string(), number: z.int() }),
});
