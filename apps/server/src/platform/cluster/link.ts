/**
 * Carries messages between the processes of one exchange. A message that cannot be sent, that no process receives, or
 * that is lost during the transmission is neither stored nor repeated. Messages of a sender arrive at each receiver in
 * the order in which they were published, across all subjects.
 */
export interface Link {
  /** Whether messages can be sent now. Messages that are published without a connection are dropped. */
  readonly isConnected: boolean;
  /** Number of messages that were dropped because the link was not connected or could not keep up. */
  readonly dropped: number;
  /**
   * Sends a message of at most `MESSAGE_BYTES_MAX` bytes to all other processes that subscribe to the subject. Throws
   * for a longer message.
   */
  publish(subject: string, payload: Uint8Array): void;
  /** Subscribes to a subject, also after reconnections. Returns a function that ends the subscription. */
  subscribe(subject: string, receive: (payload: Uint8Array) => void): () => void;
  /** Sends the queued messages if there is a connection, and closes the link. */
  close(): Promise<void>;
}

/** Maximum size of a message in bytes: half of the maximum of a NATS server by default. */
export const MESSAGE_BYTES_MAX = 524_288;

/**
 * The subjects of messages between processes. An epoch is a number in the database that increases with each change of
 * the writer.
 */
export const SUBJECTS = {
  /** Subject of the writer's announcement with the numbers of its last messages, every 200 ms. */
  writer: 'exchange.writer.is',
  /** Subject of the status message that each process sends every second. */
  processes: 'exchange.process.is',
  /** Subject of the facts that are sent to all feed nodes. */
  facts: 'exchange.fact.public',
  /** Subject of messages about users' sessions that were ended before they expired: the session's id and its user. */
  sessionEnded: 'exchange.session.ended',
  /** Subject of facts and snapshots for one feed node. */
  factsOf: (node: string) => `exchange.fact.node.${node}`,
  /** Subject of messages from feed nodes to the writer of an epoch. */
  toWriter: (epoch: bigint) => `exchange.node.${epoch}`,
  /** Subject of commands from API nodes to the writer of an epoch. */
  commands: (epoch: bigint) => `exchange.cmd.${epoch}`,
  /** Subject of the writer's answers to one API node. */
  answersOf: (node: string) => `exchange.reply.${node}`,
} as const;

/**
 * Character that separates the fields of a line. Fields contain no tabs or line breaks; JSON text escapes
 * both.
 */
export const FIELD = '\t';
export const LINE = '\n';
