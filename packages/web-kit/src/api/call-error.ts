/** The server understood the call and said no. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** From the wire's table of codes; −2 means that the session is over. */
  readonly code: number;
  /** The key of the sentence, `l.…`, where the server named one. */
  readonly errKey: string | undefined;
  /** What the sentence mentions: `field`, `limit`, `value`, `unit`, … */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, errKey?: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.errKey = errKey;
    this.data = data;
  }

  /** The form field that the refusal is about, if any. */
  get field(): string | undefined {
    return typeof this.data['field'] === 'string' ? this.data['field'] : undefined;
  }
}

/** The call got no usable answer: no connection, no answer in time, or not from our server. It may have happened or not. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly reason: 'network' | 'timeout' | 'answer';

  constructor(reason: CallFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
