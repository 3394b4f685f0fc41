import { useEffect, useRef, useState } from 'react';
import { WORDS } from './words.ts';

/**
 * True if a key press must not trigger a shortcut: its target is inside an input, a text area, a menu or a
 * dialog, or Ctrl, Meta or Alt is pressed.
 */
function isForeignKey({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

/**
 * Hook that calls the callback for each key pressed outside of inputs and dialogs without Ctrl, Meta or Alt.
 * When it returns true, the browser's default action is prevented; other listeners still receive the key.
 */
function useKeys(act: (key: string) => boolean): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isForeignKey(event) && latest.current(event.key)) event.preventDefault();
    };
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, []);
}

/**
 * Hook that registers the keys j and k, which select the next and the previous row of a list; at the last and
 * the first row they keep the selection.
 */
export function useRowKeys(lastIndex: number, choose: (next: (row: number) => number) => void): void {
  useKeys((key) => {
    if (key !== 'j' && key !== 'k') return false;
    choose((row) => Math.max(0, Math.min(lastIndex, row + (key === 'j' ? 1 : -1))));
    return true;
  });
}

/**
 * Hook that registers the keys of operations, such as a and r, which open the forms of the operations. `open`
 * returns true when an operation has the pressed key; the first empty field of its form, or the first field
 * if all have values, then receives the focus.
 */
export function useActionKeys(open: (key: string) => boolean): void {
  const [opened, setOpened] = useState(0);
  useKeys((key) => {
    const isOpened = open(key);
    if (isOpened) setOpened(opened + 1);
    return isOpened;
  });
  useEffect(() => {
    if (opened === 0) return;
    const fields = [
      ...document.querySelectorAll<HTMLInputElement>(
        '.form :is(input:not([type="hidden"]), select, textarea)',
      ),
    ];
    (fields.find(({ value }) => value === '') ?? fields[0])?.focus();
  }, [opened]);
}

/**
 * Hook that registers the keys that open the palette: `/`, and Ctrl+K or Cmd+K, which also works while an
 * input has the focus.
 */
export function usePaletteKeys(open: () => void): void {
  useKeys((key) => {
    if (key === '/') open();
    return key === '/';
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [open]);
}

/** Dialog with the list of keyboard shortcuts; the key `?` opens it. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys((key) => {
    if (key === '?') setOpen(true);
    return key === '?';
  });
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="shortcuts"
      onClose={() => setOpen(false)}
      onKeyDown={(event) => (event.key === '?' ? setOpen(false) : undefined)}
    >
      <h2 id="shortcuts">{WORDS.keys}</h2>
      <dl className="shortcuts">
        {WORDS.shortcuts.map(([key, description]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={() => setOpen(false)}>
        {WORDS.close}
      </button>
    </dialog>
  );
}
