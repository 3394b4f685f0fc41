import { PRODUCT_ACCOUNTS } from './accounts.ts';

/**
 * The screens to which a message can link. `none` is for a message without a link. The place of a product's screen has
 * the name of the product's account, except `launchpad`.
 */
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
  ...(['pair', 'order'] as const),
  ...PRODUCT_ACCOUNTS.filter((account) => account !== 'subscription'),
  ...(['seconds', 'launchpad'] as const),
  ...(['deposits', 'withdrawals'] as const),
  'recurring',
  'statement',
  'assets',
] as const;
export type MessagePlace = (typeof MESSAGE_PLACES)[number];
