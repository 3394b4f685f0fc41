/**
 * Carries messages between the processes of one exchange. A message that cannot be sent, that no process receives, or
 * that is lost on its way is neither stored nor repeated. Messages of a sender arrive at each receiver in the order in
 * which they were published, across all subjects.
 */
export interface Link {
  /** True if messages can be sent now. Messages that are published without a connection are dropped. */
  readonly isConnected: boolean;
  /** Number of messages that were dropped because the link was not connected or could not keep up. */
  readonly dropped: number;
  /** Sends a message of at most `MESSAGE_BYTES_MAX` bytes to all other processes that subscribe to the subject. */
  publish(subject: string, payload: Uint8Array): void;
  /** Subscribes to a subject, also after reconnections. Returns a function that ends the subscription. */
  subscribe(subject: string, receive: (payload: Uint8Array) => void): () => void;
  /** Sends queued messages as far as possible, and closes the link. */
  close(): Promise<void>;
}

/** Maximum size of a message in bytes: half of the maximum of a NATS server by default. */
export const MESSAGE_BYTES_MAX = 524_288;

/** The subjects of messages. An epoch is a number in the database that increases with each change of the writer. */
export const SUBJECTS = {
  /** The writer's announcement with its positions, every 200 ms. */
  writer: 'exchange.writer.is',
  /** Status of each process, every second. */
  processes: 'exchange.process.is',
  /** Facts for all feed nodes. */
  facts: 'exchange.fact.public',
  /** The id of a session that ended before it expired, and its user. */
  sessionEnded: 'exchange.session.ended',
  /** Facts and snapshots for one feed node. */
  factsOf: (node: string) => `exchange.fact.node.${node}`,
  /** Messages of feed nodes to the writer of an epoch. */
  toWriter: (epoch: bigint) => `exchange.node.${epoch}`,
  /** Commands of API nodes for the writer of an epoch. */
  commands: (epoch: bigint) => `exchange.cmd.${epoch}`,
  /** The writer's answers to one API node. */
  answersOf: (node: string) => `exchange.reply.${node}`,
} as const;

/** Separates the fields of a line. Fields contain no tabs or line breaks; JSON text escapes both. */
export const FIELD = '\t';
export const LINE = '\n';
