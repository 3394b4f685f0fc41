import type { Config } from './config.ts';
import type { Foundation } from './app.ts';
import type { Link } from './platform/cluster/link.ts';
import { OwnProcess, sendSigns, type ProcessFigures } from './platform/cluster/processes.ts';
import type { DatabaseLog } from './platform/database/log.ts';
import type { Addresses } from './platform/edge.ts';
import type { Health } from './platform/health/health.ts';

/**
 * The settings, clock, log, rate limits and link to the writer with which an API node, a feed node or a
 * worker is created; the process or a test creates these objects.
 */
export interface NodeFoundation extends Pick<
  Foundation,
  'config' | 'clock' | 'log' | 'limits' | 'admissionLimits'
> {
  /** Connection of the node with the writer process; the caller closes it after the node has stopped. */
  readonly link: Link;
  readonly databaseLog: DatabaseLog;
}

/** An API node, a feed node or a worker: a process that does a part of the work in addition to the writer process. */
export interface ClusterNode {
  /** Opens the public port, which a worker does not have, and the operators' port. */
  listen(): Promise<Addresses>;
  /**
   * Announces the stop to proxies (`/health` then reports it), and resolves after the number of seconds in the setting
   * DRAIN_SECONDS. Meanwhile calls and open WebSocket connections are served, but new WebSocket connections are
   * refused. Resolves at once if the setting is 0, and on a worker.
   */
  drain(): Promise<void>;
  /**
   * Waits until the accepted calls are answered or, on a worker, the running jobs have ended; then closes all
   * connections and stops the node.
   */
  stop(): Promise<void>;
}

/**
 * Returns the URL of the database that a node reads: the replica's if one is set, otherwise the main
 * database's. Throws if neither URL is set.
 */
export function databaseUrlOf({ replicaDatabaseUrl, databaseUrl }: Config): string {
  const url = replicaDatabaseUrl ?? databaseUrl;
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  return url;
}

/**
 * Publishes the status of a node every second, for the operators' list of processes, until the returned function is
 * called.
 */
export function announceNode(
  { config, clock, log, link }: Pick<NodeFoundation, 'config' | 'clock' | 'log' | 'link'>,
  {
    name,
    health,
    figures,
  }: { readonly name: string; readonly health: Health; readonly figures: () => ProcessFigures },
): () => void {
  const own = new OwnProcess({
    name,
    role: config.role,
    version: config.version,
    // Operators identify a process by its public port. A worker has none, so the port of its operators' server is
    // shown.
    port: config.role === 'worker' ? config.consolePort : config.port,
    clock,
    health: () => health.report(),
    figures,
  });
  return sendSigns(own, { link, log });
}
