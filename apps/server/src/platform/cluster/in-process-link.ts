import { MESSAGE_BYTES_MAX, type Link } from './link.ts';

type Receiver = (payload: Uint8Array) => void;

/** Connects links within a single process, with the same guarantees as links between processes. */
export class InProcessBroker {
  private readonly links = new Set<InProcessLink>();

  connect(): Link {
    const link = new InProcessLink(this);
    this.links.add(link);
    return link;
  }

  /** Delivers a message to all links except its sender, in a later turn of the event loop. */
  deliver(sender: InProcessLink, subject: string, payload: Uint8Array): void {
    for (const link of this.links) if (link !== sender) link.receiveLater(subject, payload);
  }

  disconnect(link: InProcessLink): void {
    this.links.delete(link);
  }
}

class InProcessLink implements Link {
  dropped = 0;
  private readonly broker: InProcessBroker;
  private readonly receivers = new Map<string, Set<Receiver>>();
  private isClosed = false;

  constructor(broker: InProcessBroker) {
    this.broker = broker;
  }

  get isConnected(): boolean {
    return !this.isClosed;
  }

  publish(subject: string, payload: Uint8Array): void {
    if (payload.length > MESSAGE_BYTES_MAX) throw new RangeError(`a message of ${payload.length} bytes`);
    if (this.isClosed) this.dropped += 1;
    else this.broker.deliver(this, subject, Uint8Array.from(payload));
  }

  subscribe(subject: string, receive: Receiver): () => void {
    const receivers = this.receivers.get(subject) ?? new Set();
    receivers.add(receive);
    this.receivers.set(subject, receivers);
    return () => {
      receivers.delete(receive);
    };
  }

  receiveLater(subject: string, payload: Uint8Array): void {
    setImmediate(() => {
      if (this.isClosed) return;
      for (const receive of this.receivers.get(subject) ?? []) receive(payload);
    });
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.broker.disconnect(this);
    return Promise.resolve();
  }
}
