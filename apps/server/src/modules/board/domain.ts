import type { BannerPicture, Topic } from '@exchange/core/board.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * Maximum number of announcements and banners together, including withdrawn ones; it limits the cost of reading them
 * all.
 */
export const ENTRIES_MAX = 500;
export const ANNOUNCEMENTS_SHOWN = 50;
export const BANNERS_SHOWN = 8;
export const TITLE_MAX = 120;
export const TEXT_MAX = { announcement: 4_000, banner: 240 } as const;

export const CODE = /^[a-z0-9][a-z0-9-]{1,59}$/;
const QUERY = /^[\w=&.-]*$/;

/** URL paths of the screens of the sites, by name of the screen. A link to a screen uses the first of its paths. */
export type Screens = ReadonlyMap<string, readonly string[]>;

export type EntryKind = 'announcement' | 'banner';

/**
 * Content of an announcement or a banner: its title and text by language, the topic of an announcement, and the picture
 * and link of a banner.
 */
export interface EntryBody {
  readonly title: TextByLocale;
  readonly content: TextByLocale;
  readonly topic?: Topic | undefined;
  readonly picture?: BannerPicture | undefined;
  readonly link?: string | undefined;
}

/**
 * The content of one version of an announcement or a banner, its position among the banners, and the time during which
 * visitors see it.
 */
export interface EntryTerms {
  readonly code: string;
  readonly kind: EntryKind;
  readonly body: EntryBody;
  /**
   * Position among the banners: a banner with a lower number comes first; of banners with equal numbers, the one that
   * starts last.
   */
  readonly position: number;
  readonly fromAt: Instant;
  /**
   * Time from which visitors no longer see the announcement or banner; undefined if they see it until it is withdrawn.
   */
  readonly untilAt: Instant | undefined;
  readonly isWithdrawn: boolean;
}

export interface Entry extends EntryTerms {
  readonly version: number;
}

/** True if visitors see the announcement or banner at `now`: it is not withdrawn, has started, and has not ended. */
export function isShown({ fromAt, untilAt, isWithdrawn }: EntryTerms, now: Instant): boolean {
  return !isWithdrawn && fromAt <= now && (untilAt === undefined || now < untilAt);
}

/**
 * True if the path of a link is that of a screen of this site, and its query, if it has one, consists of permitted
 * characters (`QUERY`).
 */
export function isSiteAddress(screens: Screens, link: string): boolean {
  const [path = '', ...query] = link.split('?');
  const isScreen = [...screens.values()].some((addresses) => addresses.includes(path));
  return isScreen && query.length < 2 && QUERY.test(query[0] ?? '');
}

/**
 * Returns the first problem of the content of an announcement or banner, with the name of the operator's form
 * field; undefined if there is no problem.
 */
export function entryProblem(terms: EntryTerms, screens: Screens): Refusal | undefined {
  const { code, kind, body, fromAt, untilAt } = terms;
  const invalid = (field: string, value: string) =>
    refusal('invalidField', 'l.field_invalid', { field, value });
  if (!CODE.test(code)) return invalid('code', code);
  if (untilAt !== undefined && untilAt <= fromAt) return invalid('untilAt', new Date(untilAt).toISOString());
  if (body.link !== undefined && !isSiteAddress(screens, body.link)) return invalid('link', body.link);
  const lengths = [
    ['title', body.title, TITLE_MAX],
    ['content', body.content, TEXT_MAX[kind]],
  ] as const;
  for (const [field, texts, limit] of lengths)
    for (const text of Object.values(texts))
      if (text !== undefined && text.length > limit)
        return refusal('invalidField', 'l.field_too_long', { field, limit: String(limit) });
  return undefined;
}
