/** The thread that makes the index, from its source: a transformation that its parent has does not reach into threads. */
import { register } from 'tsx/esm/api';

register();
await import('../src/modules/market/index-worker.ts');
