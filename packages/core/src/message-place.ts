/** The screen that a message links to; `none` for a message without a link. */
export const MESSAGE_PLACES = [
  ...([
    'none',
    'start',
    'security',
    'apiKeys',
    'verification',
    'agreements',
    'support',
    'invitations',
  ] as const),
  ...(['pair', 'order', 'finance', 'mining', 'fund', 'seconds', 'launchpad'] as const),
  ...(['deposits', 'withdrawals'] as const),
  'statement',
] as const;
export type MessagePlace = (typeof MESSAGE_PLACES)[number];
