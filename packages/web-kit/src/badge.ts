/**
 * Shows the number of the user's unread messages on the icon of the installed app; 0 removes the number.
 * Browsers without this feature show nothing.
 */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    if (count > 0) await navigator.setAppBadge(count);
    else await navigator.clearAppBadge();
  } catch {
    // A site that is not installed may have no icon. The number is then not shown.
  }
}
