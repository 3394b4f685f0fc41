/**
 * Pool sizes by purpose, for writing (`pool`) and reading (`reader`). Connections are opened when first needed.
 */
export const POOL_SIZES = {
  own: { pool: 8, reader: 8 },
  requests: { pool: 8, reader: 10 },
  operators: { pool: 2, reader: 3 },
  replica: 10,
  /**
   * Connections of the job queue: one per lane that listens for jobs, and four for taking and
   * ending jobs; a running job holds none.
   */
  jobs: 8,
  /** Greatest number of database sessions of a feed or API node. */
  node: 8,
} as const;

/**
 * Further connections of the writer: the journal with the writer's lock, the index tape, the
 * listener of jobs, and one that grants rights or migrates.
 */
const SINGLE_CONNECTIONS = 4;

const { own, requests, operators, jobs, node } = POOL_SIZES;
const POOLED = own.pool + own.reader + requests.pool + requests.reader + operators.pool + operators.reader;

/** The most connections of a process to the primary database, by its role. */
export const CONNECTIONS_MAX = {
  writer: POOLED + jobs + SINGLE_CONNECTIONS,
  node,
} as const;
