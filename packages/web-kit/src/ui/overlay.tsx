import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Drawer, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './overlay.module.css';

interface OverlayProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

const MOTION = { duration: 120 };

/** A dialog in the middle of the page. Escape and a click outside close it; focus returns to where it was. */
export function Dialog({ isOpen, onClose, title, closeLabel, children, width = 440 }: OverlayProps & { width?: number }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={width}
      centered
      padding={24}
      transitionProps={{ ...MOTION, transition: 'fade-up' }}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{ content: css.dialog, header: css.header, title: css.title, close: css.close }}
    >
      {children}
    </Modal>
  );
}

/** A sheet that slides up from the bottom edge, for choices on a phone. */
export function Sheet({ isOpen, onClose, title, closeLabel, children }: OverlayProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      position="bottom"
      size="auto"
      padding={16}
      transitionProps={MOTION}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{ content: css.sheet, header: css.header, title: css.title, close: css.close, body: css.sheetBody }}
    >
      {children}
    </Drawer>
  );
}
