import type { DataOf } from '@exchange/wire/endpoint.ts';
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
import { MESSAGES } from './unread-count.ts';

export type Message = DataOf<typeof messagePage>['list'][number];
export type MessageKind = '1' | '2' | '3' | '4';
export interface MessageFilter {
  readonly type?: MessageKind | undefined;
  readonly unreadOnly?: boolean | undefined;
}

/** The number of unread inbox messages per kind; undefined until loaded. */
export function useUnreadByType() {
  return useRead({
    queryKey: MESSAGES.use('types'),
    queryFn: async ({ signal }) => (await call(messageCount, {}, { signal })).byType,
  }).data;
}

/**
 * The messages of the inbox, newest first, loaded page by page: all of them, or with `filter` those of one
 * kind or the unread ones.
 */
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

/** Fetches a single inbox message; the server marks a fetched message as read. */
export function useMessage(id: string) {
  return useRead({
    queryKey: MESSAGES.use('one', id),
    queryFn: async ({ signal }) => {
      const message = await call(messageDetail, { id }, { signal });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('count') });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('types') });
      void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('list') });
      return message;
    },
  });
}

/** Marks one inbox message, or all of them, as read. */
export function useReadMessages() {
  return useMutation({
    mutationFn: (target: { id: string } | 'all') =>
      call(readMessages, target === 'all' ? { all: '1' } : { id: target.id }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser() }),
  });
}

/** Deletes one inbox message, or all messages that are read. */
export function useDeleteMessages() {
  return useMutation({
    mutationFn: (target: { id: string } | 'read') =>
      call(deleteMessages, target === 'read' ? { all: '1' } : { ids: target.id }),
    onSuccess: (_, target) => {
      if (target !== 'read')
        queryClient.removeQueries({ queryKey: MESSAGES.forCurrentUser('one', target.id) });
      for (const part of ['count', 'types', 'list'])
        void queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser(part) });
    },
  });
}

export type MessageSetting = DataOf<typeof messageSettings>['list'][number];
export type MessageChannel = 'inbox' | 'mail';

/** The user's notification settings by topic, each for inbox and mail. */
export function useMessageSettings() {
  return useRead({
    queryKey: MESSAGES.use('settings'),
    queryFn: async ({ signal }) => (await call(messageSettings, {}, { signal })).list,
  });
}

/**
 * Changes the notification setting of a topic for inbox or mail; a failure is shown in a notification, and the old
 * setting stays.
 */
export function useSetMessageSetting() {
  return useMutation({
    mutationFn: ({ topic, channel, isOn }: { topic: NoticeTopic; channel: MessageChannel; isOn: boolean }) =>
      call(setMessageSetting, { topic, [channel]: isOn ? '1' : '0' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: MESSAGES.forCurrentUser('settings') }),
    onError: notify.failure,
  });
}
