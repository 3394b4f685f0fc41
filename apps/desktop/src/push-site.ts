import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { BASE_PATH, orderPath } from './paths.ts';

/** Pushes of the desktop site, shown by a worker that does nothing else. */
export const PUSH_SITE: PushSite = {
  base: `${BASE_PATH}/`,
  worker: `${BASE_PATH}/push-worker.js`,
  orderPath,
};
