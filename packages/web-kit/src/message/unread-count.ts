import type { NoticeMessage } from '@exchange/wire/feed.ts';
import { messageCount } from '@exchange/wire/message.ts';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { showBadge } from '../badge.ts';
import { useTopic } from '../feed/feed.ts';
import { useSession } from '../session/session-store.ts';
import { userKeys } from '../session/user-keys.ts';

/** Query keys of the user's inbox messages, of the number of unread ones, and of the notification settings. */
export const MESSAGES = userKeys('message');

/**
 * The number of the user's unread messages, updated live and also shown on the icon of the installed app; 0 for
 * visitors and until loaded.
 */
export function useUnreadCount(): number {
  const isSignedIn = useSession(({ session }) => session !== null);
  useTopic(isSignedIn ? 'notice' : undefined, ({ data }) => {
    queryClient.setQueryData(MESSAGES.forCurrentUser('count'), (data as NoticeMessage).count);
    void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('types') });
    void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('list') });
  });
  const query = useRead({
    queryKey: MESSAGES.use('count'),
    queryFn: async ({ signal }) => (await call(messageCount, {}, { signal })).count,
    enabled: isSignedIn,
  });
  const count = isSignedIn ? (query.data ?? 0) : 0;
  useEffect(() => void showBadge(count), [count]);
  return count;
}
