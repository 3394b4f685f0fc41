/** Shows the number of unread messages on the icon of the installed app. Browsers without this feature show nothing. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    if (count > 0) await navigator.setAppBadge(count);
    else await navigator.clearAppBadge();
  } catch {
    // A site that is not installed may have no icon. The number is then not shown.
  }
}
