import type { UserId } from '@exchange/core/ids.ts';
import type { SupportTopic } from '@exchange/core/support.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Support } from './service.ts';
import { ANSWERED, ASKED } from './words/demo-texts.ts';

/** The support requests that wait in the demo: [account, email address, topic, text]. */
const PENDING_REQUESTS: readonly (readonly [string, string, SupportTopic, string])[] = [
  [
    'applicant-1',
    'maria.sample@example.com',
    'withdrawal',
    'I added a new withdrawal address, and it says I can use it tomorrow. Can I see how much time is left?',
  ],
  ['applicant-2', 'wang.yangli@example.com', 'verification', '证件审核一般需要多长时间？我今天上午提交的。'],
];

/**
 * Creates support requests of demo customers that wait for an answer, and an answered request of the demo trader. Skips
 * a user who already has a request, even one that an older version of the demo created.
 */
export async function seedSupport(support: Support, { attempt, trader, person }: Demo): Promise<void> {
  const writer = { locale: 'en-US', address: '127.0.0.1', key: 'demo' } as const;
  const hasAsked = async (userId: UserId) =>
    (await support.requestsOfUser(userId, { pageNo: 1, pageSize: 1 })).total > 0;
  for (const [account, email, topic, content] of PENDING_REQUESTS) {
    await attempt(`support ${account}`, async () => {
      const userId = await person(account, email);
      if (await hasAsked(userId)) return;
      await support.submit({ ...writer, session: { userId } }, { topic, content, email });
    });
  }
  if (await hasAsked(trader)) return;
  const { id } = await support.submit(
    { ...writer, session: { userId: trader } },
    { topic: 'deposit', content: ASKED['en-US'] },
  );
  await support.answer(id, ANSWERED['en-US'], { by: 'support' });
}
