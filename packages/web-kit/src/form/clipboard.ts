/**
 * Copies a text to the clipboard. Resolves to whether the browser did; never rejects. Must be called in the handler of
 * a press. Pages without encryption (plain HTTP from any host but localhost) have no clipboard interface, so they copy
 * the selection of a hidden field.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = (navigator as { readonly clipboard?: Clipboard }).clipboard;
  if (clipboard === undefined) return copyFromField(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // An embedding page or the user may deny the clipboard interface but still allow copying a selection.
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // A read-only field does not open the keyboard of a phone.
  field.readOnly = true;
  field.style.cssText = 'position: fixed; top: 0; left: 0; opacity: 0; font-size: 16px';
  // The focus cannot leave a modal dialog, so the field is placed inside it.
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.setSelectionRange(0, text.length);
    // Deprecated, but the only way to copy on a page without encryption.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
