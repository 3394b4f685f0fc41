/**
 * Copies a text to the clipboard. Resolves to true if the browser has copied it, otherwise to false; never rejects.
 * Must be called in an event handler of a press. A page without encryption (plain HTTP from a host other than
 * localhost) has no clipboard interface; there, the browser copies the selection of a hidden field.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = (navigator as { readonly clipboard?: Clipboard }).clipboard;
  if (clipboard === undefined) return copyFromField(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // The user or a page that embeds this one may have denied the clipboard interface; the browser may still copy a
    // selection.
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // The field is read-only, so that focusing it does not open a phone's keyboard.
  field.readOnly = true;
  field.style.cssText = 'position: fixed; top: 0; left: 0; opacity: 0; font-size: 16px';
  // The focus cannot leave a modal dialog, so the field is placed inside it.
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.setSelectionRange(0, text.length);
    // `execCommand` is deprecated, but it is the only way to copy on a page without encryption.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
