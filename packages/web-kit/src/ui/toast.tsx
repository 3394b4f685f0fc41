import { BellRing, CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { type PointerEvent, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import css from './toast.module.css';

/** Kinds of notifications; `alert` is the notification that a price alert of the user has triggered. */
export type ToastLook = 'success' | 'error' | 'warning' | 'alert';

interface Toast {
  readonly id: number;
  readonly look: ToastLook;
  readonly text: string;
}

export const TOAST_MS = 2_000;
/**
 * Milliseconds for which an alert notification is shown; longer than for other kinds, so that a user who looks
 * elsewhere notices it.
 */
export const ALERT_TOAST_MS = 8_000;
/** Maximum number of toasts shown at once; a new toast above this number removes the oldest one. */
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
/** By toast ID: position of the pointer when it entered the toast, or when the toast appeared under the pointer. */
const entries = new Map<number, { readonly x: number; readonly y: number }>();
/** Maximum movement in pixels after which the pointer still counts as not moved. */
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
 * Keeps a toast open if the pointer moves over it. A pointer that does not move has no effect: the user may have
 * pressed a button at this place before the toast appeared, and the toast would cover the button for ever.
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

/**
 * Shows a toast at the top centre of the page, for two seconds, or for eight if it is an alert. A pointer that moves
 * over the toast keeps it open.
 */
export function toast(look: ToastLook, text: string): void {
  lastId += 1;
  const id = lastId;
  for (const { id: oldest } of toasts.slice(0, Math.max(0, toasts.length + 1 - TOASTS_MAX))) dismiss(oldest);
  setToasts([...toasts, { id, look, text }]);
  dismissLater({ id, look });
}

/**
 * Container of the toasts. It must be rendered once per window; `place` is the body of a window other than the page's
 * own. It is part of the initial bundle, because a toast often reports that the network is lost, and then no chunk can
 * be loaded.
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
