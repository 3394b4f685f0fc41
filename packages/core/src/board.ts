/** Categories of announcements. */
export const TOPICS = ['product', 'maintenance', 'activity', 'notice'] as const;
export type Topic = (typeof TOPICS)[number];

/** The illustrations that a banner can show beside its text. With `none` the banner shows only text. */
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
