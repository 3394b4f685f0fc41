import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { BASE_PATH, orderPath } from './paths.ts';

/** Push notifications of the desktop site; the service worker that lets the site open offline shows them. */
export const PUSH_SITE: PushSite = {
  base: `${BASE_PATH}/`,
  worker: `${BASE_PATH}/service-worker.js`,
  orderPath,
};
