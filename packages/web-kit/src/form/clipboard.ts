/**
 * Copies a text to the clipboard. Resolves to whether the browser did; never rejects. Must be called while a press is
 * handled. Pages without encryption (plain HTTP at any name but localhost) have no clipboard interface, so they copy
 * the selection of a hidden field.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = (navigator as { readonly clipboard?: Clipboard }).clipboard;
  if (clipboard === undefined) return copyFromField(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // Reason: an embedding page or the user may deny the interface and still allow copying a selection.
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Without this, a phone opens its keyboard.
  field.readOnly = true;
  field.style.cssText = 'position: fixed; top: 0; left: 0; opacity: 0; font-size: 16px';
  // A modal dialog refuses the focus to everything outside of it.
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.setSelectionRange(0, text.length);
    // The only way to copy that a page without encryption has; browsers keep it for this.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
