import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUPPORT_TEXT_MAX } from '@exchange/core/support.ts';
import { boundedAnswer, idOf, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { Support } from './service.ts';

/** Operations of customer service. */
export function supportOperations(support: Support): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/support/requests',
      isQueue: true,
      summary: 'What people have written to customer service, that which waits longest first.',
      roles: ['support'],
      run: async () => boundedAnswer('requests', await support.waiting()),
    },
    {
      method: 'POST',
      path: '/ops/support/requests/:id/answer',
      summary: 'Answers a request by email, and in the inbox of an account.',
      roles: ['support'],
      withoutCode: 'It reaches one person, who has asked for it.',
      fields: { answer: { label: 'Answer', kind: 'longText' } },
      run: async (call) => {
        const answer = (call.fields['answer'] ?? '').trim();
        const parameters = { field: 'answer', limit: String(SUPPORT_TEXT_MAX) };
        if (answer === '') throw new Refused(refusal('invalidField', 'l.field_required', parameters));
        if (answer.length > SUPPORT_TEXT_MAX)
          throw new Refused(refusal('invalidField', 'l.field_too_long', parameters));
        await support.decide(idOf(call), answer, whyOf(call).by);
        return {};
      },
    },
    {
      method: 'POST',
      path: '/ops/support/requests/:id/close',
      summary: 'Closes a request that needs no answer; nobody is told.',
      roles: ['support'],
      withoutCode: 'Nothing moves by it, and whoever wrote may write again.',
      run: async (call) => {
        await support.decide(idOf(call), '', whyOf(call).by);
        return {};
      },
    },
  ];
}
