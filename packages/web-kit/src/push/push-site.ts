import type { MessagePlace } from '@exchange/core/message-place.ts';
import { MESSAGE_PLACES } from '@exchange/core/message-place.ts';
import { messageLinkPath } from '../paths.ts';

/**
 * A site that can show pushes: the base path of its pages, the path of the file of its service worker, and
 * the path of the screen of an order.
 */
export interface PushSite {
  /** Path that is the prefix of the site's pages and of its service worker: `/` or `/pc/`. */
  readonly base: string;
  /** Path of the file of the service worker. */
  readonly worker: string;
  readonly orderPath: (id: string) => string;
}

/**
 * Returns, for each kind of place that a message can link to (such as an order), the two paths that the
 * service worker opens when the user presses a push: one for a message without an item, and one in which `*`
 * is replaced by the item, such as an order ID.
 */
export function placesOf({ orderPath }: Pick<PushSite, 'orderPath'>): Record<MessagePlace, [string, string]> {
  const STANDS_FOR_ITEM = 'pushed-item';
  const pathsOf = (place: MessagePlace): [string, string] => {
    const path = (item: string) => messageLinkPath(place, item, orderPath) ?? '';
    return [path(''), path(STANDS_FOR_ITEM).replace(STANDS_FOR_ITEM, '*')];
  };
  return Object.fromEntries(MESSAGE_PLACES.map((place) => [place, pathsOf(place)])) as Record<
    MessagePlace,
    [string, string]
  >;
}
