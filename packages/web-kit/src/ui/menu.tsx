import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Menu as KitMenu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import css from './menu.module.css';

export interface MenuEntry {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly onPick: () => void;
  readonly isChosen?: boolean;
  /** A line above the entry. */
  readonly startsGroup?: boolean;
}

interface MenuProps {
  /** The button that opens the menu; must take a ref. */
  target: ReactElement;
  entries: readonly MenuEntry[];
  /** Above the entries. */
  header?: ReactNode;
  openOn?: 'click' | 'hover' | undefined;
}

/** A menu that opens below its button. */
export function Menu({ target, entries, header, openOn = 'click' }: MenuProps) {
  return (
    <KitMenu
      trigger={openOn === 'hover' ? 'click-hover' : 'click'}
      position="bottom-end"
      transitionProps={{ duration: 100 }}
      classNames={{ dropdown: css.dropdown, item: css.item, divider: css.divider }}
    >
      <KitMenu.Target>{target}</KitMenu.Target>
      <KitMenu.Dropdown>
        {header === undefined ? null : <div className={css.header}>{header}</div>}
        {entries.map((entry, index) => [
          entry.startsGroup === true ? <KitMenu.Divider key={`line-${index}`} /> : null,
          <KitMenu.Item
            key={index}
            leftSection={entry.icon}
            onClick={entry.onPick}
            aria-current={entry.isChosen === true || undefined}
          >
            {entry.label}
          </KitMenu.Item>,
        ])}
      </KitMenu.Dropdown>
    </KitMenu>
  );
}
