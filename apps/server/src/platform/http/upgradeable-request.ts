import { IncomingMessage } from 'node:http';

/**
 * A request for which only upgrades to WebSocket, and `CONNECT`, are recognised. Node's server would pass every
 * request with an `Upgrade` header to the upgrade listener; here requests for other protocols, such as `h2c`, are
 * served normally over HTTP/1.1, including their body.
 */
export class UpgradeableRequest extends IncomingMessage {
  declare private wantsUpgrade: boolean | null;

  /** Set by the parser after the header, and read by the server when method and headers are known. */
  get upgrade(): boolean {
    if (this.wantsUpgrade !== true) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(wantsUpgrade: boolean | null) {
    this.wantsUpgrade = wantsUpgrade;
  }
}
