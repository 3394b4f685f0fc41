import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUPPORT_TEXT_MAX } from '@exchange/core/support.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { idOf, serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { Support } from './service.ts';

/** Roles that may read support requests. */
export const SUPPORT_ROLES = described.supportRequests.roles;

/** Returns the console operations of customer service. */
export function supportOperations(support: Support): Operation[] {
  return [
    serveList(described.supportRequests, () => support.waiting()),
    serveList(described.decidedRequests, () => support.decided()),
    serveList(described.supportThread, async (call) => ({ list: await support.thread(idOf(call)) })),
    serveAction(described.answerRequest, {
      check: ({ fields }) => answerOf(fields),
      run: async (call) => {
        await support.answer(idOf(call), answerOf(call.fields), { by: whyOf(call).by });
        return {};
      },
    }),
    serveAction(described.followUpRequest, {
      check: ({ fields }) => answerOf(fields),
      run: async (call) => {
        await support.answer(idOf(call), answerOf(call.fields), { by: whyOf(call).by, isFollowUp: true });
        return {};
      },
    }),
    serveAction(described.noteRequest, {
      run: async (call) => {
        const { by, reason } = whyOf(call);
        await support.note(idOf(call), { by, content: reason });
        return {};
      },
    }),
    serveAction(described.closeRequest, {
      run: async (call) => {
        await support.close(idOf(call), whyOf(call).by);
        return {};
      },
    }),
  ];
}

/**
 * Returns the answer that an operator entered, without surrounding spaces. Refuses an empty one, and one of
 * more than `SUPPORT_TEXT_MAX` characters.
 */
function answerOf({ answer: typed = '' }: { readonly answer?: string | undefined }): string {
  const answer = typed.trim();
  const parameters = { field: 'answer', limit: String(SUPPORT_TEXT_MAX) };
  if (answer === '') throw new Refused(refusal('invalidField', 'l.field_required', parameters));
  if (answer.length > SUPPORT_TEXT_MAX)
    throw new Refused(refusal('invalidField', 'l.field_too_long', parameters));
  return answer;
}
