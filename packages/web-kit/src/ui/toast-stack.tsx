import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import css from './toast.module.css';
import type { ToastLook } from './toast.tsx';

export const TOAST_MS = 2_000;

const ICONS = {
  success: <CircleCheck size={18} aria-hidden="true" />,
  error: <CircleX size={18} aria-hidden="true" />,
  warning: <TriangleAlert size={18} aria-hidden="true" />,
};

/** The stack of toasts. */
export default function ToastStack() {
  return <Notifications position="top-center" autoClose={TOAST_MS} limit={4} zIndex={500} />;
}

export function showToast(look: ToastLook, text: string): void {
  notifications.show({
    message: text,
    icon: ICONS[look],
    withCloseButton: false,
    withBorder: false,
    role: look === 'success' ? 'status' : 'alert',
    classNames: { root: css.toast, icon: `${css.icon} ${css[look]}`, body: css.body, description: css.text },
  });
}
