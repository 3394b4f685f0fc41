/** Categories of announcements. */
export const TOPICS = ['product', 'maintenance', 'activity', 'notice'] as const;
export type Topic = (typeof TOPICS)[number];

/** The illustration beside a banner's text; `none` shows text only. */
export const BANNER_PICTURES = [
  'none',
  'spot',
  'finance',
  'mining',
  'subscription',
  'fund',
  'seconds',
  'invite',
  'security',
] as const;
export type BannerPicture = (typeof BANNER_PICTURES)[number];
