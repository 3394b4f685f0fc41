import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { BASE_PATH, orderPath } from './paths.ts';

/** Push notifications of the desktop site; a service worker that does nothing else shows them. */
export const PUSH_SITE: PushSite = {
  base: `${BASE_PATH}/`,
  worker: `${BASE_PATH}/push-worker.js`,
  orderPath,
};
