/**
 * Maximum number of database connections of each pool, by purpose, for writing (`pool`) and reading (`reader`). A
 * connection is opened when it is first needed.
 */
export const POOL_SIZES = {
  own: { pool: 8, reader: 8 },
  requests: { pool: 8, reader: 10 },
  operators: { pool: 2, reader: 3 },
  replica: 10,
  /**
   * Number of database connections of the job queue: one per lane that listens for jobs, and four for claiming and
   * completing jobs. A running job occupies none of them.
   */
  jobs: 8,
  /** Maximum number of database connections of a feed or API node for sessions. */
  node: 8,
  /** Number of connections of an API node to the primary, over which it asks for the primary's position. */
  positions: 2,
} as const;

/**
 * Number of the writer's database connections outside of pools: for the journal with the writer's lock, for the index
 * tape, for listening for jobs, and for grants or migrations.
 */
const SINGLE_CONNECTIONS = 4;

/**
 * Number of a worker's database connections outside of pools: for its lock, and for listening for jobs.
 */
const WORKER_SINGLE_CONNECTIONS = 2;

const { own, requests, operators, jobs, node, positions, replica } = POOL_SIZES;
const POOLED = own.pool + own.reader + requests.pool + requests.reader + operators.pool + operators.reader;

/** Maximum number of a process's connections to the primary database, by the process's role; `node` is a feed node. */
export const CONNECTIONS_MAX = {
  writer: POOLED + jobs + SINGLE_CONNECTIONS,
  node,
  /** Those of an API node to the primary and to replicas together. */
  apiNode: node + positions + replica,
  worker: own.pool + own.reader + jobs + WORKER_SINGLE_CONNECTIONS,
} as const;
