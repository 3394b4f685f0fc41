import { BellRing, CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import css from './toast.module.css';

/** `alert`: something that the person asked to be notified of has happened. */
export type ToastLook = 'success' | 'error' | 'warning' | 'alert';

interface Toast {
  readonly id: number;
  readonly look: ToastLook;
  readonly text: string;
}

export const TOAST_MS = 2_000;
/** What nobody is waiting for stays longer, so that it is seen by somebody who looks elsewhere. */
export const ALERT_TOAST_MS = 8_000;
/** With more at once the oldest leaves before its time. */
const MOST_SHOWN = 4;

const ICONS = {
  success: <CircleCheck size={18} aria-hidden="true" />,
  error: <CircleX size={18} aria-hidden="true" />,
  warning: <TriangleAlert size={18} aria-hidden="true" />,
  alert: <BellRing size={18} aria-hidden="true" />,
};

let toasts: readonly Toast[] = [];
let lastId = 0;
const watchers = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  show(toasts.filter((toast) => toast.id !== id));
}

function dismissLater({ id, look }: Pick<Toast, 'id' | 'look'>): void {
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => dismiss(id), look === 'alert' ? ALERT_TOAST_MS : TOAST_MS),
  );
}

/** Shows a short notice at the top centre for two seconds, an alert for eight; it stays while the pointer rests on it. */
export function toast(look: ToastLook, text: string): void {
  lastId += 1;
  const id = lastId;
  for (const { id: oldest } of toasts.slice(0, Math.max(0, toasts.length + 1 - MOST_SHOWN))) dismiss(oldest);
  show([...toasts, { id, look, text }]);
  dismissLater({ id, look });
}

/**
 * Where toasts appear; one per page. It is part of the first script, since a notice often says that the network is
 * gone: nothing of it may have to be fetched.
 */
export function Toaster() {
  const shown = useSyncExternalStore(watch, () => toasts);
  return createPortal(
    <div className={css.stack} data-notices="">
      {shown.map(({ id, look, text }) => (
        <div
          key={id}
          className={css.toast}
          role={look === 'success' ? 'status' : 'alert'}
          onPointerEnter={() => clearTimeout(timers.get(id))}
          onPointerLeave={() => dismissLater({ id, look })}
          onClick={() => dismiss(id)}
        >
          <span className={`${css.icon} ${css[look]}`}>{ICONS[look]}</span>
          <span className={css.text}>{text}</span>
        </div>
      ))}
    </div>,
    document.body,
  );
}
