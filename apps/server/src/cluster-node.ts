import type { Config } from './config.ts';
import type { Foundation } from './app.ts';
import type { Link } from './platform/cluster/link.ts';
import type { DatabaseLog } from './platform/database/log.ts';
import type { Addresses } from './platform/edge.ts';

/** Inputs of a process that serves users beside the writer, from the process or from a test. */
export interface NodeFoundation extends Pick<
  Foundation,
  'config' | 'clock' | 'log' | 'limits' | 'admissionLimits'
> {
  /** Connects the node with the writer; the caller closes it after the stop. */
  readonly link: Link;
  readonly databaseLog: DatabaseLog;
}

/** A process that serves users beside the writer. */
export interface ClusterNode {
  /** Opens both ports. */
  listen(): Promise<Addresses>;
  /** Answers the calls that were accepted, closes all connections and stops everything. */
  stop(): Promise<void>;
}

/** The URL of the database that a node reads: a replica where one is set. */
export function databaseUrlOf({ replicaDatabaseUrl, databaseUrl }: Config): string {
  const url = replicaDatabaseUrl ?? databaseUrl;
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  return url;
}
