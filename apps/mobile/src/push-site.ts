import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { orderPath } from './paths.ts';

/**
 * Settings of the push notifications of the mobile site: its base path, the path of the service worker that
 * shows the notifications, and the path of an order's screen, which a notification can open.
 */
export const PUSH_SITE: PushSite = {
  base: '/',
  worker: '/service-worker.js',
  orderPath,
};
