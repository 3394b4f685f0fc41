/**
 * Runs the index thread from its TypeScript source. Worker threads do not inherit the TypeScript loader of
 * their parent.
 */
import { register } from 'tsx/esm/api';

register();
await import('../src/modules/market/index-worker.ts');
