/**
 * Remembers what a private topic receives while something about it is being loaded. An answer may be older than what was
 * received before it arrived; what was received is then applied to it, in its order, and wins.
 */
export class ReceivedMeanwhile<Message> {
  private readonly loads = new Set<Message[]>();

  /** The topic has sent this. */
  receive(message: Message): void {
    for (const received of this.loads) received.push(message);
  }

  /** Loads, and gives the answer after `apply` has brought it up to each message that came meanwhile. */
  async during<Answer>(
    load: () => Promise<Answer>,
    apply: (answer: Answer, message: Message) => Answer,
  ): Promise<Answer> {
    const received: Message[] = [];
    this.loads.add(received);
    try {
      return received.reduce(apply, await load());
    } finally {
      this.loads.delete(received);
    }
  }
}
