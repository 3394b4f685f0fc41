import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUPPORT_TEXT_MAX } from '@exchange/core/support.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { idOf, serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { Support } from './service.ts';

/** Roles that may read requests. */
export const SUPPORT_ROLES = described.supportRequests.roles;

/** Operations of customer service. */
export function supportOperations(support: Support): Operation[] {
  return [
    serveList(described.supportRequests, () => support.waiting()),
    serveAction(described.answerRequest, {
      run: async (call) => {
        const answer = (call.fields.answer ?? '').trim();
        const parameters = { field: 'answer', limit: String(SUPPORT_TEXT_MAX) };
        if (answer === '') throw new Refused(refusal('invalidField', 'l.field_required', parameters));
        if (answer.length > SUPPORT_TEXT_MAX)
          throw new Refused(refusal('invalidField', 'l.field_too_long', parameters));
        await support.decide(idOf(call), answer, whyOf(call).by);
        return {};
      },
    }),
    serveAction(described.closeRequest, {
      run: async (call) => {
        await support.decide(idOf(call), '', whyOf(call).by);
        return {};
      },
    }),
  ];
}
