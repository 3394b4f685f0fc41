/** What an announcement is about. */
export const TOPICS = ['product', 'maintenance', 'activity', 'notice'] as const;
export type Topic = (typeof TOPICS)[number];

/** The artwork beside a banner's words; `none` is words alone. */
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
