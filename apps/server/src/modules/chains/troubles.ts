/**
 * Holds in memory why payments or batches of a channel wait although they should not: one reason for each of
 * them, by its key.
 */
export class Troubles {
  private readonly texts = new Map<string, string>();

  /** The reason that has been in this map (in memory) for longest; undefined if nothing waits. */
  get first(): string | undefined {
    return [...this.texts.values()][0];
  }

  has(key: string): boolean {
    return this.texts.has(key);
  }

  /**
   * Stores in memory the reason why the payment or batch `key` waits. Returns true if the reason differs from
   * the stored one, so that the caller logs each reason once.
   */
  store(key: string, text: string): boolean {
    const isNew = this.texts.get(key) !== text;
    this.texts.set(key, text);
    return isNew;
  }

  delete(key: string): void {
    this.texts.delete(key);
  }
}
