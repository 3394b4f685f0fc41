import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { orderPath } from './paths.ts';

/** Push notifications of the mobile site; the service worker that lets the app open offline shows them. */
export const PUSH_SITE: PushSite = {
  base: '/',
  worker: '/service-worker.js',
  orderPath,
};
