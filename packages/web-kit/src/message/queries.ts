import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { NoticeMessage } from '@exchange/wire/feed.ts';
import {
  deleteMessages,
  messageCount,
  messageDetail,
  messagePage,
  messageSettings,
  readMessages,
  setMessageSetting,
  type NoticeTopic,
} from '@exchange/wire/message.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { queryClient, useRead } from '../api/query-client.ts';
import { notify } from '../notify.ts';
import { useTopic } from '../feed/feed.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';

export type Message = DataOf<typeof messagePage>['list'][number];
export type MessageKind = '1' | '2' | '3' | '4';
export interface MessageFilter {
  readonly type?: MessageKind | undefined;
  readonly unreadOnly?: boolean | undefined;
}

/** The inbox in the cache. */
const MESSAGES = ownKeys('message');

/** How many messages are unread, live; 0 for visitors. */
export function useUnreadCount(): number {
  const isSignedIn = useSession(({ session }) => session !== null);
  useTopic(isSignedIn ? 'notice' : undefined, ({ data }) => {
    queryClient.setQueryData(MESSAGES.now('count'), (data as NoticeMessage).count);
    void queryClient.invalidateQueries({ queryKey: MESSAGES.now('types') });
    void queryClient.invalidateQueries({ queryKey: MESSAGES.now('list') });
  });
  const query = useRead({
    queryKey: MESSAGES.use('count'),
    queryFn: async ({ signal }) => (await call(messageCount, {}, { signal })).count,
    enabled: isSignedIn,
  });
  return isSignedIn ? (query.data ?? 0) : 0;
}

/** How many messages of each type are unread, as often as their number changes. */
export function useUnreadByType() {
  return useRead({
    queryKey: MESSAGES.use('types'),
    queryFn: async ({ signal }) => (await call(messageCount, {}, { signal })).byType,
  }).data;
}

/** The inbox, newest first, page by page. */
export function useMessages(filter: MessageFilter = {}) {
  return useGrowingList<Message>(MESSAGES.use('list', filter), (page, signal) =>
    call(
      messagePage,
      {
        type: filter.type ?? null,
        readFlag: filter.unreadOnly === true ? '0' : null,
        ...page,
      },
      { signal },
    ),
  );
}

/** One message; reading it marks it read. */
export function useMessage(id: string) {
  return useRead({
    queryKey: MESSAGES.use('one', id),
    queryFn: async ({ signal }) => {
      const message = await call(messageDetail, { id }, { signal });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.now('count') });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.now('types') });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.now('list') });
      return message;
    },
  });
}

/** Marks one message read, or all of them. */
export function useReadMessages() {
  return useMutation({
    mutationFn: (which: { id: string } | 'all') =>
      call(readMessages, which === 'all' ? { all: '1' } : { id: which.id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: MESSAGES.now() }),
  });
}

/** Deletes one message, or all that are read. */
export function useDeleteMessages() {
  return useMutation({
    mutationFn: (which: { id: string } | 'read') =>
      call(deleteMessages, which === 'read' ? { all: '1' } : { ids: which.id }),
    onSuccess: (_, which) => {
      if (which !== 'read') queryClient.removeQueries({ queryKey: MESSAGES.now('one', which.id) });
      for (const part of ['count', 'types', 'list'])
        void queryClient.invalidateQueries({ queryKey: MESSAGES.now(part) });
    },
  });
}

export type MessageSetting = DataOf<typeof messageSettings>['list'][number];
export type MessageChannel = 'inbox' | 'mail';

/** What one is told of, and how. */
export function useMessageSettings() {
  return useRead({
    queryKey: MESSAGES.use('settings'),
    queryFn: async ({ signal }) => (await call(messageSettings, {}, { signal })).list,
  });
}

/** Chooses how one is told of a topic; a change that did not come through is not shown. */
export function useSetMessageSetting() {
  return useMutation({
    mutationFn: ({ topic, channel, isOn }: { topic: NoticeTopic; channel: MessageChannel; isOn: boolean }) =>
      call(setMessageSetting, { topic, [channel]: isOn ? '1' : '0' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: MESSAGES.now('settings') }),
    onError: notify.failure,
  });
}
