import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
/**
 * Receive buffer that all connections share. This is possible because received bytes are copied from it
 * before the next bytes are received.
 */
const SHARED_BUFFER = Buffer.allocUnsafe(65_536);

/**
 * A persistent HTTP/1.1 connection with one request at a time. It parses only the response forms of the exchange's
 * server, because a simple client leaves more processor time to the server.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private pending = '';
  private onAnswer: ((body: string) => void) | undefined;
  private onFailure: ((cause: Error) => void) | undefined;

  private constructor(port: number, onOpen: (connection: HttpConnection) => void) {
    this.socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: SHARED_BUFFER,
        callback: (length) => {
          this.receive(SHARED_BUFFER.toString('latin1', 0, length));
          return true;
        },
      },
    });
    this.socket.on('connect', () => onOpen(this));
    this.socket.on('error', (cause) => this.onFailure?.(cause));
    this.socket.on('close', () => this.onFailure?.(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const connection = new HttpConnection(port, resolve);
      connection.onFailure = reject;
    });
  }

  /** Sends a complete request and returns the body of the response. */
  send(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.onAnswer = resolve;
      this.onFailure = reject;
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.onFailure = undefined;
    this.socket.destroy();
  }

  private receive(text: string): void {
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
    this.onAnswer?.(body);
  }
}

/** Formats a form-encoded POST request like those of the web app. */
export function formPost(path: string, token: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Access-Token: ${token}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

export function plainGet(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}
