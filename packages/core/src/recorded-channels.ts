/**
 * Kinds of channels that were tested only with recorded answers of real nodes and on networks that the tests
 * simulate from the published protocols, never over a node of the network. Users and operators see a note
 * about this at the networks with such a channel.
 */
export const RECORDED_CHANNELS: ReadonlySet<string> = new Set(['xrp', 'tron']);
