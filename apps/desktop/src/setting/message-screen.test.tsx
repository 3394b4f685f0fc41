import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { messageCount, messageDetail, messagePage } from '@exchange/wire/message.ts';
import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { draw, RefusedCall, setUpFixtures } from '../../testing/fixtures.tsx';
import FundDetailScreen from '../fund/detail-screen.tsx';
import SubscriptionDetailScreen from '../subscription/detail-screen.tsx';
import MessageScreen from './message-screen.tsx';
import MessagesScreen from './messages-screen.tsx';

const fixtures = setUpFixtures();
const DIGEST = {
  id: 'digest',
  type: 3,
  title: 'Income for 26 Nov',
  summary: 'Credited to your spot account: 2.1 USDT.',
  readFlag: 0,
  createTime: Date.UTC(2026, 10, 27, 0, 30),
};

it('MSG-960 MSG-961 the daily income is a single message that lists its products and links to the records', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => {
    if (path.endsWith(messagePage.path))
      return { list: [DIGEST], totalRow: 1, sum: 1, totalPage: 1, hasMore: 0 };
    if (path.endsWith(messageDetail.path))
      return { ...DIGEST, content: 'Fixed one: 2 USDT\nand 2 more', place: 'statement', item: '' };
    return path.endsWith(messageCount.path) ? { count: 1, byType: { 1: 0, 2: 0, 3: 1, 4: 0 } } : { list: [] };
  });
  draw(<MessagesScreen />);
  expect(await screen.findByText('Income for 26 Nov')).toBeTruthy();
  expect(screen.getByText('Credited to your spot account: 2.1 USDT.')).toBeTruthy();
  cleanup();
  draw(<MessageScreen />);
  expect(await screen.findByText('Fixed one: 2 USDT')).toBeTruthy();
  expect(screen.getByText('and 2 more')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View details' }).getAttribute('href')).toContain(
    '/account/trade?type=3',
  );
});

it.each([
  [
    'message',
    <MessageScreen key="message" />,
    paths.messages,
    'This message does not exist. It may have been deleted.',
  ],
  ['project', <SubscriptionDetailScreen key="project" />, paths.subscribe, 'This project does not exist.'],
  ['fund', <FundDetailScreen key="fund" />, paths.fund, 'This fund does not exist.'],
])(
  'WEB-336 a missing %s is reported as missing, with a link to the list and no retry',
  async (_, node, list, text) => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    fixtures.answers(({ path }) =>
      /etail$/i.test(path) ? new RefusedCall('l.not_found', 'Not found.') : { list: [], totalRow: 0, sum: 0 },
    );
    draw(node, '/here?id=00000000-0000-7000-8000-000000000000');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs).toContain(list);
  },
);
