import { ownKeys } from '../session/own-key.ts';

/** A person's positions, seconds account and limits in the cache. */
export const SECONDS = ownKeys('seconds');

/** The terms that everybody has. */
export const TERMS_KEY = ['seconds', 'terms'] as const;
