/** Shows the number of unread messages on the icon of the installed app; does nothing where that is unknown. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    if (count > 0) await navigator.setAppBadge(count);
    else await navigator.clearAppBadge();
  } catch {
    // Reason: the site is not installed, so it has no icon.
  }
}
