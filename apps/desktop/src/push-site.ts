import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { BASE_PATH, orderPath } from './paths.ts';

/**
 * Settings of the push notifications of the desktop site: its base path, the path of the service worker that
 * shows the notifications, and the path of an order's screen, which a notification can open.
 */
export const PUSH_SITE: PushSite = {
  base: `${BASE_PATH}/`,
  worker: `${BASE_PATH}/service-worker.js`,
  orderPath,
};
