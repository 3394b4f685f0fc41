import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { partsOf } from './chain-config.ts';
import type { Environment } from './setting-fields.ts';

/** Placeholder of the transaction ID in the URL of an explorer page. */
const TXID = '{txid}';

/**
 * Returns the URLs of block explorers' pages about transactions, by network; `{txid}` in a URL stands for the
 * transaction id. Call it only with settings without problems.
 */
export function explorersOf(settings: Environment): ReadonlyMap<string, string> {
  return new Map(
    partsOf(settings['EXPLORERS']).map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}

/**
 * Returns a list with one sentence that names all invalid entries of EXPLORERS, also those of networks that
 * are not offered; empty if every entry is valid.
 */
export function explorerProblems(settings: Environment, offered: OfferedNetworks): string[] {
  const wrong = [...explorersOf(settings)].filter(
    ([network, page]) =>
      !offered.has(network) ||
      !page.startsWith('https://') ||
      !page.includes(TXID) ||
      !URL.canParse(page.replace(TXID, 'a')),
  );
  return wrong.length === 0
    ? []
    : [
        `EXPLORERS must be NETWORK=https://…${TXID}…, parted by commas, not "${wrong.map((pair) => pair.join('=')).join(', ')}"`,
      ];
}
