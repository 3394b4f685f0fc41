import type { Config } from './config.ts';
import type { Foundation } from './app.ts';
import type { Link } from './platform/cluster/link.ts';
import { OwnProcess, sendSigns, type ProcessFigures } from './platform/cluster/processes.ts';
import type { DatabaseLog } from './platform/database/log.ts';
import type { Addresses } from './platform/edge.ts';
import type { Health } from './platform/health/health.ts';

/** Inputs of a process that serves users beside the writer, from the process or from a test. */
export interface NodeFoundation extends Pick<
  Foundation,
  'config' | 'clock' | 'log' | 'limits' | 'admissionLimits'
> {
  /** Connects the node with the writer; the caller closes the connection after the stop. */
  readonly link: Link;
  readonly databaseLog: DatabaseLog;
}

/** A process that serves users beside the writer. */
export interface ClusterNode {
  /** Opens the public and the operators' port. */
  listen(): Promise<Addresses>;
  /**
   * Announces the stop to proxies by `/health`, and resolves after the setting DRAIN_SECONDS. Calls and open
   * WebSocket connections are still served; new WebSocket connections are refused. Does nothing if the
   * setting is 0.
   */
  drain(): Promise<void>;
  /** Waits for the answers to the calls that were accepted, closes all connections and stops everything. */
  stop(): Promise<void>;
}

/** The URL of the database that a node reads: a replica where one is set. Throws if neither URL is set. */
export function databaseUrlOf({ replicaDatabaseUrl, databaseUrl }: Config): string {
  const url = replicaDatabaseUrl ?? databaseUrl;
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  return url;
}

/**
 * Publishes a node's status for the operators' list of processes, until the returned function is
 * called.
 */
export function announceNode(
  { config, clock, log, link }: NodeFoundation,
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
    port: config.port,
    clock,
    health: () => health.report(),
    figures,
  });
  return sendSigns(own, { link, log });
}
