import { textIn, type Locale } from '@exchange/core/locale.ts';
import type { announcements, banners } from '@exchange/wire/board.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { Entry } from './domain.ts';

export function presentAnnouncement(
  { code, version, body, fromAt }: Entry,
  locale: Locale,
): DataOf<typeof announcements>['list'][number] {
  return {
    code,
    version,
    topic: body.topic ?? 'notice',
    publishTime: fromAt,
    title: textIn(body.title, locale),
    content: textIn(body.content, locale),
  };
}

export function presentBanner(
  { code, version, body }: Entry,
  locale: Locale,
): DataOf<typeof banners>['list'][number] {
  return {
    code,
    version,
    picture: body.picture ?? 'none',
    link: body.link ?? '',
    title: textIn(body.title, locale),
    content: textIn(body.content, locale),
  };
}
