import type { MessagePlace } from '@exchange/core/message-place.ts';
import { MESSAGE_PLACES } from '@exchange/core/message-place.ts';
import { messageLinkPath } from '../paths.ts';

/** The service worker of a site that shows pushes, and where the site shows an order. */
export interface PushSite {
  /** Path below which the site's pages and its worker are: `/` or `/pc/`. */
  readonly base: string;
  /** Path of the worker's file. */
  readonly worker: string;
  readonly orderPath: (id: string) => string;
}

/**
 * Paths that the service worker opens when a push is pressed, by the place to which the message links. Each
 * place has two: the path without an item, and the path with `*` where the item stands, if it has one (for
 * example an order id).
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
