/** Id of the first block of each network of TRON. By it the exchange recognizes a node of another network. */
export const TRON_GENESIS: ReadonlyMap<string, string> = new Map([
  ['main', '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'],
  ['nile', '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc'],
  ['shasta', '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e'],
]);

/** Code of the network on which TRON tokens (TRC-20) are transferred. */
export const TRON = 'TRC20';
/** Code of the coin of TRON, in which energy and bandwidth are paid. */
export const TRON_COIN = 'TRX';
