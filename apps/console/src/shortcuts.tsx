import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
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

const DEEDS: Readonly<Record<string, string>> = { a: 'approve', r: 'reject' };

/** j and k go through the rows; a and r open the form that approves or rejects the chosen one. */
export function useRowKeys(last: number, setChosen: Dispatch<SetStateAction<number>>): void {
  useKeys((key) => {
    if (key === 'j') setChosen((row) => Math.max(0, Math.min(last, row + 1)));
    else if (key === 'k') setChosen((row) => Math.max(0, row - 1));
    else return DEEDS[key] !== undefined && openDeed(DEEDS[key]);
    return true;
  });
}

/** Opens a form by the last part of its path and goes to the first field that is still empty. */
function openDeed(deed: string): boolean {
  const form = document.querySelector<HTMLDetailsElement>(`details[data-deed="${deed}"]`);
  if (form === null) return false;
  form.open = true;
  const fields = [...form.querySelectorAll<HTMLInputElement>('input, select, textarea')];
  (fields.find(({ value }) => value === '') ?? fields[0])?.focus();
  return true;
}

/** The key `/` goes to a field. */
export function useSearchKey(focus: () => void): void {
  useKeys((key) => {
    if (key === '/') focus();
    return key === '/';
  });
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
