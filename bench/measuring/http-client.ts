import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
/** What is read is taken out at once, so all connections read into the same bytes. */
const SHARED = Buffer.allocUnsafe(65_536);

/**
 * One kept-alive HTTP/1.1 connection with one request under way at a time. It understands just what our
 * server answers and reads into one buffer: the cheaper the client, the more of the machine is the server's.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private pending = '';
  private answered: ((body: string) => void) | undefined;
  private failed: ((cause: Error) => void) | undefined;

  private constructor(port: number, opened: (connection: HttpConnection) => void) {
    this.socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: SHARED,
        callback: (length) => {
          this.take(SHARED.toString('latin1', 0, length));
          return true;
        },
      },
    });
    this.socket.on('connect', () => opened(this));
    this.socket.on('error', (cause) => this.failed?.(cause));
    this.socket.on('close', () => this.failed?.(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const connection = new HttpConnection(port, resolve);
      connection.failed = reject;
    });
  }

  /** Sends a whole request and gives the answer's body. */
  send(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.failed = reject;
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.failed = undefined;
    this.socket.destroy();
  }

  private take(text: string): void {
    this.pending = this.pending === '' ? text : this.pending + text;
    const headEnd = this.pending.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(LENGTH.exec(this.pending)?.[1] ?? Number.NaN);
    if (Number.isNaN(length))
      throw new Error(`an answer without a length: ${this.pending.slice(0, headEnd)}`);
    const bodyStart = headEnd + HEAD_END.length;
    if (this.pending.length < bodyStart + length) return;
    const body = this.pending.slice(bodyStart, bodyStart + length);
    this.pending = '';
    this.answered?.(body);
  }
}

/** A form-encoded POST as a browser's code would send it. */
export function formPost(path: string, token: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Access-Token: ${token}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

export function plainGet(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}
