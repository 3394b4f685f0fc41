import { BANNER_PICTURES, TOPICS } from '@exchange/core/board.ts';
import * as z from 'zod/mini';
import { instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

export const announcements = endpoint({
  path: '/index/getAnnouncements',
  summary:
    'Published announcements in the caller’s language, newest first, at most 50; empty lines separate paragraphs.',
  access: ANYONE,
  charge: publicRead(1),
  method: 'GET',
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        code: z.string(),
        version: z.int(),
        topic: z.enum(TOPICS),
        title: z.string(),
        content: z.string(),
        publishTime: instantMs,
      }),
    ),
  }),
});

export const banners = endpoint({
  path: '/index/getBanners',
  summary: 'Banners of the home screen in their order, at most 8, in the caller’s language.',
  access: ANYONE,
  charge: publicRead(1),
  method: 'GET',
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        code: z.string(),
        version: z.int(),
        title: z.string(),
        content: z.string(),
        picture: z.enum(BANNER_PICTURES),
        /** Path on this site to which the banner links; empty for a banner without a link. */
        link: z.string(),
      }),
    ),
  }),
});
