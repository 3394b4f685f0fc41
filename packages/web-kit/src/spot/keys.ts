import { ownKeys } from '../session/own-key.ts';

/** Orders, fills and fees in the cache. */
export const SPOT = ownKeys('spot');
