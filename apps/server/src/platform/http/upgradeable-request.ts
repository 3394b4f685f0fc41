import { IncomingMessage } from 'node:http';

/**
 * A request of which only a WebSocket's wish to upgrade is heard. Node's server asks every request whether it
 * upgrades; one that offers something else, as `h2c`, is answered by HTTP/1.1 like any other, body and all.
 */
export class UpgradeableRequest extends IncomingMessage {
  declare private hasAsked: boolean | null;

  /** Set by the parser when the head has been read, and asked for by the server once method and headers are known. */
  get upgrade(): boolean {
    if (this.hasAsked !== true) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(hasAsked: boolean | null) {
    this.hasAsked = hasAsked;
  }
}
