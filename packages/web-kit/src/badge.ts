/**
 * Shows the number of unread messages on the icon of the installed app; does nothing in browsers that cannot.
 */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    if (count > 0) await navigator.setAppBadge(count);
    else await navigator.clearAppBadge();
  } catch {
    // A site that is not installed may have no icon; its number is then not shown.
  }
}
