import { renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { useShortcuts } from './use-shortcuts.ts';

const press = (target: EventTarget, init: KeyboardEventInit): void => {
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
};

function listening(isOn = true) {
  const shortcuts = { '/': vi.fn<() => void>(), '?': vi.fn<() => void>() };
  const { unmount } = renderHook(() => useShortcuts(shortcuts, isOn));
  return { shortcuts, unmount };
}

describe('keyboard shortcuts', () => {
  it('DESK-024 react to a plain key while mounted', () => {
    const { shortcuts, unmount } = listening();
    press(document.body, { key: '/' });
    press(document.body, { key: '?', shiftKey: true });
    unmount();
    press(document.body, { key: '/' });
    expect(shortcuts['/']).toHaveBeenCalledTimes(1);
    expect(shortcuts['?']).toHaveBeenCalledTimes(1);
  });

  it('DESK-024 are inactive in text fields and with modifier keys', () => {
    const { shortcuts, unmount } = listening();
    const input = document.body.appendChild(document.createElement('input'));
    press(input, { key: '/' });
    press(document.body, { key: '/', ctrlKey: true });
    press(document.body, { key: '/', metaKey: true });
    expect(shortcuts['/']).not.toHaveBeenCalled();
    input.remove();
    unmount();
  });

  it('DESK-024 are inactive below an open dialog', () => {
    const { shortcuts, unmount } = listening();
    const dialog = document.body.appendChild(document.createElement('section'));
    dialog.setAttribute('role', 'dialog');
    press(document.body, { key: '/' });
    expect(shortcuts['/']).not.toHaveBeenCalled();
    dialog.remove();
    press(document.body, { key: '/' });
    expect(shortcuts['/']).toHaveBeenCalledTimes(1);
    unmount();
  });

  it('DESK-024 are inactive when disabled', () => {
    const { shortcuts, unmount } = listening(false);
    press(document.body, { key: '/' });
    expect(shortcuts['/']).not.toHaveBeenCalled();
    unmount();
  });
});
