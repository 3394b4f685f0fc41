import { IncomingMessage } from 'node:http';

/**
 * A request whose `Upgrade` header is ignored unless it requests a WebSocket. Node's server would pass every request
 * with the header to the upgrade listener. Requests for other protocols, such as `h2c`, are instead served normally
 * over HTTP/1.1, including their body.
 */
export class UpgradeableRequest extends IncomingMessage {
  declare private wantsUpgrade: boolean | null;

  /**
   * Whether the server passes the request to its upgrade listener. Node's parser sets this property before method and
   * headers are set, so the getter decides when the property is read.
   */
  get upgrade(): boolean {
    if (this.wantsUpgrade !== true) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(wantsUpgrade: boolean | null) {
    this.wantsUpgrade = wantsUpgrade;
  }
}
