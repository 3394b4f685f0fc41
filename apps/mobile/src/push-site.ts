import type { PushSite } from '@exchange/web-kit/push/push-site.ts';
import { orderPath } from './paths.ts';

/** Pushes of the mobile site, shown by the worker that also opens the app offline. */
export const PUSH_SITE: PushSite = {
  base: '/',
  worker: '/service-worker.js',
  orderPath,
};
