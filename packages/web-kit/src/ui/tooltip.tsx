import '@mantine/core/styles/Tooltip.layer.css';
import { Tooltip as KitTooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import css from './tooltip.module.css';

/** A short explanation on hover and focus. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <KitTooltip
      label={text}
      multiline
      maw={280}
      openDelay={150}
      events={{ hover: true, focus: true, touch: true }}
      classNames={{ tooltip: css.tooltip }}
    >
      {children}
    </KitTooltip>
  );
}
