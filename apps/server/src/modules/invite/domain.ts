/**
 * Reasons to suspect that an inviter and an invitee are the same person, as they are stored and as operators see them.
 */
export const MARK_REASONS = ['device', 'mailbox', 'document', 'network', 'browser'] as const;
export type MarkReason = (typeof MARK_REASONS)[number];

/**
 * States for each property (device, mailbox, document, network, browser) whether the accounts of an invitee and of the
 * inviter share it.
 */
export type SharedSignals = Readonly<Record<MarkReason, boolean>>;

/**
 * The reasons to suspect that inviter and invitee are the same person; empty if the evidence is insufficient. A shared
 * device, mailbox or identity document is sufficient alone. A shared network is not, because families and offices share
 * networks; it is sufficient together with the same type of browser, if one of the two has no device id.
 */
export function markReasons(signals: SharedSignals): readonly MarkReason[] {
  const isSufficient =
    signals.device || signals.mailbox || signals.document || (signals.network && signals.browser);
  return isSufficient ? MARK_REASONS.filter((reason) => signals[reason]) : [];
}
