/** Why the two of a pair may be one person, in the words that are stored and that operators read. */
export const MARK_REASONS = ['device', 'mailbox', 'document', 'network', 'browser'] as const;
export type MarkReason = (typeof MARK_REASONS)[number];

/** What an invited person and their inviter have in common. */
export type SharedSignals = Readonly<Record<MarkReason, boolean>>;

/**
 * The reasons to mark a pair as one person or device; none where there are not enough. A device, a mailbox or an
 * identity document are enough by themselves. A network is not: families and offices share one. Together with the same
 * kind of browser it is, where one of the two has no device id that could tell them apart.
 */
export function markReasons(signals: SharedSignals): readonly MarkReason[] {
  const isOne = signals.device || signals.mailbox || signals.document || (signals.network && signals.browser);
  return isOne ? MARK_REASONS.filter((reason) => signals[reason]) : [];
}
