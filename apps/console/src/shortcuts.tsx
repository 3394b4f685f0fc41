import { useEffect, useRef, useState } from 'react';
import { WORDS } from './words.ts';

/** Whether somebody is typing, or means the browser and not us. */
function isElsewhere({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

/** Calls `act` with each key that is pressed outside of forms; a key that it takes does nothing else. */
function useKeys(act: (key: string) => boolean): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isElsewhere(event) && latest.current(event.key)) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** j and k go through the rows. */
export function useRowKeys(last: number, choose: (next: (row: number) => number) => void): void {
  useKeys((key) => {
    if (key !== 'j' && key !== 'k') return false;
    choose((row) => Math.max(0, Math.min(last, row + (key === 'j' ? 1 : -1))));
    return true;
  });
}

/** a and r open a form; `open` says whether there is one, and its first field that is still empty is gone to. */
export function useDeedKeys(open: (key: string) => boolean): void {
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

/** The keys `/` and Ctrl K, also while somebody is typing, open the palette. */
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

/** The list of shortcuts, which `?` shows. */
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
        {WORDS.shortcuts.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={() => setOpen(false)}>
        {WORDS.close}
      </button>
    </dialog>
  );
}
