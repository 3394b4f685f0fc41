/** A query as the driver takes it, for the one kind of answer that it has no words for. */
export class CopyOut {
  private bytes = 0;
  private readonly text: string;
  private readonly resolve: (bytes: number) => void;
  private readonly reject: (cause: unknown) => void;

  constructor(text: string, resolve: (bytes: number) => void, reject: (cause: unknown) => void) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(line: { query(text: string): void }): void {
    line.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.bytes += chunk.length;
  }

  handleError(cause: unknown): void {
    this.reject(cause);
  }

  handleCommandComplete(): void {
    // The end is the next message.
  }

  handleReadyForQuery(): void {
    this.resolve(this.bytes);
  }
}
