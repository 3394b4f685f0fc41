/**
 * Remembers what a private topic tells while something about it is being loaded. An answer may be older than what was
 * told before it arrived; what was told is then applied to it, in its order, and wins.
 */
export class ToldMeanwhile<Message> {
  private readonly loads = new Set<Message[]>();

  /** The topic has told this. */
  tell(message: Message): void {
    for (const told of this.loads) told.push(message);
  }

  /** Loads, and gives the answer after `apply` has brought it up to each message that came meanwhile. */
  async during<Answer>(
    load: () => Promise<Answer>,
    apply: (answer: Answer, message: Message) => Answer,
  ): Promise<Answer> {
    const told: Message[] = [];
    this.loads.add(told);
    try {
      return told.reduce(apply, await load());
    } finally {
      this.loads.delete(told);
    }
  }
}
