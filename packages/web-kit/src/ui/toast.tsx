import { BellRing, CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { type PointerEvent, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import css from './toast.module.css';

/** Kinds of notifications; `alert` is for a price alert of the user that has triggered. */
export type ToastLook = 'success' | 'error' | 'warning' | 'alert';

interface Toast {
  readonly id: number;
  readonly look: ToastLook;
  readonly text: string;
}

export const TOAST_MS = 2_000;
/**
 * Milliseconds for which alert notifications are shown; longer than others, so that a user who looks
 * elsewhere notices them.
 */
export const ALERT_TOAST_MS = 8_000;
/** Maximum number of toasts; the oldest one is dropped when there are more. */
const TOASTS_MAX = 4;

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
/** Position of the pointer when it entered a toast, or when the toast appeared beneath it, by toast. */
const entries = new Map<number, { readonly x: number; readonly y: number }>();
/** A pointer that moves no further than this, in pixels, counts as resting. */
const REST_PX = 4;

function setToasts(nextToasts: readonly Toast[]): void {
  toasts = nextToasts;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  entries.delete(id);
  setToasts(toasts.filter((toast) => toast.id !== id));
}

function dismissLater({ id, look }: Pick<Toast, 'id' | 'look'>): void {
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => dismiss(id), look === 'alert' ? ALERT_TOAST_MS : TOAST_MS),
  );
}

/**
 * Keeps a toast open while the pointer moves over it. A resting pointer does not keep it open: the user may have
 * pressed a button there before the toast appeared, and the toast would cover that button forever.
 */
function keepOpen(id: number, { clientX, clientY }: PointerEvent): void {
  const entry = entries.get(id);
  if (entry === undefined) entries.set(id, { x: clientX, y: clientY });
  else if (Math.hypot(clientX - entry.x, clientY - entry.y) > REST_PX) clearTimeout(timers.get(id));
}

function closeAfterLeaving(left: Pick<Toast, 'id' | 'look'>): void {
  entries.delete(left.id);
  dismissLater(left);
}

/** Shows a toast at the top centre for two seconds, an alert for eight; a pointer that moves onto it keeps it open. */
export function toast(look: ToastLook, text: string): void {
  lastId += 1;
  const id = lastId;
  for (const { id: oldest } of toasts.slice(0, Math.max(0, toasts.length + 1 - TOASTS_MAX))) dismiss(oldest);
  setToasts([...toasts, { id, look, text }]);
  dismissLater({ id, look });
}

/**
 * Container of toasts; render it once per window, in the body `place` of a window other than the page's own. It belongs to the initial bundle, because toasts often report
 * a lost network, when nothing can be loaded.
 */
export function Toaster({ place }: { readonly place?: HTMLElement | undefined } = {}) {
  const shownToasts = useSyncExternalStore(watch, () => toasts);
  return createPortal(
    <div className={css.stack} data-notices="">
      {shownToasts.map(({ id, look, text }) => (
        <div
          key={id}
          className={css.toast}
          role={look === 'success' ? 'status' : 'alert'}
          onPointerEnter={(event) => keepOpen(id, event)}
          onPointerMove={(event) => keepOpen(id, event)}
          onPointerLeave={() => closeAfterLeaving({ id, look })}
          onClick={() => dismiss(id)}
        >
          <span className={`${css.icon} ${css[look]}`}>{ICONS[look]}</span>
          <span className={css.text}>{text}</span>
        </div>
      ))}
    </div>,
    place ?? document.body,
  );
}
