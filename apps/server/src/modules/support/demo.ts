import type { SupportTopic } from '@exchange/core/support.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Support } from './service.ts';

/** What a demo's customer service finds when it first opens its queue: [account, address, topic, text]. */
const WAITING: readonly (readonly [string, string, SupportTopic, string])[] = [
  [
    'applicant-1',
    'maria.sample@example.com',
    'withdrawal',
    'My withdrawal to a new address says that the address is usable tomorrow. Is there a way to see how long it still takes?',
  ],
  ['applicant-2', 'wang.yangli@example.com', 'verification', '证件审核一般需要多长时间？我今天上午提交的。'],
];
const ASKED = 'Which network should I pick for a USDT deposit from another exchange?';
const ANSWERED =
  'Pick the network that the other exchange sends on; both sides must name the same one. For USDT, TRC20 is usually the cheapest. Send a small amount first if you are not sure.';

/** Gives customer service something to answer, and the trader an answer to read; each once. */
export async function seedSupport(support: Support, { trader, systemUser }: Demo): Promise<void> {
  const writer = { locale: 'en-US', address: '127.0.0.1', key: 'demo' } as const;
  for (const [account, email, topic, content] of WAITING) {
    const userId = await systemUser(account);
    await support.ask({ ...writer, session: { userId } }, { topic, content, email });
  }
  const page = { pageNo: 1, pageSize: 1 };
  if ((await support.mine(trader, page)).count > 0) return;
  const id = await support.ask(
    { ...writer, session: { userId: trader } },
    { topic: 'deposit', content: ASKED },
  );
  await support.decide(id, ANSWERED, 'support');
}
