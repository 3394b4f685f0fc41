export type ToastLook = 'success' | 'error' | 'warning';

export const TOAST_MS = 2_000;
