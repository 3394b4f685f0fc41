import * as fc from 'fast-check';

/**
 * Configures the property tests. PROPERTY_RUNS sets how often each property is tested (100 times by default), and
 * PROPERTY_SEED repeats a run. A test may set its own number of runs.
 */
const runs = Number(process.env.PROPERTY_RUNS ?? 100);
const seed = process.env.PROPERTY_SEED;

fc.configureGlobal({ numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) });
