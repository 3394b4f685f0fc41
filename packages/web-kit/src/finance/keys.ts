import { ownKeys } from '../session/own-key.ts';

/** A person's finance orders, income and figures in the cache. */
export const FINANCE = ownKeys('finance');
