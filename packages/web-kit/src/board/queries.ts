import { announcements, banners } from '@exchange/wire/board.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call } from '../api/client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { useLocale } from '../i18n/words.ts';

export type Announcement = DataOf<typeof announcements>['list'][number];
export type HomeBanner = DataOf<typeof banners>['list'][number];

const FRESH_MS = 60_000;

/** Fetches the published announcements in the current language, newest first, at most 50. */
export function useAnnouncements() {
  const locale = useLocale();
  return useStoredRead({
    queryKey: ['board', 'announcements', locale],
    queryFn: async ({ signal }) => (await call(announcements, {}, { signal })).list,
    staleTime: FRESH_MS,
  });
}

/** Fetches the banners of the home page in display order. */
export function useBanners() {
  const locale = useLocale();
  return useStoredRead({
    queryKey: ['board', 'banners', locale],
    queryFn: async ({ signal }) => (await call(banners, {}, { signal })).list,
    staleTime: FRESH_MS,
  });
}
